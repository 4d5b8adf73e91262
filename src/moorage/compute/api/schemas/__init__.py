"""What the bodies of requests must be like."""

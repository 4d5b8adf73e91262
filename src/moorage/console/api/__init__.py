"""What the pages need beyond the APIs of the other rooms."""

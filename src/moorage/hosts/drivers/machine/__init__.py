"""One machine as values, and the providers it comes to: what the drivers that examine a machine have in common."""

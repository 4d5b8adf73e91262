"""What happens to servers: they are placed, rebuilt, resized, deleted, and looked after."""

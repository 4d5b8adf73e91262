"""Leases and what they are made of, as values; the rules about them that need neither clock nor database."""

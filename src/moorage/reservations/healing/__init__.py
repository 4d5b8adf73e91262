"""Hosts that fail, and what becomes of the reservations on them."""

"""Carrying a whole ledger from one Placement to another: upstream's database or endpoint, ours, a file."""

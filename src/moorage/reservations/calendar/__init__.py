"""What is free on each host at each instant: pure functions over numpy columns.

Hosts are positions 0, 1, 2, … in the columns; instants are whole seconds since 1970; intervals are half-open.
"""

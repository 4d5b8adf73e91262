"""Deciding about leases: whether one fits and where, and writing what follows, in one transaction."""

"""Drivers: how an agent finds out what its host natively has."""

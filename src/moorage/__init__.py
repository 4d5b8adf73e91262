"""Moorage: the resource ledger of a cloud."""

__version__ = "0.1.0"

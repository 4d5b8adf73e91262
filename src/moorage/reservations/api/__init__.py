"""Blazar's REST API, version 1, and what Moorage adds to it."""

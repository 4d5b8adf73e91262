"""LIQUID over HTTP."""

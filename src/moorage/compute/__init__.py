"""Compute: flavors, images, host aggregates and servers, and where servers are placed."""

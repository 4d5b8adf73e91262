"""Which flavors and which hypervisors count, and as what."""

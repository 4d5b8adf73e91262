"""Leases compared with what is in the cloud, whatever was done there behind their back."""

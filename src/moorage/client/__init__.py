"""Clients for the APIs of a cloud, ours or upstream's, over HTTP or in this process."""

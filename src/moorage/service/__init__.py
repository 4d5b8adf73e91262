"""Puts the rooms together: settings, credentials, applications, and the server that runs them."""

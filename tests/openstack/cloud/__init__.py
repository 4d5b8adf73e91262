"""How the cloud is installed, configured, started and stopped: one file for each of its services."""

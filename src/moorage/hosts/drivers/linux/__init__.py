"""The driver linux: the machine itself, as its kernel shows it in /proc and /sys."""

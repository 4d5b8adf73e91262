"""Workers that carry out what is due, any number of them, in any number of processes."""

"""What the operations of the compute API take and give at the newest microversion, a module for each kind of thing."""

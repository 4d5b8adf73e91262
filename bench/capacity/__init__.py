"""The benchmark of the packing simulation: how fast it is, and how much it leaves unplaced."""

"""How much more of everything fits: the packing simulation, usage and quota, and the LIQUID API around them."""

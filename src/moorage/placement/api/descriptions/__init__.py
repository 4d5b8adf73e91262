"""What the Placement API takes and gives, one module for each kind of thing; `description` joins them."""

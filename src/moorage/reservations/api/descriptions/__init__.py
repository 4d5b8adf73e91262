"""The operations of the reservation API, described, one module for each kind of thing; `description` joins them."""

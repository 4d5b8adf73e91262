"""What leases do in the cloud: providers, inventories, flavors and aggregates, one idempotent step after the other.

Nothing here decides anything about leases. It is told what shall be, and makes it so in Placement and compute, whatever
a crash, another worker or an operator has left half done. Names are derived from the reservation, so that everything is
found again; what is not found by name alone is recorded before it is made.
"""

"""Capacity promised over time: leases of hosts and of instances, and the reservation API.

The room has two halves that meet in the tables of `store/` and nowhere else.

The first half *promises*. `api/` parses and renders Blazar's API; `calendar/` is pure arithmetic over numpy: what is
free on each host at each instant; `booking/` decides. A booking or a change of one is a single transaction that takes
the booking lock (`store/booking_lock.py`), looks at the calendar as it is then, and writes everything that follows from
the decision: the lease, its reservations, how many slots each has on which host, and its events. It talks to nobody
outside while it holds the lock.

The second half *keeps the promise*. `events/` takes due rows of `lease_events`, with any number of workers; each is a
claim for a while, so that what a killed worker leaves is taken by another. `enactment/` brings Placement and compute in
step with the rows, one idempotent step after the other, and records in `enactment_steps` what is done. Besides the
events that clients see (start_lease, before_end_lease, end_lease) there are two of the room's own: `settle_lease` says
"something about this lease was changed: bring the world in step with it", `settle_host` the same of a host. They are
written, or set to UNDONE again, in the transaction that makes the change.

What both must keep to:

- Whoever writes what the calendar counts (slots, dates, the status of a reservation, whether a host can be reserved,
  its maintenance) takes the booking lock first and stamps the lease or host with the revision it gets. Workers that
  keep a copy of the calendar read again what has a higher revision than theirs.
- A slot counts while its reservation is not `deleted`. So capacity stays booked until whoever ends a lease has seen its
  instances gone and then sets the reservations to `deleted`, all in one transaction with the lease's TERMINATED.
- Rows of leases stay: one that was deleted has `deleted_at`.
- A lease that was deleted before anything of it was enacted is marked as deleted at once; else it is DELETING, with a
  `settle_lease` due, until enactment has removed everything.
"""

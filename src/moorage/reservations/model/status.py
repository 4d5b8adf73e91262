"""The statuses of leases, reservations and events.

Names and meanings are Blazar's. WAITING is ours: a lease that did not fit and asked to wait.
"""

from __future__ import annotations

from typing import Literal

LeaseStatus = Literal[
    "WAITING",
    "CREATING",
    "PENDING",
    "STARTING",
    "ACTIVE",
    "UPDATING",
    "TERMINATING",
    "TERMINATED",
    "DELETING",
    "ERROR",
]
ReservationStatus = Literal["pending", "active", "deleted", "error"]
EventStatus = Literal["UNDONE", "IN_PROGRESS", "DONE", "ERROR"]

# What a lease is while it holds no slot any more, or not yet: it has no part in the cloud.
WITHOUT_SLOTS: frozenset[LeaseStatus] = frozenset({"WAITING", "TERMINATED"})

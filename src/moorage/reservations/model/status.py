"""The statuses of leases, reservations and events, and which may follow which.

Names and meanings are Blazar's. WAITING is ours: a lease that did not fit and asked to wait.
"""

from __future__ import annotations

from collections.abc import Mapping
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

LEASE_TRANSITIONS: Mapping[LeaseStatus, frozenset[LeaseStatus]] = {
    "WAITING": frozenset({"PENDING", "DELETING", "TERMINATED"}),
    "CREATING": frozenset({"PENDING", "DELETING"}),
    "PENDING": frozenset({"STARTING", "UPDATING", "DELETING"}),
    "STARTING": frozenset({"ACTIVE", "ERROR", "DELETING"}),
    "ACTIVE": frozenset({"TERMINATING", "UPDATING", "DELETING"}),
    "UPDATING": frozenset({"PENDING", "ACTIVE", "TERMINATED", "ERROR", "DELETING"}),
    "TERMINATING": frozenset({"TERMINATED", "ERROR", "DELETING"}),
    "TERMINATED": frozenset({"UPDATING", "DELETING"}),
    "ERROR": frozenset({"TERMINATING", "UPDATING", "DELETING"}),
    "DELETING": frozenset({"ERROR"}),
}

RESERVATION_TRANSITIONS: Mapping[ReservationStatus, frozenset[ReservationStatus]] = {
    "pending": frozenset({"active", "deleted", "error"}),
    "active": frozenset({"deleted", "error"}),
    # A step that failed may succeed when it is tried again.
    "error": frozenset({"pending", "active", "deleted"}),
    "deleted": frozenset(),
}

EVENT_TRANSITIONS: Mapping[EventStatus, frozenset[EventStatus]] = {
    "UNDONE": frozenset({"IN_PROGRESS"}),
    # Back to UNDONE: to be tried again.
    "IN_PROGRESS": frozenset({"UNDONE", "DONE", "ERROR"}),
    # A changed lease may have to do again what was done.
    "DONE": frozenset({"UNDONE"}),
    "ERROR": frozenset({"UNDONE"}),
}

# What a lease may be while it holds no slot any more, or not yet.
WITHOUT_SLOTS: frozenset[LeaseStatus] = frozenset({"WAITING", "TERMINATED"})

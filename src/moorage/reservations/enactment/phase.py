"""Which part of its life a lease is in: what shall be there of it in the cloud."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from moorage.reservations.model.lease import Lease


class Phase(Enum):
    """What shall be there."""

    # A resource class, a flavor, an aggregate, but nothing that could be used.
    PROMISED = "promised"
    IN_FORCE = "in force"
    # Nothing at all.
    OVER = "over"


def phase_of(lease: Lease, now: datetime) -> Phase:
    """The phase that a lease is in at a time; one whose start was missed altogether is over, too."""
    if lease.deleted_at is not None or lease.status in {"WAITING", "TERMINATED", "DELETING"} or now >= lease.end:
        return Phase.OVER
    return Phase.IN_FORCE if now >= lease.start else Phase.PROMISED

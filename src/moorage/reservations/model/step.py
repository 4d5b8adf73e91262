"""A part of bringing a lease into force, or of ending it, that was carried out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What was made for a reservation, and what it is called there, so that it can be found and removed."""

    reservation_id: str
    # Such as "flavor" or "inventory"; and of what, where there are several: the name of a host, a project.
    step: str
    subject: str = ""
    # The id that the other service gave it.
    reference: str = ""
    done_at: datetime

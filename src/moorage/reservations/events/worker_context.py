"""What workers work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from moorage.db.database import Database, utc_now
from moorage.reservations.enactment.cloud import Cloud

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The leases of one cloud, and the cloud."""

    database: Database
    # Looked at anew until it is fit for leases.
    cloud: Callable[[], Cloud]
    clock: Clock = utc_now
    # For how long a worker has something for itself without giving a sign of life.
    claim: timedelta = field(default=timedelta(seconds=60))
    # Called when capacity may have become free.
    when_freed: Callable[[], None] = field(default=lambda: None)

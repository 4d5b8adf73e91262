"""What the handlers and the workers of the room work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Concatenate, ParamSpec, TypeVar

from oslo_config import cfg
from sqlalchemy import Connection

from moorage.client.compute import ComputeClient
from moorage.client.placement import PlacementClient
from moorage.db.database import Database, Transaction, utc_now
from moorage.reservations.booking.host_availability import HostAvailability
from moorage.web.caller import Allows

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


def _nobody() -> None:
    """Nobody waits in this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One cloud's leases: the room's own database, the services that leases are carried out with, and the settings."""

    database: Database
    placement: PlacementClient
    compute: ComputeClient
    availability: HostAvailability
    settings: cfg.ConfigOpts
    allows: Allows
    now: Callable[[], datetime] = utc_now
    # Tells workers of this process that something is due.
    wake: Callable[[], None] = _nobody

    @property
    def warning(self) -> timedelta:
        """How long before the end of a lease its owner is told; zero for never."""
        return timedelta(minutes=self.settings.reservation.minutes_before_end_lease)

    def read(
        self,
        work: Callable[Concatenate[Connection, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Ask the store something, over one consistent snapshot."""
        return self.database.read(lambda connection: work(connection, *args, **kwargs))

    def write(
        self,
        work: Callable[Concatenate[Transaction, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Change the store, all or nothing; whoever carries it out is told."""
        result = self.database.write(lambda transaction: work(transaction, *args, **kwargs))
        self.wake()
        return result

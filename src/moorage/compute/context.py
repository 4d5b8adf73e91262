"""What the handlers of compute and image work with: the room's own database, a Placement service, and the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from oslo_config import cfg
from sqlalchemy import Connection

from moorage.client.placement import PlacementClient
from moorage.db.database import Database, Transaction
from moorage.web.application import Allows
from moorage.web.caller import Caller

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


@dataclass(frozen=True, slots=True)
class Compute:
    """One cloud's flavors, images, hosts and servers."""

    database: Database
    # Ours in this process, or any other.
    placement: PlacementClient
    settings: cfg.ConfigOpts
    allows: Allows

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
        """Change the store, all or nothing."""
        return self.database.write(lambda transaction: work(transaction, *args, **kwargs))

    def is_admin(self, caller: Caller) -> bool:
        """Whether somebody administers the cloud: sees what belongs to any project."""
        return self.allows(caller, "context_is_admin", None)

"""What the handlers of compute and image work with: the room's own database, a Placement service, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from oslo_config import cfg
from sqlalchemy import Connection

from moorage.client.placement import PlacementClient
from moorage.compute.store import catalogue
from moorage.compute.store.catalogue import Catalogue
from moorage.db.database import Database, Transaction
from moorage.db.joint_writes import JointWrites
from moorage.web.caller import Allows, Caller

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")

# Orders of one project queue in the database, so a group may take a while; going alone would only be one more in it.
_PATIENCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class _Write:
    """What a transaction shall do, and whose turn it waits for: works of one group come in the order of turns."""

    turn: str
    work: Callable[[Transaction], Any]


class Compute:
    """One cloud's flavors, images, hosts and servers."""

    def __init__(
        self, database: Database, placement: PlacementClient, settings: cfg.ConfigOpts, allows: Allows
    ) -> None:
        self.database = database
        # Ours in this process, or any other.
        self.placement = placement
        self.settings = settings
        self.allows = allows
        self._joint = JointWrites[_Write, Any](self._write_group, _PATIENCE_SECONDS)
        self._catalogue: Catalogue | None = None

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

        def noted(transaction: Transaction) -> Result:
            result = work(transaction, *args, **kwargs)
            catalogue.note(transaction)
            return result

        return self.database.write(noted)

    def write_jointly(self, turn: str, work: Callable[[Transaction], Result]) -> Result:
        """Change the store, in one transaction with others that come at the same time.

        For what happens all the time and to one server: the row that `turn` names is the first that the work locks.
        """
        result: Result = self._joint.submit(_Write(turn, work))
        return result

    def catalogue(self) -> Catalogue:
        """All flavors and host aggregates as they are now; read anew only when they have changed."""
        known = self._catalogue
        if known is None or known.version != self.database.look(catalogue.version):
            known = self._catalogue = self.read(catalogue.read)
        return known

    def is_admin(self, caller: Caller) -> bool:
        """Whether somebody administers the cloud: sees what belongs to any project."""
        return self.allows(caller, "context_is_admin", None)

    def _write_group(self, writes: Sequence[_Write]) -> Sequence[Any]:
        in_turn = sorted(range(len(writes)), key=lambda number: writes[number].turn)

        def all_of_them(transaction: Transaction) -> Sequence[Any]:
            results = {number: writes[number].work(transaction) for number in in_turn}
            return [results[number] for number in range(len(writes))]

        return self.database.write(all_of_them)

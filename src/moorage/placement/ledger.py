"""What handlers work with: the database, its fast copy, and the settings that change answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from moorage.db.database import Database, Transaction
from moorage.db.joint_writes import JointWrites
from moorage.placement.index.cloud import Cloud
from moorage.placement.index.search import Order
from moorage.placement.index_sync import IndexSync
from moorage.placement.joint_claims import JointClaims
from moorage.placement.model.agent import Sign
from moorage.placement.model.allocation import Claim
from moorage.placement.store import agents, claims
from moorage.placement.store.express.claiming import ExpressClaims

Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of the section [placement]."""

    # Who owns allocations that were written before microversion 1.8, which did not say.
    unknown_project_id: str
    unknown_user_id: str
    order: Order


class Ledger:
    """The ledger of one cloud."""

    def __init__(self, database: Database, index_sync: IndexSync, options: Options) -> None:
        self.database = database
        self.index_sync = index_sync
        self.options = options
        express = ExpressClaims(database, lambda wanted: self.write(claims.claim, wanted))
        self._joint_claims = JointClaims(express.claim)
        self._joint_signs = JointWrites(self._keep_signs, identity=lambda sign: sign.name)

    def read(
        self,
        work: Callable[Concatenate[Connection, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Ask the store something, over one consistent snapshot."""
        return self.database.read(lambda connection: work(connection, *args, **kwargs))

    def look(
        self,
        work: Callable[Concatenate[Connection, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Ask the store something that takes a single statement."""
        return self.database.look(lambda connection: work(connection, *args, **kwargs))

    def write(
        self,
        work: Callable[Concatenate[Transaction, Parameters], Result],
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Result:
        """Change the store, all or nothing."""
        return self.database.write(lambda transaction: work(transaction, *args, **kwargs))

    def claim(self, claim: Claim) -> None:
        """Replace what one consumer holds, perhaps in one transaction with others who ask at the same time."""
        self._joint_claims.claim(claim)

    def keep_sign(self, sign: Sign) -> None:
        """Note that an agent is alive, perhaps in one transaction with others; no copy of the ledger hears of it."""
        self._joint_signs.submit(sign)

    def forget_agent(self, name: str) -> bool:
        """Forget that there was an agent; whether there was one."""
        return self.database.tidy(lambda connection: agents.forget(connection, name))

    def _keep_signs(self, signs: Sequence[Sign]) -> Sequence[None]:
        now = int(time.time())
        self.database.tidy(lambda connection: agents.keep(connection, signs, now))
        return [None] * len(signs)

    def cloud(self) -> Cloud:
        """The cloud as it is now, in memory: for everything but allocations."""
        return self.index_sync.current()

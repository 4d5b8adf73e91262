"""Makes claims with one message, and finds out what became of a message whose answer was lost."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from moorage.db.changes import is_recorded
from moorage.db.database import Database, DatabaseUnavailable, OutcomeUnknown, utc_now
from moorage.db.messenger import AnswerLost
from moorage.placement.model.allocation import Claim
from moorage.placement.model.errors import ConsumerGenerationConflict
from moorage.placement.model.inventory import MAX_AMOUNT
from moorage.placement.store.express import mariadb, postgresql
from moorage.placement.store.express.order import Order

# The ordinary way to make the same claims.
Ordinary = Callable[[Sequence[Claim]], None]


class ExpressClaims:
    """Makes claims as quickly as they can be made."""

    def __init__(self, database: Database, ordinary: Ordinary) -> None:
        self._database = database
        self._messenger = database.messenger()
        self._message = postgresql.message if database.dialect == "postgresql" else mariadb.message
        self._ordinary = ordinary

    def claim(self, claims: Sequence[Claim]) -> None:
        """Replace what these consumers hold, all or nothing; returns when it is durable."""
        if self._messenger is None or not all(map(_is_plain, claims)):
            self._ordinary(claims)
            return
        order = Order.of(claims, uuid.uuid4().hex, utc_now())
        try:
            answer = self._messenger.send(self._message(order))
        except AnswerLost:
            self._find_out(order, claims)
            return
        if answer is None or answer[0] != len(order.providers):
            self._ordinary(claims)

    def _find_out(self, order: Order, claims: Sequence[Claim]) -> None:
        """Make the claims, unless they have been made.

        A message that is still on its way makes its consumers before or after the ordinary way does. Whoever comes
        second finds them there: if that is the ordinary way, it was the message.
        """
        try:
            if self._was_carried_out(order):
                return
            try:
                self._ordinary(claims)
            except ConsumerGenerationConflict:
                if not self._was_carried_out(order):
                    raise
        except OutcomeUnknown:
            raise
        except DatabaseUnavailable as error:
            raise OutcomeUnknown("The database cannot be reached to ask whether a claim was made") from error

    def _was_carried_out(self, order: Order) -> bool:
        return self._database.look(lambda connection: is_recorded(connection, order.marker, order.now), patient=True)


def _is_plain(claim: Claim) -> bool:
    """Whether a consumer is new and takes something that an inventory may have."""
    if claim.generation is not None or not claim.amounts:
        return False
    return all(amount <= MAX_AMOUNT for amounts in claim.amounts.values() for amount in amounts.values())

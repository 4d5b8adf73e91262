"""Who is at work on what. A claim lasts for a while and can be renewed; what a killed worker leaves is free afterwards.

Times are those of the caller's clock.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, update

from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates
from moorage.reservations.store.tables import enactment_claims

KIND = "enactment claim"

_claims = enactment_claims.c


def take(tx: Transaction, kind: str, number: int, owner: str, now: datetime, until: datetime) -> bool:
    """Whether this is the owner's now: it was nobody's, or it was claimed for a time that is over."""
    tx.changed(KIND, number)
    new = insert_ignoring_duplicates(tx.connection.dialect.name, enactment_claims)
    made = new.values(kind=kind, number=number, owner=owner, owned_until=until).returning(_claims.owner)
    # Not all drivers count what such a statement inserts.
    if tx.connection.execute(made).first() is not None:
        return True
    taken = tx.connection.execute(
        update(enactment_claims)
        .where(_claims.kind == kind, _claims.number == number, _claims.owned_until <= now)
        .values(owner=owner, owned_until=until)
    )
    return taken.rowcount == 1


def renew(tx: Transaction, kind: str, number: int, owner: str, until: datetime) -> bool:
    """Whether it is still the owner's, which it then is for longer."""
    tx.changed(KIND, number)
    renewed = tx.connection.execute(
        update(enactment_claims)
        .where(_claims.kind == kind, _claims.number == number, _claims.owner == owner)
        .values(owned_until=until)
    )
    return renewed.rowcount == 1


def release(tx: Transaction, kind: str, number: int, owner: str) -> bool:
    """Give it up; False if it was somebody else's by then."""
    tx.changed(KIND, number)
    released = tx.connection.execute(
        delete(enactment_claims).where(_claims.kind == kind, _claims.number == number, _claims.owner == owner)
    )
    return released.rowcount == 1

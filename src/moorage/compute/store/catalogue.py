"""Flavors and host aggregates, which every order of a server needs and hardly anybody ever changes, read as a whole.

A number says which version of them there is: it grows in the transaction of every change, so that whoever has a copy
and reads the same number has what is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.store import aggregates, flavors
from moorage.compute.store.tables import catalogue_versions
from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates

_KINDS = frozenset({flavors.KIND, aggregates.KIND})
_ONLY = 1
_VERSION = select(catalogue_versions.c.version).where(catalogue_versions.c.id == _ONLY)
_NEXT = (
    update(catalogue_versions).where(catalogue_versions.c.id == _ONLY).values(version=catalogue_versions.c.version + 1)
)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All flavors, by id, and all host aggregates, as of a version."""

    version: int
    flavors: Mapping[str, Flavor]
    aggregates: Sequence[HostAggregate]


def version(connection: Connection) -> int:
    """Which version there is; 0 before the first change."""
    return connection.execute(_VERSION).scalar() or 0


def read(connection: Connection) -> Catalogue:
    """The catalogue as it is."""
    listed = flavors.all_flavors(connection)
    return Catalogue(
        version(connection), {flavor.flavor_id: flavor for flavor in listed}, aggregates.all_aggregates(connection)
    )


def note(tx: Transaction) -> None:
    """Give the catalogue its next version, if the transaction has changed it."""
    if not any(change.kind in _KINDS for change in tx.touched):
        return
    if not tx.connection.execute(_NEXT).rowcount:
        new = insert_ignoring_duplicates(tx.connection.dialect.name, catalogue_versions)
        tx.connection.execute(new.values(id=_ONLY, version=0))
        tx.connection.execute(_NEXT)

"""Pages of servers: conditions on columns, an order, and where the page before ended.

Conditions that no column has, such as a pattern for names, are a function over servers; the pages are filled with those
that it lets pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from moorage.compute.model.server import Server
from moorage.compute.store.pagination import rows_after
from moorage.compute.store.server_tables import servers
from moorage.compute.store.servers import DELETED, decode

# So many rows are read at once while a page is filled.
_BATCH = 1000

SORTABLE = {
    "created_at": servers.c.created_at,
    "updated_at": servers.c.updated_at,
    "display_name": servers.c.name,
    "uuid": servers.c.uuid,
    "vm_state": servers.c.status,
    "task_state": servers.c.task_state,
    "host": servers.c.host,
    "availability_zone": servers.c.availability_zone,
    "instance_type_id": servers.c.flavor_id,
    "image_ref": servers.c.image_uuid,
    "project_id": servers.c.project_id,
    "user_id": servers.c.user_id,
}
"""Columns to sort by, by their names in the API."""


class MarkerNotFound(Exception):
    """The server after which a page shall begin is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which servers, in which order."""

    # Values by column; any of several will do.
    equal: Mapping[str, Sequence[str]] = field(default_factory=dict)
    changed_since: datetime | None = None
    changed_before: datetime | None = None
    deleted: bool = False
    # Deleted ones as well as others.
    with_deleted: bool = False
    matches: Callable[[Server], bool] | None = None
    # Names of SORTABLE, and whether the largest comes first.
    order: Sequence[tuple[str, bool]] = (("created_at", True),)
    # The server after which the page begins.
    marker: str | None = None


def list_servers(connection: Connection, wanted: Listing, most: int) -> list[Server]:
    """At most so many of the servers."""
    found: list[Server] = []
    for server in _stream(connection, wanted, most):
        if wanted.matches is None or wanted.matches(server):
            found.append(server)
            if len(found) >= most:
                break
    return found


def _stream(connection: Connection, wanted: Listing, most: int) -> Iterator[Server]:
    order = [(SORTABLE[name], descending) for name, descending in wanted.order]
    # Whatever is sorted by, no two servers have the same place.
    order.append((servers.c.id, order[-1][1] if order else True))
    batch = _BATCH if wanted.matches is not None else most
    statement = (
        select(servers.c.document, *(column.label(f"key_{number}") for number, (column, _) in enumerate(order)))
        .where(*_conditions(wanted))
        .order_by(*(column.desc() if descending else column.asc() for column, descending in order))
        .limit(batch)
    )
    last = _marked(connection, wanted, wanted.marker, order) if wanted.marker is not None else None
    while True:
        rows = connection.execute(statement if last is None else statement.where(rows_after(order, last))).all()
        for row in rows:
            yield decode(row[0])
        if len(rows) < batch:
            return
        last = tuple(rows[-1][1:])


def _conditions(wanted: Listing) -> Iterator[Any]:
    for name, values in wanted.equal.items():
        yield servers.c[name].in_(values)
    if wanted.changed_since is not None:
        yield servers.c.updated_at >= wanted.changed_since
    if wanted.changed_before is not None:
        yield servers.c.updated_at <= wanted.changed_before
    if not wanted.with_deleted:
        yield servers.c.status == DELETED if wanted.deleted else servers.c.status != DELETED


def _marked(connection: Connection, wanted: Listing, uuid: str, order: Sequence[tuple[Any, bool]]) -> tuple[Any, ...]:
    """The keys of the server after which the page begins, which may be deleted by now, but is no other project's."""
    own = [servers.c.project_id.in_(wanted.equal["project_id"])] if "project_id" in wanted.equal else []
    row = connection.execute(select(*(column for column, _ in order)).where(servers.c.uuid == uuid, *own)).one_or_none()
    if row is None:
        raise MarkerNotFound(f"marker [{uuid}] not found")
    return tuple(row)

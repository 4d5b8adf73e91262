"""Lists of leases: which of them, and a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, select

from moorage.reservations.model.lease import Lease
from moorage.reservations.store.errors import NotFound
from moorage.reservations.store.lease_rows import leases_where
from moorage.reservations.store.tables import leases


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The leases that meet all conditions, None being none, in the order they were made."""

    project_id: str | None = None
    user_id: str | None = None
    name: str | None = None
    status: str | None = None
    # Those that overlap a period.
    ends_after: datetime | None = None
    starts_before: datetime | None = None
    # Also those that were deleted.
    deleted: bool = False
    # Behind the lease with this UUID, so many at most.
    marker: str | None = None
    limit: int | None = None


def select_leases(connection: Connection, wanted: Selection) -> list[Lease]:
    """A list of leases; NotFound if there is no lease that the marker names."""
    equal = (
        (leases.c.project_id, wanted.project_id),
        (leases.c.user_id, wanted.user_id),
        (leases.c.name, wanted.name),
        (leases.c.status, wanted.status),
    )
    conditions: list[ColumnElement[bool]] = [column == value for column, value in equal if value is not None]
    if wanted.ends_after is not None:
        conditions.append(leases.c.end_date > wanted.ends_after)
    if wanted.starts_before is not None:
        conditions.append(leases.c.start_date < wanted.starts_before)
    if not wanted.deleted:
        conditions.append(leases.c.deleted_at.is_(None))
    if wanted.marker is not None:
        behind = connection.execute(select(leases.c.id).where(leases.c.uuid == wanted.marker)).scalar()
        if behind is None:
            raise NotFound(f"marker [{wanted.marker}] not found")
        conditions.append(leases.c.id > behind)
    return leases_where(connection, *conditions, limit=wanted.limit)

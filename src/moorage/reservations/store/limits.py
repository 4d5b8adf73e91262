"""The limits that projects have instead of the defaults."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from moorage.db.database import Transaction
from moorage.reservations.store.tables import reservation_limits


def of_project(connection: Connection, project_id: str) -> dict[str, int]:
    """What was set for a project, by name."""
    table = reservation_limits
    rows = connection.execute(select(table.c.name, table.c.value).where(table.c.project_id == project_id))
    return {row.name: int(row.value) for row in rows}


def replace_all(tx: Transaction, project_id: str, wanted: Mapping[str, int]) -> None:
    """Set all limits of a project; those that are not named are the defaults again."""
    tx.connection.execute(delete(reservation_limits).where(reservation_limits.c.project_id == project_id))
    rows = [{"project_id": project_id, "name": name, "value": value} for name, value in sorted(wanted.items())]
    if rows:
        tx.connection.execute(insert(reservation_limits), rows)
    tx.changed("reservation limits", 0)

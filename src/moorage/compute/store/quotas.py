"""The limits that projects have instead of the defaults, and whose turn it is to count.

Counting and then adding is safe only if nobody adds in between: `take_turn` makes those of one project queue until
the transaction ends.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select, update

from moorage.compute.store.tables import quota_turns, quotas
from moorage.db.database import Transaction
from moorage.db.statements import insert_ignoring_duplicates

KIND = "quota"


def limits(connection: Connection, project_id: str) -> dict[str, int]:
    """What was set for a project, by the name of the quota; -1 for no limit."""
    rows = connection.execute(select(quotas).where(quotas.c.project_id == project_id))
    return {row.resource: row.hard_limit for row in rows}


def set_limits(tx: Transaction, project_id: str, wanted: Mapping[str, int]) -> None:
    """Set these limits of a project; the others stay."""
    take_turn(tx, project_id)
    tx.connection.execute(
        delete(quotas).where(quotas.c.project_id == project_id, quotas.c.resource.in_(sorted(wanted)))
    )
    rows = [{"project_id": project_id, "resource": name, "hard_limit": limit} for name, limit in sorted(wanted.items())]
    if rows:
        tx.connection.execute(insert(quotas), rows)


def reset(tx: Transaction, project_id: str) -> None:
    """Let a project have the defaults again."""
    take_turn(tx, project_id)
    tx.connection.execute(delete(quotas).where(quotas.c.project_id == project_id))


def take_turn(tx: Transaction, project_id: str) -> None:
    """Wait until no other transaction counts or adds for a project; the next one waits for this."""
    turn = update(quota_turns).where(quota_turns.c.project_id == project_id).values(turns=quota_turns.c.turns + 1)
    if not tx.connection.execute(turn).rowcount:
        new = insert_ignoring_duplicates(tx.connection.dialect.name, quota_turns)
        tx.connection.execute(new.values(project_id=project_id, turns=0))
        tx.connection.execute(turn)
    tx.changed(KIND, 0)

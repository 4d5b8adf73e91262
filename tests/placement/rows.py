"""Everything that is in a database, to see what a request has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, select

from moorage.placement.store.tables import metadata

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Rows:
    """The rows of all tables."""

    tables: Mapping[str, frozenset[Row]]

    def changed_in(self, table: str, later: Rows) -> frozenset[Row]:
        """Rows of a table as they are only before or only after; a changed row is both."""
        return self.tables[table] ^ later.tables[table]

    def differences(self, later: Rows) -> dict[str, frozenset[Row]]:
        """What is different, by table; empty if nothing is."""
        changed = {table: self.changed_in(table, later) for table in self.tables}
        return {table: rows for table, rows in changed.items() if rows}


def read_rows(engine: Engine) -> Rows:
    """All rows as they are now, over one snapshot."""
    with engine.connect() as connection:
        return Rows(
            {
                table.name: frozenset(tuple(row) for row in connection.execute(select(table)))
                for table in metadata.sorted_tables
            }
        )

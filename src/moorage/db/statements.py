"""Statements that the databases spell differently."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Insert, Table, insert
from sqlalchemy.dialects import postgresql, sqlite


def insert_ignoring_duplicates(dialect: str, table: Table) -> Insert:
    """An INSERT that leaves out rows whose unique key exists already (waiting for a transaction that may be making it).

    Rows that it does insert can be told by RETURNING on every database.
    """
    by_dialect: dict[str, Any] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
    special = by_dialect.get(dialect)
    if special is not None:
        statement: Insert = special(table).on_conflict_do_nothing()
        return statement
    return insert(table).prefix_with("IGNORE")

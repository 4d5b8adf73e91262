"""Statements that the databases spell differently, or answer in a form of their own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Insert, Table, insert
from sqlalchemy.dialects import mysql, postgresql, sqlite


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


def insert_or_replace(dialect: str, table: Table) -> Insert:
    """An INSERT that writes over a row with the same primary key; many may do so at once."""
    key = {column.name for column in table.primary_key}
    others = [column.name for column in table.columns if column.name not in key]
    by_dialect: dict[str, Any] = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}
    special = by_dialect.get(dialect)
    if special is not None:
        statement = special(table)
        replaced: Insert = statement.on_conflict_do_update(
            index_elements=list(table.primary_key), set_={name: statement.excluded[name] for name in others}
        )
        return replaced
    again = mysql.insert(table)
    return again.on_duplicate_key_update({name: again.inserted[name] for name in others})


def inserted_number(connection: Connection, table: Table, /, **values: Any) -> int:
    """Insert one row, and tell the number that the database has given it."""
    inserted = connection.execute(insert(table).values(values))
    number: int = inserted.inserted_primary_key[0]  # type: ignore[index]  # an insert of one row has one
    return number

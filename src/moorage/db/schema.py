"""What all rooms' tables have in common: one MetaData, column types that mean the same on every database.

Each room declares its own tables in its own `store/tables.py`; none reads another room's.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Integer, MetaData

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only in a column of type INTEGER.
Identifier = BigInteger().with_variant(Integer, "sqlite")

# Names are compared byte by byte on every database: MariaDB's default would call "Disk" and "disk", or "a" and "a ",
# the same name.
TABLE_OPTIONS: dict[str, Any] = {
    "mysql_engine": "InnoDB",
    "mysql_charset": "utf8mb4",
    "mysql_collate": "utf8mb4_nopad_bin",
    "mariadb_engine": "InnoDB",
    "mariadb_charset": "utf8mb4",
    "mariadb_collate": "utf8mb4_nopad_bin",
}


def timestamps() -> tuple[Column[Any], Column[Any]]:
    """When a row was made and last changed: UTC, whole seconds (what HTTP's Last-Modified can carry)."""
    return (
        Column("created_at", DateTime, nullable=False),
        Column("updated_at", DateTime, nullable=False),
    )

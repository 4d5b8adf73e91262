"""The table of documents that one worker writes and all of them tell."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, String, Table, Text
from sqlalchemy.dialects.mysql import MEDIUMTEXT

from moorage.db.schema import TABLE_OPTIONS, metadata

__all__ = ["documents", "metadata"]

documents = Table(
    "capacity_documents",
    metadata,
    Column("name", String(32), primary_key=True),
    # Rises with each change of the content.
    Column("version", BigInteger, nullable=False),
    # When the cloud was looked at last and this was found: microseconds since 1970, by the clock of who looked.
    Column("seen_at", BigInteger, nullable=False),
    # JSON. MariaDB's TEXT ends at 64 KiB.
    Column("content", Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb"), nullable=False),
    **TABLE_OPTIONS,
)

"""The table of servers.

What is searched, sorted or counted by has a column; the server as a whole is a document beside them, written in the
same statement.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, DateTime, Index, String, Table, Text
from sqlalchemy.dialects.mysql import MEDIUMTEXT

from moorage.db.schema import TABLE_OPTIONS, Identifier, metadata, timestamps

__all__ = ["metadata", "servers"]

servers = Table(
    "servers",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("project_id", String(255), nullable=False),
    Column("user_id", String(255), nullable=False),
    Column("name", String(255), nullable=False),
    # DELETED ones stay for a while: a claim that comes too late is then known for what it is.
    Column("status", String(16), nullable=False),
    # Empty for none, as are the other texts here that may be missing: so that they can be sorted by on every database.
    Column("task_state", String(32), nullable=False),
    Column("host", String(255), nullable=False),
    Column("availability_zone", String(255), nullable=False),
    Column("flavor_id", String(255), nullable=False),
    Column("image_uuid", String(36), nullable=False),
    Column("group_uuid", String(36), nullable=False, index=True),
    # What it counts towards: "instances", or the quota of a flavor that has its own; and how much.
    Column("quota_name", String(300), nullable=False),
    Column("vcpus", BigInteger, nullable=False),
    Column("ram_mb", BigInteger, nullable=False),
    # JSON of a `Server`. MariaDB's TEXT ends at 64 KiB.
    Column("document", Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb"), nullable=False),
    *timestamps(),
    Column("launched_at", DateTime),
    # All that quotas are counted by, so that the rows need not be read.
    Index("ix_servers_usage", "project_id", "status", "quota_name", "vcpus", "ram_mb"),
    Index(None, "host", "status"),
    Index(None, "status", "updated_at"),
    Index(None, "created_at", "id"),
    **TABLE_OPTIONS,
)

"""The tables of the ledger."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, Text
from sqlalchemy.dialects.mysql import MEDIUMTEXT

# The feed is wiped and created together with the ledger, so whoever asks for the tables gets it, too.
from moorage.db.changes import changes
from moorage.db.schema import TABLE_OPTIONS, Identifier, metadata, timestamps

__all__ = [
    "agents",
    "allocations",
    "changes",
    "consumers",
    "inventories",
    "metadata",
    "provider_aggregates",
    "provider_origins",
    "provider_traits",
    "resource_classes",
    "resource_providers",
    "traits",
]

resource_providers = Table(
    "resource_providers",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("name", String(200), nullable=False, unique=True),
    # What clients send back to show that nobody changed the provider in between. It follows the API's rules and
    # does not move on every change.
    Column("generation", BigInteger, nullable=False, default=0),
    # Moves on every change; what copies of the ledger in memory are compared by.
    Column("revision", BigInteger, nullable=False, default=0),
    # Null only between the two statements that create a root, which is its own root.
    Column("root_provider_id", Identifier, ForeignKey("resource_providers.id"), index=True),
    Column("parent_provider_id", Identifier, ForeignKey("resource_providers.id"), index=True),
    *timestamps(),
    **TABLE_OPTIONS,
)

resource_classes = Table(
    "resource_classes",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("name", String(255), nullable=False, unique=True),
    *timestamps(),
    **TABLE_OPTIONS,
)

inventories = Table(
    "inventories",
    metadata,
    Column("resource_provider_id", Identifier, ForeignKey("resource_providers.id"), primary_key=True),
    Column("resource_class_id", Identifier, ForeignKey("resource_classes.id"), primary_key=True, index=True),
    Column("total", Integer, nullable=False),
    Column("reserved", Integer, nullable=False),
    Column("min_unit", Integer, nullable=False),
    Column("max_unit", Integer, nullable=False),
    Column("step_size", Integer, nullable=False),
    Column("allocation_ratio", Float(53), nullable=False),
    # (total - reserved) x ratio, rounded down: computed once, in Python, so that all databases compare the same number.
    Column("capacity", BigInteger, nullable=False),
    # The sum of the allocations, kept with them in the same transaction.
    Column("used", BigInteger, nullable=False, default=0),
    *timestamps(),
    **TABLE_OPTIONS,
)

traits = Table(
    "traits",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("name", String(255), nullable=False, unique=True),
    *timestamps(),
    **TABLE_OPTIONS,
)

provider_traits = Table(
    "provider_traits",
    metadata,
    Column("resource_provider_id", Identifier, ForeignKey("resource_providers.id"), primary_key=True),
    Column("trait_id", Identifier, ForeignKey("traits.id"), primary_key=True, index=True),
    **TABLE_OPTIONS,
)

# An aggregate is nothing but its UUID and its members: it has no row of its own.
provider_aggregates = Table(
    "provider_aggregates",
    metadata,
    Column("resource_provider_id", Identifier, ForeignKey("resource_providers.id"), primary_key=True),
    Column("aggregate_uuid", String(36), primary_key=True, index=True),
    **TABLE_OPTIONS,
)

# What agents of hosts note down about providers. It goes with the provider by itself, so that a worker of the release
# before, which does not know the table, can still delete providers while the cloud is being upgraded.
provider_origins = Table(
    "provider_origins",
    metadata,
    Column(
        "resource_provider_id",
        Identifier,
        ForeignKey("resource_providers.id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("host", String(255), nullable=False, index=True),
    Column("made", Boolean, nullable=False),
    # JSON: sources by resource class, trait and aggregate. MariaDB's TEXT ends at 64 KiB.
    Column("document", Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb"), nullable=False),
    *timestamps(),
    **TABLE_OPTIONS,
)

# Signs of life of the agents themselves. They are written all the time and stand in no feed, and no column but the name
# has an index, so that PostgreSQL writes a row anew in its place.
agents = Table(
    "agents",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("version", String(64), nullable=False),
    Column("interval_seconds", Float(53)),
    Column("outcome", String(16), nullable=False),
    Column("reason", String(500)),
    Column("providers", Integer),
    # Seconds since the epoch. From `late_at` on the agent is missed; null if nobody waits for it.
    Column("seen_at", BigInteger, nullable=False),
    Column("late_at", BigInteger),
    **TABLE_OPTIONS,
)

# Projects, users and consumer types are known by name only, too, and live as columns of the consumer.
consumers = Table(
    "consumers",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("generation", BigInteger, nullable=False, default=0),
    Column("project_id", String(255), nullable=False),
    Column("user_id", String(255), nullable=False),
    Column("consumer_type", String(255)),
    *timestamps(),
    Index(None, "project_id", "user_id"),
    **TABLE_OPTIONS,
)

allocations = Table(
    "allocations",
    metadata,
    Column("consumer_id", Identifier, ForeignKey("consumers.id"), primary_key=True),
    Column("resource_provider_id", Identifier, ForeignKey("resource_providers.id"), primary_key=True),
    Column("resource_class_id", Identifier, ForeignKey("resource_classes.id"), primary_key=True),
    Column("used", Integer, nullable=False),
    *timestamps(),
    Index(None, "resource_provider_id", "resource_class_id"),
    Index(None, "resource_class_id"),
    **TABLE_OPTIONS,
)

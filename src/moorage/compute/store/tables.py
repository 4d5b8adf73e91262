"""The tables of flavors, images, host aggregates, server groups and quotas."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Float, ForeignKey, Index, Integer, String, Table, Text

from moorage.db.schema import TABLE_OPTIONS, Identifier, metadata, timestamps

flavors = Table(
    "flavors",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    # What clients call the id: any text, often a UUID.
    Column("flavor_id", String(255), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("ram_mb", Integer, nullable=False),
    Column("vcpus", Integer, nullable=False),
    Column("disk_gb", Integer, nullable=False),
    Column("ephemeral_gb", Integer, nullable=False),
    Column("swap_mb", Integer, nullable=False),
    Column("rxtx_factor", Float(53), nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("disabled", Boolean, nullable=False),
    Column("description", Text),
    *timestamps(),
    **TABLE_OPTIONS,
)

flavor_extra_specs = Table(
    "flavor_extra_specs",
    metadata,
    Column("flavor_id", Identifier, ForeignKey("flavors.id"), primary_key=True, autoincrement=False),
    Column("name", String(255), primary_key=True),
    Column("value", String(255), nullable=False),
    **TABLE_OPTIONS,
)

flavor_projects = Table(
    "flavor_projects",
    metadata,
    Column("flavor_id", Identifier, ForeignKey("flavors.id"), primary_key=True, autoincrement=False),
    Column("project_id", String(255), primary_key=True),
    **TABLE_OPTIONS,
)

images = Table(
    "images",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("name", String(255), index=True),
    Column("owner", String(255), nullable=False, index=True),
    Column("visibility", String(16), nullable=False, index=True),
    Column("status", String(16), nullable=False),
    Column("min_disk_gb", Integer, nullable=False),
    Column("min_ram_mb", Integer, nullable=False),
    Column("disk_format", String(32)),
    Column("container_format", String(32)),
    Column("size", BigInteger),
    Column("protected", Boolean, nullable=False),
    Column("hidden", Boolean, nullable=False),
    *timestamps(),
    Index(None, "created_at", "id"),
    **TABLE_OPTIONS,
)

image_properties = Table(
    "image_properties",
    metadata,
    Column("image_id", Identifier, ForeignKey("images.id"), primary_key=True, autoincrement=False),
    Column("name", String(255), primary_key=True),
    Column("value", Text, nullable=False),
    **TABLE_OPTIONS,
)

image_tags = Table(
    "image_tags",
    metadata,
    Column("image_id", Identifier, ForeignKey("images.id"), primary_key=True, autoincrement=False),
    Column("tag", String(255), primary_key=True),
    **TABLE_OPTIONS,
)

image_members = Table(
    "image_members",
    metadata,
    Column("image_id", Identifier, ForeignKey("images.id"), primary_key=True, autoincrement=False),
    Column("project_id", String(255), primary_key=True, index=True),
    # What the project thinks of it: pending, accepted or rejected.
    Column("status", String(16), nullable=False),
    *timestamps(),
    **TABLE_OPTIONS,
)

host_aggregates = Table(
    "host_aggregates",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False, unique=True),
    Column("created_at", DateTime, nullable=False),
    Column("updated_at", DateTime),
    sqlite_autoincrement=True,  # clients keep the numbers: none is used twice
    **TABLE_OPTIONS,
)

host_aggregate_metadata = Table(
    "host_aggregate_metadata",
    metadata,
    Column("aggregate_id", Identifier, ForeignKey("host_aggregates.id"), primary_key=True, autoincrement=False),
    Column("name", String(255), primary_key=True),
    Column("value", String(255), nullable=False),
    **TABLE_OPTIONS,
)

host_aggregate_hosts = Table(
    "host_aggregate_hosts",
    metadata,
    Column("aggregate_id", Identifier, ForeignKey("host_aggregates.id"), primary_key=True, autoincrement=False),
    Column("host", String(255), primary_key=True, index=True),
    **TABLE_OPTIONS,
)

server_groups = Table(
    "server_groups",
    metadata,
    Column("id", Identifier, primary_key=True, autoincrement=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("name", String(255), nullable=False),
    Column("project_id", String(255), nullable=False, index=True),
    Column("user_id", String(255), nullable=False),
    Column("policy", String(32), nullable=False),
    Column("max_server_per_host", Integer),
    *timestamps(),
    **TABLE_OPTIONS,
)

server_group_members = Table(
    "server_group_members",
    metadata,
    Column("server_uuid", String(36), primary_key=True),
    Column("group_id", Identifier, ForeignKey("server_groups.id"), nullable=False, index=True),
    **TABLE_OPTIONS,
)

# Only what differs from the defaults has a row.
quotas = Table(
    "quotas",
    metadata,
    Column("project_id", String(255), primary_key=True),
    Column("resource", String(255), primary_key=True),
    Column("hard_limit", Integer, nullable=False),
    **TABLE_OPTIONS,
)

# One row for each project that has anything with a quota: what makes those who count at the same time queue.
quota_turns = Table(
    "quota_turns",
    metadata,
    Column("project_id", String(255), primary_key=True),
    Column("turns", BigInteger, nullable=False),
    **TABLE_OPTIONS,
)

# One row, whose number grows with every change of a flavor or an aggregate: whoever has a copy knows if it is true.
catalogue_versions = Table(
    "catalogue_versions",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", BigInteger, nullable=False),
    **TABLE_OPTIONS,
)

"""Flavors, images, host aggregates, server groups and quotas.

New tables only: workers of the release before go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Identifier = sa.BigInteger().with_variant(sa.Integer, "sqlite")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "flavors",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("flavor_id", sa.String(255), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("ram_mb", sa.Integer, nullable=False),
        sa.Column("vcpus", sa.Integer, nullable=False),
        sa.Column("disk_gb", sa.Integer, nullable=False),
        sa.Column("ephemeral_gb", sa.Integer, nullable=False),
        sa.Column("swap_mb", sa.Integer, nullable=False),
        sa.Column("rxtx_factor", sa.Float(53), nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("description", sa.Text),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_flavors"),
        sa.UniqueConstraint("flavor_id", name="uq_flavors_flavor_id"),
        sa.UniqueConstraint("name", name="uq_flavors_name"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "flavor_extra_specs",
        sa.Column("flavor_id", Identifier, autoincrement=False),
        sa.Column("name", sa.String(255)),
        sa.Column("value", sa.String(255), nullable=False),
        sa.PrimaryKeyConstraint("flavor_id", "name", name="pk_flavor_extra_specs"),
        sa.ForeignKeyConstraint(["flavor_id"], ["flavors.id"], name="fk_flavor_extra_specs_flavor_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "flavor_projects",
        sa.Column("flavor_id", Identifier, autoincrement=False),
        sa.Column("project_id", sa.String(255)),
        sa.PrimaryKeyConstraint("flavor_id", "project_id", name="pk_flavor_projects"),
        sa.ForeignKeyConstraint(["flavor_id"], ["flavors.id"], name="fk_flavor_projects_flavor_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "images",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(255)),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("visibility", sa.String(16), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("min_disk_gb", sa.Integer, nullable=False),
        sa.Column("min_ram_mb", sa.Integer, nullable=False),
        sa.Column("disk_format", sa.String(32)),
        sa.Column("container_format", sa.String(32)),
        sa.Column("size", sa.BigInteger),
        sa.Column("protected", sa.Boolean, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_images"),
        sa.UniqueConstraint("uuid", name="uq_images_uuid"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_images_owner", "images", ["owner"], if_not_exists=True)
    op.create_table(
        "image_properties",
        sa.Column("image_id", Identifier, autoincrement=False),
        sa.Column("name", sa.String(255)),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("image_id", "name", name="pk_image_properties"),
        sa.ForeignKeyConstraint(["image_id"], ["images.id"], name="fk_image_properties_image_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "image_tags",
        sa.Column("image_id", Identifier, autoincrement=False),
        sa.Column("tag", sa.String(255)),
        sa.PrimaryKeyConstraint("image_id", "tag", name="pk_image_tags"),
        sa.ForeignKeyConstraint(["image_id"], ["images.id"], name="fk_image_tags_image_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "image_members",
        sa.Column("image_id", Identifier, autoincrement=False),
        sa.Column("project_id", sa.String(255)),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("image_id", "project_id", name="pk_image_members"),
        sa.ForeignKeyConstraint(["image_id"], ["images.id"], name="fk_image_members_image_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "host_aggregates",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_host_aggregates"),
        sa.UniqueConstraint("name", name="uq_host_aggregates_name"),
        sa.UniqueConstraint("uuid", name="uq_host_aggregates_uuid"),
        sqlite_autoincrement=True,
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "host_aggregate_metadata",
        sa.Column("aggregate_id", Identifier, autoincrement=False),
        sa.Column("name", sa.String(255)),
        sa.Column("value", sa.String(255), nullable=False),
        sa.PrimaryKeyConstraint("aggregate_id", "name", name="pk_host_aggregate_metadata"),
        sa.ForeignKeyConstraint(
            ["aggregate_id"], ["host_aggregates.id"], name="fk_host_aggregate_metadata_aggregate_id"
        ),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "host_aggregate_hosts",
        sa.Column("aggregate_id", Identifier, autoincrement=False),
        sa.Column("host", sa.String(255)),
        sa.PrimaryKeyConstraint("aggregate_id", "host", name="pk_host_aggregate_hosts"),
        sa.ForeignKeyConstraint(["aggregate_id"], ["host_aggregates.id"], name="fk_host_aggregate_hosts_aggregate_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_host_aggregate_hosts_host", "host_aggregate_hosts", ["host"], if_not_exists=True)
    op.create_table(
        "server_groups",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("project_id", sa.String(255), nullable=False),
        sa.Column("user_id", sa.String(255), nullable=False),
        sa.Column("policy", sa.String(32), nullable=False),
        sa.Column("max_server_per_host", sa.Integer),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_server_groups"),
        sa.UniqueConstraint("uuid", name="uq_server_groups_uuid"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_server_groups_project_id", "server_groups", ["project_id"], if_not_exists=True)
    op.create_table(
        "server_group_members",
        sa.Column("server_uuid", sa.String(36)),
        sa.Column("group_id", Identifier, nullable=False),
        sa.PrimaryKeyConstraint("server_uuid", name="pk_server_group_members"),
        sa.ForeignKeyConstraint(["group_id"], ["server_groups.id"], name="fk_server_group_members_group_id"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_server_group_members_group_id", "server_group_members", ["group_id"], if_not_exists=True)
    op.create_table(
        "quotas",
        sa.Column("project_id", sa.String(255)),
        sa.Column("resource", sa.String(255)),
        sa.Column("hard_limit", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "resource", name="pk_quotas"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_table(
        "quota_turns",
        sa.Column("project_id", sa.String(255)),
        sa.Column("turns", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("project_id", name="pk_quota_turns"),
        if_not_exists=True,
        **MARIADB,
    )

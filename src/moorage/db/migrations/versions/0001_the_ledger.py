"""The ledger: providers, inventories, traits, aggregates, consumers, allocations and the change feed.

The tables are spelled out here and not taken from the code, which moves on while a migration stays what it was.
MariaDB commits each statement by itself, so what an interrupted run has made already is left alone by the next.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Identifier = sa.BigInteger().with_variant(sa.Integer, "sqlite")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create all tables of the first release."""
    op.create_table(
        "changes",
        sa.Column("seq", Identifier, autoincrement=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("key", sa.BigInteger, nullable=False),
        sa.Column("marker", sa.String(32), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_changes"),
        sqlite_autoincrement=True,
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_changes_created_at", "changes", ["created_at"], if_not_exists=True)
    op.create_table(
        "resource_providers",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("generation", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("root_provider_id", Identifier),
        sa.Column("parent_provider_id", Identifier),
        *_timestamps(),
        sa.PrimaryKeyConstraint("id", name="pk_resource_providers"),
        sa.UniqueConstraint("uuid", name="uq_resource_providers_uuid"),
        sa.UniqueConstraint("name", name="uq_resource_providers_name"),
        _reference("resource_providers", "root_provider_id", "resource_providers"),
        _reference("resource_providers", "parent_provider_id", "resource_providers"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index(
        "ix_resource_providers_root_provider_id", "resource_providers", ["root_provider_id"], if_not_exists=True
    )
    op.create_index(
        "ix_resource_providers_parent_provider_id", "resource_providers", ["parent_provider_id"], if_not_exists=True
    )
    for table in ("resource_classes", "traits"):
        op.create_table(
            table,
            sa.Column("id", Identifier, autoincrement=True),
            sa.Column("name", sa.String(255), nullable=False),
            *_timestamps(),
            sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
            sa.UniqueConstraint("name", name=f"uq_{table}_name"),
            if_not_exists=True,
            **MARIADB,
        )
    op.create_table(
        "inventories",
        sa.Column("resource_provider_id", Identifier, autoincrement=False),
        sa.Column("resource_class_id", Identifier, autoincrement=False),
        *(
            sa.Column(name, sa.Integer, nullable=False)
            for name in ("total", "reserved", "min_unit", "max_unit", "step_size")
        ),
        sa.Column("allocation_ratio", sa.Float(53), nullable=False),
        sa.Column("capacity", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        *_timestamps(),
        sa.PrimaryKeyConstraint("resource_provider_id", "resource_class_id", name="pk_inventories"),
        _reference("inventories", "resource_provider_id", "resource_providers"),
        _reference("inventories", "resource_class_id", "resource_classes"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_inventories_resource_class_id", "inventories", ["resource_class_id"], if_not_exists=True)
    op.create_table(
        "provider_traits",
        sa.Column("resource_provider_id", Identifier, autoincrement=False),
        sa.Column("trait_id", Identifier, autoincrement=False),
        sa.PrimaryKeyConstraint("resource_provider_id", "trait_id", name="pk_provider_traits"),
        _reference("provider_traits", "resource_provider_id", "resource_providers"),
        _reference("provider_traits", "trait_id", "traits"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_provider_traits_trait_id", "provider_traits", ["trait_id"], if_not_exists=True)
    op.create_table(
        "provider_aggregates",
        sa.Column("resource_provider_id", Identifier, autoincrement=False),
        sa.Column("aggregate_uuid", sa.String(36), nullable=False),
        sa.PrimaryKeyConstraint("resource_provider_id", "aggregate_uuid", name="pk_provider_aggregates"),
        _reference("provider_aggregates", "resource_provider_id", "resource_providers"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index(
        "ix_provider_aggregates_aggregate_uuid", "provider_aggregates", ["aggregate_uuid"], if_not_exists=True
    )
    op.create_table(
        "consumers",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("generation", sa.BigInteger, nullable=False),
        sa.Column("project_id", sa.String(255), nullable=False),
        sa.Column("user_id", sa.String(255), nullable=False),
        sa.Column("consumer_type", sa.String(255)),
        *_timestamps(),
        sa.PrimaryKeyConstraint("id", name="pk_consumers"),
        sa.UniqueConstraint("uuid", name="uq_consumers_uuid"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_consumers_project_id_user_id", "consumers", ["project_id", "user_id"], if_not_exists=True)
    op.create_table(
        "allocations",
        sa.Column("consumer_id", Identifier, autoincrement=False),
        sa.Column("resource_provider_id", Identifier, autoincrement=False),
        sa.Column("resource_class_id", Identifier, autoincrement=False),
        sa.Column("used", sa.Integer, nullable=False),
        *_timestamps(),
        sa.PrimaryKeyConstraint("consumer_id", "resource_provider_id", "resource_class_id", name="pk_allocations"),
        _reference("allocations", "consumer_id", "consumers"),
        _reference("allocations", "resource_provider_id", "resource_providers"),
        _reference("allocations", "resource_class_id", "resource_classes"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index(
        "ix_allocations_resource_provider_id_resource_class_id",
        "allocations",
        ["resource_provider_id", "resource_class_id"],
        if_not_exists=True,
    )
    op.create_index("ix_allocations_resource_class_id", "allocations", ["resource_class_id"], if_not_exists=True)


def _timestamps() -> tuple[sa.Column[object], sa.Column[object]]:
    return (
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
    )


def _reference(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=f"fk_{table}_{column}")

"""Servers: workloads with a place.

One new table; workers of the release before do not know it and go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

Identifier = sa.BigInteger().with_variant(sa.Integer, "sqlite")
LongText = sa.Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}
INDEXES = (
    ("group_uuid",),
    ("project_id", "status"),
    ("host", "status"),
    ("status", "updated_at"),
    ("created_at", "id"),
)


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "servers",
        sa.Column("id", Identifier, autoincrement=True),
        sa.Column("uuid", sa.String(36), nullable=False),
        sa.Column("project_id", sa.String(255), nullable=False),
        sa.Column("user_id", sa.String(255), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("task_state", sa.String(32), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("availability_zone", sa.String(255), nullable=False),
        sa.Column("flavor_id", sa.String(255), nullable=False),
        sa.Column("image_uuid", sa.String(36), nullable=False),
        sa.Column("group_uuid", sa.String(36), nullable=False),
        sa.Column("quota_name", sa.String(300), nullable=False),
        sa.Column("vcpus", sa.BigInteger, nullable=False),
        sa.Column("ram_mb", sa.BigInteger, nullable=False),
        sa.Column("document", LongText, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.Column("launched_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_servers"),
        sa.UniqueConstraint("uuid", name="uq_servers_uuid"),
        if_not_exists=True,
        **MARIADB,
    )
    for columns in INDEXES:
        op.create_index(f"ix_servers_{'_'.join(columns)}", "servers", list(columns), if_not_exists=True)

"""Which version of flavors and host aggregates there is, and an index that quotas are counted from alone.

One new table, and one index in place of a shorter one. Workers of the release before do not say when they change a
flavor or an aggregate: stop them before such changes are made.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create the table and the index."""
    op.create_table(
        "catalogue_versions",
        sa.Column("id", sa.BigInteger, autoincrement=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_catalogue_versions"),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index(
        "ix_servers_usage",
        "servers",
        ["project_id", "status", "quota_name", "vcpus", "ram_mb"],
        if_not_exists=True,
    )
    op.drop_index("ix_servers_project_id_status", "servers", if_exists=True)

"""Origins: what agents of hosts have added to providers.

One new table, so workers of the release before go on meanwhile. They do not know it, and may delete a provider whose
origin a newer worker wrote: the row goes with the provider.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Identifier = sa.BigInteger().with_variant(sa.Integer, "sqlite")
LongText = sa.Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "provider_origins",
        sa.Column("resource_provider_id", Identifier, autoincrement=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("made", sa.Boolean, nullable=False),
        sa.Column("document", LongText, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("resource_provider_id", name="pk_provider_origins"),
        sa.ForeignKeyConstraint(
            ["resource_provider_id"],
            ["resource_providers.id"],
            name="fk_provider_origins_resource_provider_id",
            ondelete="CASCADE",
        ),
        if_not_exists=True,
        **MARIADB,
    )
    op.create_index("ix_provider_origins_host", "provider_origins", ["host"], if_not_exists=True)

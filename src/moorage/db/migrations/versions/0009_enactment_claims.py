"""Who is at work on which lease or host.

A new table only: workers of the release before go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

Identifier = sa.BigInteger().with_variant(sa.Integer, "sqlite")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "enactment_claims",
        sa.Column("kind", sa.String(32)),
        sa.Column("number", Identifier, autoincrement=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("owned_until", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("kind", "number", name="pk_enactment_claims"),
        if_not_exists=True,
        **MARIADB,
    )

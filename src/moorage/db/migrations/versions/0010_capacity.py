"""What the workers of the capacity service agree on.

One new table; workers of the release before do not know it and go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.mysql import MEDIUMTEXT

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

LongText = sa.Text().with_variant(MEDIUMTEXT(), "mysql", "mariadb")
MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "capacity_documents",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("content", LongText, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_capacity_documents"),
        if_not_exists=True,
        **MARIADB,
    )

"""Signs of life of the agents of hosts.

One new table; workers of the release before do not know it and go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "agents",
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("interval_seconds", sa.Float(53)),
        sa.Column("outcome", sa.String(16), nullable=False),
        sa.Column("reason", sa.String(500)),
        sa.Column("providers", sa.Integer),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("late_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("name", name="pk_agents"),
        if_not_exists=True,
        **MARIADB,
    )

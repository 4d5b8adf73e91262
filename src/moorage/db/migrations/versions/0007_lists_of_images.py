"""Indexes by which a project's list of images is found.

Workers of the release before go on meanwhile: nothing changes but how fast they find.
"""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

INDEXES = (
    ("images", ("name",)),
    ("images", ("visibility",)),
    ("images", ("created_at", "id")),
    ("image_members", ("project_id",)),
)


def upgrade() -> None:
    """Make the indexes."""
    for table, columns in INDEXES:
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))

"""Identity: projects, users, roles, what is granted to whom, application credentials and tokens.

New tables only, so workers of the release before go on meanwhile.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MARIADB: dict[str, Any] = {
    f"{dialect}_{option}": value
    for dialect in ("mysql", "mariadb")
    for option, value in (("engine", "InnoDB"), ("charset", "utf8mb4"), ("collate", "utf8mb4_nopad_bin"))
}


def upgrade() -> None:
    """Create the tables."""
    create_named_things("projects", sa.Column("enabled", sa.Boolean, nullable=False))
    create_named_things(
        "users",
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("default_project_id", sa.String(64)),
        sa.Column("password", sa.String(255)),
    )
    create_named_things("roles")
    create_grants()
    create_application_credentials()
    create_tokens()


def create_named_things(name: str, *columns: sa.Column[Any]) -> None:
    """A table of things with an id and a name."""
    create_table(
        name,
        sa.Column("id", sa.String(64)),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        *columns,
        sa.Column("extra", sa.Text, nullable=False),
        *timestamps(),
        sa.PrimaryKeyConstraint("id", name=f"pk_identity_{name}"),
        sa.UniqueConstraint("name", name=f"uq_identity_{name}_name"),
    )


def create_grants() -> None:
    """Who has which role in a project, or in the whole system."""
    create_table(
        "project_grants",
        sa.Column("user_id", sa.String(64)),
        sa.Column("project_id", sa.String(64)),
        sa.Column("role_id", sa.String(64)),
        sa.PrimaryKeyConstraint("user_id", "project_id", "role_id", name="pk_identity_project_grants"),
        belongs_to("project_grants", "user_id", "users"),
        belongs_to("project_grants", "project_id", "projects"),
        belongs_to("project_grants", "role_id", "roles"),
    )
    create_index("project_grants", "project_id")
    create_index("project_grants", "role_id")
    create_table(
        "system_grants",
        sa.Column("user_id", sa.String(64)),
        sa.Column("role_id", sa.String(64)),
        sa.PrimaryKeyConstraint("user_id", "role_id", name="pk_identity_system_grants"),
        belongs_to("system_grants", "user_id", "users"),
        belongs_to("system_grants", "role_id", "roles"),
    )
    create_index("system_grants", "role_id")


def create_application_credentials() -> None:
    """Application credentials, and the roles that they pass on."""
    create_table(
        "application_credentials",
        sa.Column("id", sa.String(64)),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("project_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("secret", sa.String(255), nullable=False),
        sa.Column("unrestricted", sa.Boolean, nullable=False),
        sa.Column("expires_at", sa.DateTime),
        *timestamps(),
        sa.PrimaryKeyConstraint("id", name="pk_identity_application_credentials"),
        sa.UniqueConstraint("user_id", "name", name="uq_identity_application_credentials_user_id_name"),
        belongs_to("application_credentials", "user_id", "users"),
        belongs_to("application_credentials", "project_id", "projects"),
    )
    create_index("application_credentials", "project_id")
    create_table(
        "application_credential_roles",
        sa.Column("credential_id", sa.String(64)),
        sa.Column("role_id", sa.String(64)),
        sa.PrimaryKeyConstraint("credential_id", "role_id", name="pk_identity_application_credential_roles"),
        belongs_to("application_credential_roles", "credential_id", "application_credentials"),
        belongs_to("application_credential_roles", "role_id", "roles"),
    )
    create_index("application_credential_roles", "role_id")


def create_tokens() -> None:
    """The tokens that are out."""
    create_table(
        "tokens",
        sa.Column("digest", sa.String(64)),
        sa.Column("user_id", sa.String(64), nullable=False),
        sa.Column("project_id", sa.String(64)),
        sa.Column("is_system", sa.Boolean, nullable=False),
        sa.Column("credential_id", sa.String(64)),
        sa.Column("methods", sa.String(255), nullable=False),
        sa.Column("audit_ids", sa.String(64), nullable=False),
        sa.Column("issued_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_identity_tokens"),
        belongs_to("tokens", "user_id", "users"),
        belongs_to("tokens", "project_id", "projects"),
        belongs_to("tokens", "credential_id", "application_credentials"),
    )
    for column in ("user_id", "project_id", "credential_id", "expires_at"):
        create_index("tokens", column)


def create_table(name: str, *parts: Any) -> None:
    """A table of this room, unless an attempt that was cut short has made it."""
    op.create_table(f"identity_{name}", *parts, if_not_exists=True, **MARIADB)


def create_index(table: str, column: str) -> None:
    """The same for an index."""
    op.create_index(f"ix_identity_{table}_{column}", f"identity_{table}", [column], if_not_exists=True)


def belongs_to(table: str, column: str, owners: str) -> sa.ForeignKeyConstraint:
    """A reference to a row that takes this one with it when it goes."""
    return sa.ForeignKeyConstraint(
        [column], [f"identity_{owners}.id"], name=f"fk_identity_{table}_{column}", ondelete="CASCADE"
    )


def timestamps() -> tuple[sa.Column[Any], sa.Column[Any]]:
    """When a row was made and last changed."""
    return (
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
    )

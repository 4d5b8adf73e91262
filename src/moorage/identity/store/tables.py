"""The tables of the room: who there is, what they may do where, and the tokens that are out.

There is one domain, which has no row. What belongs to a user, a project or a role goes with it by itself.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Index, String, Table, Text, UniqueConstraint

from moorage.db.schema import TABLE_OPTIONS, metadata, timestamps

__all__ = [
    "application_credential_roles",
    "application_credentials",
    "metadata",
    "project_grants",
    "projects",
    "roles",
    "system_grants",
    "tokens",
    "users",
]

_ID = String(64)


def _belongs_to(table: str) -> ForeignKey:
    return ForeignKey(f"{table}.id", ondelete="CASCADE")


def _named_things(name: str, *columns: Column[Any]) -> Table:
    """A table of things with an id, a name of their own and whatever else clients say about them."""
    return Table(
        name,
        metadata,
        Column("id", _ID, primary_key=True),
        Column("name", String(255), nullable=False, unique=True),
        Column("description", Text, nullable=False),
        *columns,
        # JSON: attributes that mean nothing to this service, and are kept for those who sent them.
        Column("extra", Text, nullable=False),
        *timestamps(),
        **TABLE_OPTIONS,
    )


projects = _named_things("identity_projects", Column("enabled", Boolean, nullable=False))
users = _named_things(
    "identity_users",
    Column("enabled", Boolean, nullable=False),
    # No reference: a project may go, and the user keeps pointing at nothing, as in Keystone.
    Column("default_project_id", _ID),
    # The text that `passwords.py` makes; null for a user who cannot log in by password.
    Column("password", String(255)),
)
roles = _named_things("identity_roles")

project_grants = Table(
    "identity_project_grants",
    metadata,
    Column("user_id", _ID, _belongs_to("identity_users"), primary_key=True),
    Column("project_id", _ID, _belongs_to("identity_projects"), primary_key=True, index=True),
    Column("role_id", _ID, _belongs_to("identity_roles"), primary_key=True, index=True),
    **TABLE_OPTIONS,
)

system_grants = Table(
    "identity_system_grants",
    metadata,
    Column("user_id", _ID, _belongs_to("identity_users"), primary_key=True),
    Column("role_id", _ID, _belongs_to("identity_roles"), primary_key=True, index=True),
    **TABLE_OPTIONS,
)

application_credentials = Table(
    "identity_application_credentials",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("user_id", _ID, _belongs_to("identity_users"), nullable=False),
    Column("project_id", _ID, _belongs_to("identity_projects"), nullable=False, index=True),
    Column("name", String(255), nullable=False),
    Column("description", Text, nullable=False),
    Column("secret", String(255), nullable=False),
    Column("unrestricted", Boolean, nullable=False),
    Column("expires_at", DateTime),
    *timestamps(),
    UniqueConstraint("user_id", "name"),
    **TABLE_OPTIONS,
)

application_credential_roles = Table(
    "identity_application_credential_roles",
    metadata,
    Column("credential_id", _ID, _belongs_to("identity_application_credentials"), primary_key=True),
    Column("role_id", _ID, _belongs_to("identity_roles"), primary_key=True, index=True),
    **TABLE_OPTIONS,
)

tokens = Table(
    "identity_tokens",
    metadata,
    # SHA-256 in hexadecimal. The token itself is nowhere.
    Column("digest", String(64), primary_key=True),
    Column("user_id", _ID, _belongs_to("identity_users"), nullable=False, index=True),
    # Null, and not for the system either: a token that only says who somebody is.
    Column("project_id", _ID, _belongs_to("identity_projects"), index=True),
    Column("is_system", Boolean, nullable=False),
    Column("credential_id", _ID, _belongs_to("identity_application_credentials"), index=True),
    # Separated by commas; the same for the audit ids: its own, and that of the first token of its chain.
    Column("methods", String(255), nullable=False),
    Column("audit_ids", String(64), nullable=False),
    Column("issued_at", DateTime, nullable=False),
    Column("expires_at", DateTime, nullable=False),
    Index(None, "expires_at"),
    **TABLE_OPTIONS,
)

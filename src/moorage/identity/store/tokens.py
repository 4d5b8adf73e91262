"""The tokens that are out, by their digests.

They come and go without a mark in the change feed: logging in is frequent, and nobody follows it. Each statement may
be carried out twice without harm, as it is when the connection breaks during COMMIT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, delete, select

from moorage.db.database import Database
from moorage.db.statements import insert_ignoring_duplicates
from moorage.identity.errors import NotAuthenticated
from moorage.identity.model import Role, Scope, Token, with_implied
from moorage.identity.store import application_credentials, grants, projects, roles, tables, users
from moorage.identity.store.tables import tokens


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a login was based on, and what must still be so at the moment when its token is written down."""

    user_id: str
    # The text that the password was compared with, for those who showed one.
    password: str | None = field(default=None, repr=False)
    # The digest of the token that was shown.
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class NewToken:
    """What is written down when a token is given out."""

    digest: str
    grounds: Grounds
    scope: Scope
    credential_id: str | None
    methods: tuple[str, ...]
    audit_ids: tuple[str, ...]
    issued_at: datetime
    expires_at: datetime


def add(database: Database, token: NewToken) -> None:
    """Write down one that is being given out, unless what it is based on has changed since it was looked at.

    Who changes a password, or disables somebody, ends the tokens that are there in the same transaction. So either
    that one sees this token, or this one sees the change: the rows are locked until the token is there.
    """
    statement = insert_ignoring_duplicates(database.dialect, tokens).values(
        digest=token.digest,
        user_id=token.grounds.user_id,
        project_id=token.scope.project_id,
        is_system=token.scope.is_system,
        credential_id=token.credential_id,
        methods=",".join(token.methods),
        audit_ids=",".join(token.audit_ids),
        issued_at=token.issued_at,
        expires_at=token.expires_at,
    )

    def work(connection: Connection) -> None:
        _require_grounds(connection, token)
        connection.execute(statement)

    database.tidy(work)


def require(connection: Connection, digest: str) -> None:
    """Refuse if a token has been taken back; until the transaction ends it is not."""
    _held(connection, tokens, tokens.c.digest == digest)


def _require_grounds(connection: Connection, token: NewToken) -> None:
    grounds, project_id = token.grounds, token.scope.project_id
    user = _held(connection, tables.users, tables.users.c.id == grounds.user_id)
    if not user["enabled"] or (grounds.password is not None and user["password"] != grounds.password):
        raise NotAuthenticated
    if project_id is not None and not _held(connection, tables.projects, tables.projects.c.id == project_id)["enabled"]:
        raise NotAuthenticated
    if token.credential_id is not None:
        credentials = tables.application_credentials
        _held(connection, credentials, credentials.c.id == token.credential_id)
    if grounds.parent is not None:
        require(connection, grounds.parent)


def _held(connection: Connection, table: Table, which: Any) -> RowMapping:
    """A row that nobody changes until the transaction ends."""
    row = connection.execute(select(table).where(which).with_for_update(read=True)).mappings().first()
    if row is None:
        raise NotAuthenticated
    return row


def find(connection: Connection, digest: str, now: datetime) -> Token | None:
    """A token with what it stands for now; None if it is not good, or no longer."""
    row = connection.execute(select(tokens).where(tokens.c.digest == digest)).mappings().first()
    if row is None or row["expires_at"] <= now:
        return None
    user = users.find(connection, row["user_id"])
    scope = Scope(row["project_id"], row["is_system"])
    project = projects.find(connection, scope.project_id) if scope.project_id is not None else None
    if user is None or not user.enabled or (project is not None and not project.enabled):
        return None
    credential = None
    if row["credential_id"] is not None:
        credential, _ = application_credentials.with_secret(connection, credential_id=row["credential_id"])
        if credential is None or credential.is_expired(now):
            return None
    held = effective_roles(connection, user.id, scope, credential.roles if credential else None)
    if not held and (scope.project_id is not None or scope.is_system):
        return None
    return Token(
        digest=digest,
        user=user,
        project=project,
        is_system=scope.is_system,
        roles=held,
        methods=tuple(row["methods"].split(",")),
        audit_ids=tuple(row["audit_ids"].split(",")),
        issued_at=row["issued_at"],
        expires_at=row["expires_at"],
        credential=credential,
    )


def effective_roles(
    connection: Connection, user_id: str, scope: Scope, passed_on: Sequence[Role] | None = None
) -> tuple[Role, ...]:
    """What somebody may do somewhere; through an application credential, only what that one passes on."""
    if scope.project_id is None and not scope.is_system:
        return ()
    known = roles.listed(connection)
    held = with_implied(grants.roles_of(connection, user_id, scope), known)
    if passed_on is None:
        return held
    passed = {role.id for role in with_implied(passed_on, known)}
    return tuple(role for role in held if role.id in passed)


def remove(database: Database, digest: str) -> None:
    """Take a token back."""
    statement = delete(tokens).where(tokens.c.digest == digest)
    database.tidy(lambda connection: connection.execute(statement))


def prune(database: Database, now: datetime, most: int) -> int:
    """Delete tokens whose time is over, a bounded number at a time; how many there were."""

    def work(connection: Connection) -> int:
        over = select(tokens.c.digest).where(tokens.c.expires_at <= now).order_by(tokens.c.expires_at).limit(most)
        digests = list(connection.execute(over).scalars())
        if digests:
            connection.execute(delete(tokens).where(tokens.c.digest.in_(digests)))
        return len(digests)

    return database.tidy(work)

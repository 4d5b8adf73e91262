"""The tokens that are out, by their digests.

They come and go without a mark in the change feed: logging in is frequent, and nobody follows it. Each statement may
be carried out twice without harm, as it is when the connection breaks during COMMIT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select
from sqlalchemy.exc import IntegrityError

from moorage.db.database import Database
from moorage.db.statements import insert_ignoring_duplicates
from moorage.identity.errors import NotAuthenticated
from moorage.identity.model import Role, Scope, Token, with_implied
from moorage.identity.store import application_credentials, grants, projects, roles, users
from moorage.identity.store.tables import tokens


@dataclass(frozen=True, slots=True)
class NewToken:
    """What is written down when a token is given out."""

    digest: str
    user_id: str
    scope: Scope
    credential_id: str | None
    methods: tuple[str, ...]
    audit_ids: tuple[str, ...]
    issued_at: datetime
    expires_at: datetime


def add(database: Database, token: NewToken) -> None:
    """Write down one that is being given out."""
    statement = insert_ignoring_duplicates(database.dialect, tokens).values(
        digest=token.digest,
        user_id=token.user_id,
        project_id=token.scope.project_id,
        is_system=token.scope.is_system,
        credential_id=token.credential_id,
        methods=",".join(token.methods),
        audit_ids=",".join(token.audit_ids),
        issued_at=token.issued_at,
        expires_at=token.expires_at,
    )
    try:
        database.tidy(lambda connection: connection.execute(statement))
    except IntegrityError as error:  # whom it is for has been removed meanwhile
        raise NotAuthenticated from error


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

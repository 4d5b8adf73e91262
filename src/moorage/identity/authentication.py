"""From what somebody shows (a password, a token, an application credential) to a new token for a scope.

Whatever is wrong, the answer is the same sentence. An unknown user costs as much work as a wrong password, so that
neither the answer nor the time it takes tells who exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from moorage.db.database import Database, utc_now
from moorage.identity.errors import NotAllowed, NotAuthenticated
from moorage.identity.model import SYSTEM, UNSCOPED, ApplicationCredential, Scope, Token, User
from moorage.identity.passwords import Hasher
from moorage.identity.store import application_credentials, projects, tokens, users
from moorage.identity.store.tokens import Grounds
from moorage.identity.tokens import Issued, TokenBook, digest_of, new_audit_id, new_text


@dataclass(frozen=True, slots=True)
class Who:
    """A user as a client names them: by id, or by name in the one domain. Neither is somebody of another domain."""

    user_id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Password:
    """A user, and the password that is to be theirs."""

    who: Who
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Credential:
    """An application credential by its id, or by its user and name, and its secret."""

    secret: str = field(repr=False)
    credential_id: str | None = None
    who: Who | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ProjectName:
    """A project as a client names it: by id, or by name in the one domain. Neither is one of another domain."""

    project_id: str | None = None
    name: str | None = None


# What is asked for: a project, the system, explicitly nothing, or (None) whatever is usual for the user.
Wanted = ProjectName | Scope | None
Proof = Password | Credential | str


@dataclass(frozen=True, slots=True)
class _Proven:
    """What came out of the proofs."""

    user: User
    # The text that the password was compared with.
    password: str | None = field(default=None, repr=False)
    credential: ApplicationCredential | None = None
    parent: Token | None = None


@dataclass(frozen=True, slots=True)
class Authentication:
    """Gives tokens to those who show that they are somebody."""

    database: Database
    book: TokenBook
    hasher: Hasher
    lifetime: timedelta
    now: Callable[[], datetime] = utc_now

    def log_in(self, proofs: dict[str, Proof], wanted: Wanted) -> Issued:
        """A token for whoever all proofs, by method, point at; the text of a proof is a token."""
        proven = [self._prove(proof) for proof in proofs.values()]
        first = proven[0]
        if any(other.user.id != first.user.id for other in proven):
            raise NotAuthenticated
        credential = next((one.credential for one in proven if one.credential), None)
        parent = next((one.parent for one in proven if one.parent), None)
        scope = self.database.read(lambda connection: self._scope(connection, first.user, credential, wanted))
        methods = {*proofs, *(parent.methods if parent else ())}
        password = next((one.password for one in proven if one.password), None)
        grounds = Grounds(first.user.id, password, parent.digest if parent else None)
        return self._issue(grounds, scope, credential, parent, tuple(sorted(methods)))

    def change_password(self, user_id: str, original: str, password: str) -> None:
        """Give somebody another password who knows the one they have."""
        known = self._prove_password(Password(Who(user_id=user_id), original)).password
        hashed = self.hasher.hashed(password)
        self.database.write(lambda tx: users.replace_password(tx, user_id, known, hashed))
        self.book.forget()

    def _prove(self, proof: Proof) -> _Proven:
        if isinstance(proof, Password):
            return self._prove_password(proof)
        if isinstance(proof, Credential):
            return self._prove_credential(proof)
        token = self.book.find(proof)
        if token is None:
            raise NotAuthenticated
        if token.credential is not None:
            raise NotAllowed("A token of an application credential may not be used to get another token.")
        return _Proven(token.user, parent=token)

    def _prove_password(self, proof: Password) -> _Proven:
        who = proof.who
        user, text = self.database.read(
            lambda connection: users.with_password(connection, who.user_id, who.name) if who != Who() else (None, None)
        )
        if not self.hasher.matches(proof.password, text) or user is None or not user.enabled:
            raise NotAuthenticated
        return _Proven(user, password=text)

    def _prove_credential(self, proof: Credential) -> _Proven:
        credential, text, user = self.database.read(lambda connection: _credential(connection, proof))
        matches = self.hasher.matches(proof.secret, text)
        if not matches or credential is None or user is None or not user.enabled or credential.is_expired(self.now()):
            raise NotAuthenticated
        return _Proven(user, credential=credential)

    def _scope(
        self, connection: Connection, user: User, credential: ApplicationCredential | None, wanted: Wanted
    ) -> Scope:
        if credential is not None:
            if wanted is not None:
                raise NotAuthenticated("Application credentials cannot request a scope.")
            return self._granted(connection, user, Scope(credential.project_id), credential)
        if isinstance(wanted, ProjectName):
            return self._granted(connection, user, Scope(_project_id(connection, wanted)))
        if wanted == SYSTEM:
            return self._granted(connection, user, SYSTEM)
        if wanted == UNSCOPED or user.default_project_id is None:
            return UNSCOPED
        try:
            return self._granted(connection, user, Scope(user.default_project_id))
        except NotAuthenticated:
            return UNSCOPED

    def _granted(
        self, connection: Connection, user: User, scope: Scope, credential: ApplicationCredential | None = None
    ) -> Scope:
        """The scope, if the user has any role there."""
        if not scope.is_system:
            project = projects.find(connection, scope.project_id) if scope.project_id is not None else None
            if project is None or not project.enabled:
                raise NotAuthenticated
        if not tokens.effective_roles(connection, user.id, scope, credential.roles if credential else None):
            raise NotAuthenticated
        return scope

    def _issue(
        self,
        grounds: Grounds,
        scope: Scope,
        credential: ApplicationCredential | None,
        parent: Token | None,
        methods: tuple[str, ...],
    ) -> Issued:
        text, now, audit_id = new_text(), self.now(), new_audit_id()
        expires_at = parent.expires_at if parent else now + self.lifetime
        if credential is not None and credential.expires_at is not None:
            expires_at = min(expires_at, credential.expires_at)
        tokens.add(
            self.database,
            tokens.NewToken(
                digest=digest_of(text),
                grounds=grounds,
                scope=scope,
                credential_id=credential.id if credential else None,
                methods=methods,
                # Tokens that were got by tokens share the last of them.
                audit_ids=(audit_id, parent.audit_ids[-1]) if parent else (audit_id,),
                issued_at=now,
                expires_at=expires_at,
            ),
        )
        token = self.book.find(text)
        if token is None:  # whoever it was has been removed, or disabled, meanwhile
            raise NotAuthenticated
        return Issued(text, token)


def _credential(
    connection: Connection, proof: Credential
) -> tuple[ApplicationCredential | None, str | None, User | None]:
    if proof.credential_id is not None:
        credential, text = application_credentials.with_secret(connection, credential_id=proof.credential_id)
    else:
        who = proof.who or Who()
        user = users.with_password(connection, who.user_id, who.name)[0] if who != Who() else None
        credential, text = application_credentials.with_secret(
            connection, user_id=user.id if user else "", name=proof.name
        )
    owner = users.find(connection, credential.user_id) if credential else None
    return credential, text, owner


def _project_id(connection: Connection, wanted: ProjectName) -> str | None:
    if wanted.project_id is not None or wanted.name is None:
        return wanted.project_id
    project = projects.find_by_name(connection, wanted.name)
    return project.id if project else None

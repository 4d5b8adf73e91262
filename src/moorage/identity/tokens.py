"""Tokens: random texts of 256 bits, of which only the digest is kept, and who bears a good one.

Every request of every service asks about a token. What was found is remembered for a moment, so that a client's many
requests cost one look at the database; that moment is how long a token may live on elsewhere after it was taken back.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from moorage.db.database import Database, utc_now
from moorage.identity.model import Token
from moorage.identity.store import tokens

REMEMBERED_SECONDS = 2.0
_MOST_REMEMBERED = 10_000
_TOKEN_BYTES = 32
_AUDIT_ID_BYTES = 16
# No token of ours is longer; what is need not be looked for.
_MOST_CHARACTERS = 255


@dataclass(frozen=True, slots=True)
class Issued:
    """A token as its bearer gets it, and what it stands for."""

    text: str
    token: Token


def new_text() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def new_audit_id() -> str:
    """A name for a token that may be shown and logged."""
    return secrets.token_urlsafe(_AUDIT_ID_BYTES)


def digest_of(text: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class TokenBook:
    """Knows which tokens are good."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._now = now
        self._monotonic = monotonic
        # By digest: the token, and until when it is remembered.
        self._remembered: dict[str, tuple[Token, float]] = {}

    def find(self, text: str) -> Token | None:
        """What a token stands for, or None if it is not good."""
        if len(text) > _MOST_CHARACTERS:
            return None
        digest, moment = digest_of(text), self._monotonic()
        # What is found in the database before a change here is not remembered after it: `forget` begins a new book.
        book = self._remembered
        remembered = book.get(digest)
        if remembered is not None and moment < remembered[1]:
            token = remembered[0]
            return token if self._now() < token.expires_at else None
        found = self._database.read(lambda connection: tokens.find(connection, digest, self._now()))
        if found is None:
            book.pop(digest, None)
            return None
        if len(book) >= _MOST_REMEMBERED:
            book.clear()
        book[digest] = (found, moment + REMEMBERED_SECONDS)
        return found

    def revoke(self, token: Token) -> None:
        """Take a token back."""
        tokens.remove(self._database, token.digest)
        self.forget()

    def forget(self) -> None:
        """Look again at every token, since something was changed here."""
        self._remembered = {}

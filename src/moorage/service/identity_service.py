"""The Identity API as it is served: with its administrator, its catalog, its policy and its layers."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.db.database import Database, utc_now
from moorage.identity.api.application import identity_api
from moorage.identity.api.policies import rules
from moorage.identity.authentication import Authentication
from moorage.identity.bootstrap import bootstrap
from moorage.identity.catalog import Catalog, offered_by
from moorage.identity.passwords import Hasher
from moorage.identity.room import Room
from moorage.identity.store import tokens
from moorage.identity.tokens import TokenBook
from moorage.service.authentication.token import Bearers, noticing_the_token
from moorage.service.credentials import ensure_password, password_file
from moorage.service.errors import OperatorError
from moorage.service.housekeeping import start_housekeeping
from moorage.service.layers import layered
from moorage.service.policy import Guard
from moorage.service.settings import token_file
from moorage.web.application import MOST_BYTES

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_BATCH = 1000


def serves_identity(settings: cfg.ConfigOpts) -> bool:
    """Whether passwords are known here; with other strategies it is somebody else who knows them."""
    return settings.api.auth_strategy == "token" and "identity" in settings.api.services


@dataclass(frozen=True, slots=True)
class Means:
    """What a test may want to be cheaper, or to turn by hand: the work for a password, and the clocks."""

    hasher: Hasher = field(default_factory=Hasher)
    now: Callable[[], datetime] = utc_now
    monotonic: Callable[[], float] = time.monotonic


_USUAL = Means()


def ensure_administrator(settings: cfg.ConfigOpts, database: Database, means: Means = _USUAL) -> str:
    """The password of the user `admin`, who is made now if nobody is there yet."""
    password, is_new = ensure_password(password_file(token_file(settings)))
    bootstrap(database, password, means.hasher, is_new_password=is_new)
    return password


def identity_application(
    settings: cfg.ConfigOpts, database: Database, *, housekeeping: bool = False, means: Means = _USUAL
) -> WSGIApplication:
    """The Identity API at its own root; with `housekeeping` it also does what a long-lived process should."""
    if settings.api.auth_strategy != "token":
        raise OperatorError(
            f"There is no identity service with [api] auth_strategy = {settings.api.auth_strategy}; it goes with token."
        )
    ensure_administrator(settings, database, means)
    if housekeeping:
        start_housekeeping(lambda: prune_tokens(database))
    room = _room(settings, database, means)
    api = identity_api(room, min(settings.api.max_request_body_bytes, MOST_BYTES))
    return layered(noticing_the_token(Bearers(settings, room.book))(api), settings)


def _room(settings: cfg.ConfigOpts, database: Database, means: Means) -> Room:
    book = TokenBook(database, means.now, means.monotonic)
    lifetime = timedelta(seconds=settings.identity.token_expiration)
    return Room(
        database=database,
        book=book,
        authentication=Authentication(database, book, means.hasher, lifetime, means.now),
        catalog=Catalog(
            services=offered_by(settings.api.services),
            region=settings.identity.region,
            public_endpoint=settings.identity.public_endpoint,
        ),
        allows=Guard(settings, rules()).allows,
        now=means.now,
    )


def prune_tokens(database: Database) -> None:
    """Delete the tokens whose time is over."""
    while tokens.prune(database, utc_now(), _BATCH) == _BATCH:
        pass

"""The Identity API as it is served: with its administrator, its catalog, its policy and its layers."""

from __future__ import annotations

from datetime import timedelta
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

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_BATCH = 1000


def serves_identity(settings: cfg.ConfigOpts) -> bool:
    """Whether passwords are known here; with other strategies it is somebody else who knows them."""
    return settings.api.auth_strategy == "token" and "identity" in settings.api.services


def ensure_administrator(settings: cfg.ConfigOpts, database: Database) -> str:
    """The password of the user `admin`, who is made now if nobody is there yet."""
    password, is_new = ensure_password(password_file(token_file(settings)))
    bootstrap(database, password, Hasher(), is_new_password=is_new)
    return password


def identity_application(
    settings: cfg.ConfigOpts, database: Database, *, housekeeping: bool = False
) -> WSGIApplication:
    """The Identity API at its own root; with `housekeeping` it also does what a long-lived process should."""
    if settings.api.auth_strategy != "token":
        raise OperatorError(
            f"There is no identity service with [api] auth_strategy = {settings.api.auth_strategy}; it goes with token."
        )
    ensure_administrator(settings, database)
    if housekeeping:
        start_housekeeping(lambda: prune_tokens(database))
    room = identity_room(settings, database)
    api = identity_api(room, settings.api.max_request_body_bytes)
    return layered(noticing_the_token(Bearers(settings, room.book))(api), settings)


def identity_room(settings: cfg.ConfigOpts, database: Database) -> Room:
    """What the handlers of the API work with."""
    book = TokenBook(database)
    lifetime = timedelta(seconds=settings.identity.token_expiration)
    return Room(
        database=database,
        book=book,
        authentication=Authentication(database, book, Hasher(), lifetime),
        catalog=Catalog(
            services=offered_by(settings.api.services),
            region=settings.identity.region,
            public_endpoint=settings.identity.public_endpoint,
        ),
        allows=Guard(settings, rules()).allows,
    )


def prune_tokens(database: Database) -> None:
    """Delete the tokens whose time is over."""
    while tokens.prune(database, utc_now(), _BATCH) == _BATCH:
        pass

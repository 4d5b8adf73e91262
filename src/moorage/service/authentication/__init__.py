"""Who is calling: one strategy a file, each a layer of WSGI that lets a request through with its caller, or not.

The root of an API, which tells clients the versions there are, is open to everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.db.database import Database

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    Strategy = Callable[[WSGIApplication], WSGIApplication]


def authenticated(
    application: WSGIApplication,
    settings: cfg.ConfigOpts,
    database: Database,
    open_paths: Collection[str] = (),
) -> WSGIApplication:
    """The application behind the strategy that the settings name; some paths beside the root may be open as well."""
    guarded = _strategy(settings, database)(application)

    def open_at_the_root(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "").rstrip("/")
        if not path or path in open_paths:
            return application(environ, start_response)
        return guarded(environ, start_response)

    return open_at_the_root


def _strategy(settings: cfg.ConfigOpts, database: Database) -> Strategy:
    if settings.api.auth_strategy == "noauth2":
        from moorage.service.authentication.noauth2 import believing

        return believing
    if settings.api.auth_strategy == "keystone":
        from moorage.service.authentication.keystone import asking_keystone

        return asking_keystone(settings)
    from moorage.identity.tokens import TokenBook
    from moorage.service.authentication.token import Bearers, knowing_the_token

    return knowing_the_token(Bearers(settings, TokenBook(database)))

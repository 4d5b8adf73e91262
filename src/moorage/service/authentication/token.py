"""The strategy `token`: one secret, made at first start and kept in a file, opens everything.

Its bearer has every role; the bearer of a token that the identity service gave out has what that token stands for. The
file is read anew when it changes, so that a credential can be replaced while serving; as long as it cannot be read, or
others can read it too, nobody is let in.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.db.database import DatabaseUnavailable
from moorage.identity.model import ADMIN_PROJECT_ID, ADMIN_USER_ID
from moorage.identity.tokens import TokenBook
from moorage.service.authentication.refusals import unauthorized, unavailable
from moorage.service.credentials import read_token
from moorage.service.errors import OperatorError
from moorage.service.settings import token_file
from moorage.web.caller import CALLER, Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)

ADMINISTRATOR = Caller(
    user_id=ADMIN_USER_ID, project_id=ADMIN_PROJECT_ID, roles=("admin", "service", "member", "reader")
)


class _Secret:
    """The token in a file, as of the file's last change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, ...] = ()
        self._token = b""

    def is_known_to(self, candidate: str) -> bool:
        """Whether somebody knows the secret; takes as long for a near miss as for a wild guess."""
        version = self._version()
        if not version or version != self._seen:
            self._token, self._seen = read_token(self._path).encode(), version
        return hmac.compare_digest(candidate.encode("latin-1", "replace"), self._token)

    def _version(self) -> tuple[int, ...]:
        """What is different after any change to the file, its mode included; nothing if there is no file."""
        try:
            status = self._path.stat()
        except OSError:
            return ()
        return (status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size)


class Bearers:
    """Knows who bears a token: the one in the file, or one that the identity service has given out."""

    def __init__(self, settings: cfg.ConfigOpts, book: TokenBook) -> None:
        self._secret = _Secret(token_file(settings))
        self._book = book

    def caller(self, candidate: str) -> Caller | None:
        """Who bears a token; None if it is nobody's."""
        if self._secret.is_known_to(candidate):
            return ADMINISTRATOR
        token = self._book.find(candidate)
        if token is None:
            return None
        return Caller(
            user_id=token.user.id,
            project_id=token.project.id if token.project else None,
            roles=tuple(role.name for role in token.roles),
            system_scope="all" if token.is_system else None,
        )


def knowing_the_token(bearers: Bearers) -> Callable[[WSGIApplication], WSGIApplication]:
    """A layer that lets the bearers of tokens in, and nobody else."""

    def layer(application: WSGIApplication) -> WSGIApplication:
        def check(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            if not environ.get("HTTP_X_AUTH_TOKEN"):
                return unauthorized(environ, start_response, "Send the token as the header X-Auth-Token.")
            refused = _leave_caller(environ, start_response, bearers)
            if refused is not None:
                return refused
            if CALLER not in environ:
                return unauthorized(environ, start_response, "The token in X-Auth-Token is not the right one.")
            return application(environ, start_response)

        return check

    return layer


def noticing_the_token(bearers: Bearers) -> Callable[[WSGIApplication], WSGIApplication]:
    """A layer that lets everybody in, for an API that refuses by itself those who are nobody."""

    def layer(application: WSGIApplication) -> WSGIApplication:
        def look(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            refused = _leave_caller(environ, start_response, bearers)
            return application(environ, start_response) if refused is None else refused

        return look

    return layer


def _leave_caller(environ: WSGIEnvironment, start_response: StartResponse, bearers: Bearers) -> Iterable[bytes] | None:
    """Leave the caller in the environment of a request, if it is somebody's; a refusal if nobody can be judged."""
    candidate = environ.get("HTTP_X_AUTH_TOKEN")
    if not candidate:
        return None
    try:
        caller = bearers.caller(candidate)
    except (OperatorError, DatabaseUnavailable) as error:
        LOG.error("%s", error)  # noqa: TRY400 - the sentence says all; where it was found helps nobody
        return unavailable(environ, start_response, "Tokens cannot be checked now; the log says why.")
    if caller is not None:
        environ[CALLER] = caller
    return None

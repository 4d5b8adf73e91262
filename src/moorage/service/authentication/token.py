"""The strategy `token`: one secret, made at first start and kept in a file, opens everything.

Its bearer has every role. The file is read anew when it changes, so that a credential can be replaced while serving;
as long as it cannot be read, or others can read it too, nobody is let in.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.db.database import Database
from moorage.service.authentication.refusals import unauthorized, unavailable
from moorage.service.credentials import read_token
from moorage.service.errors import OperatorError
from moorage.service.settings import token_file
from moorage.web.caller import CALLER, Caller

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)

ADMINISTRATOR = Caller(user_id="admin", project_id="admin", roles=("admin", "service", "member", "reader"))


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


def knowing_the_token(settings: cfg.ConfigOpts, _database: Database) -> Callable[[WSGIApplication], WSGIApplication]:
    """A layer that lets the bearer of the token in."""
    path = token_file(settings)
    secret = _Secret(path)

    def layer(application: WSGIApplication) -> WSGIApplication:
        def check(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            candidate = environ.get("HTTP_X_AUTH_TOKEN")
            if not candidate:
                return unauthorized(environ, start_response, "Send the token as the header X-Auth-Token.")
            try:
                known = secret.is_known_to(candidate)
            except OperatorError as error:
                LOG.error("%s", error)  # noqa: TRY400 - the sentence says all; where it was found helps nobody
                return unavailable(environ, start_response, "Tokens cannot be checked now; the log says why.")
            if not known:
                return unauthorized(environ, start_response, "The token in X-Auth-Token is not the right one.")
            environ[CALLER] = ADMINISTRATOR
            return application(environ, start_response)

        return check

    return layer

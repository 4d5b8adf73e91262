"""The strategy `token`: one secret, made at first start and kept in a file, opens everything.

Its bearer has every role. The file is read anew when it changes, so that a credential can be replaced while serving.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.service.authentication.caller import CALLER, Caller, unauthorized
from moorage.service.credentials import read_token
from moorage.service.settings import token_file

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

ADMINISTRATOR = Caller(user_id="admin", project_id="admin", roles=("admin", "service", "member", "reader"))


class _Secret:
    """The token in a file, as of the file's last change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._token = b""

    def is_known_to(self, candidate: str) -> bool:
        """Whether somebody knows the secret; takes as long for a near miss as for a wild guess."""
        status = self._path.stat()
        version = (status.st_mtime_ns, status.st_ino, status.st_size)
        if version != self._seen:
            self._token, self._seen = read_token(self._path).encode(), version
        return hmac.compare_digest(candidate.encode("latin-1", "replace"), self._token)


def knowing_the_token(settings: cfg.ConfigOpts) -> Callable[[WSGIApplication], WSGIApplication]:
    """A layer that lets the bearer of the token in."""
    path = token_file(settings)
    secret = _Secret(path)

    def layer(application: WSGIApplication) -> WSGIApplication:
        def check(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
            candidate = environ.get("HTTP_X_AUTH_TOKEN")
            if not candidate:
                return unauthorized(environ, start_response, "Send the token as the header X-Auth-Token.")
            if not secret.is_known_to(candidate):
                return unauthorized(environ, start_response, "The token in X-Auth-Token is not the right one.")
            environ[CALLER] = ADMINISTRATOR
            return application(environ, start_response)

        return check

    return layer

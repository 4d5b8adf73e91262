"""The admin token of a Moorage on this machine, as an authentication plugin of keystoneauth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from keystoneauth1.plugin import BaseAuthPlugin

from moorage.service.credentials import read_token
from moorage.service.errors import OperatorError


class LocalToken(BaseAuthPlugin):
    """Sends the token that is in a file, and reads it again when the service no longer takes it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._token = read_token(file)

    def get_token(self, session: Any) -> str:  # noqa: ARG002 - keystoneauth hands it to every plugin
        """What goes into the header X-Auth-Token."""
        return self._token

    def invalidate(self) -> bool:
        """Whether there is another token by now, with which the request is worth another try."""
        refused = self._token
        try:
            self._token = read_token(self._file)
        except OperatorError:
            return False
        return self._token != refused

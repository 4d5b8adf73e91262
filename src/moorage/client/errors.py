"""What can go wrong when a service is asked for something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """A request that brought no result; the message is one sentence for the operator."""

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        # The message without what is different each time: which request it was, and its id.
        self.cause = cause or message


class Unavailable(ClientError):
    """Nobody answered, or the service is out of order (502, 503, 504, 429): worth another try later."""


class NoEndpoint(Unavailable):
    """The service catalog names no such service: the cloud has none."""


class OnlyMoorage(ClientError):
    """What was asked for is Moorage's alone, and the service is none; nothing was done."""


class Refused(ClientError):
    """The service answered with an error."""

    def __init__(
        self, message: str, status: int, code: str = "", detail: str = "", facts: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message, f"{status} {code} {detail}")
        self.status = status
        # Placement's own name of the error, such as "placement.concurrent_update"; empty where there is none.
        self.code = code
        # What the service says, in its own words.
        self.detail = detail
        # All that it says for programs, by the API's names: Moorage lists the `providers` that a bulk write fails at.
        self.facts: Mapping[str, Any] = facts or {}


class BadRequest(Refused):
    """400: what was asked for is not understood, or names something that the service does not know."""


class Unauthorized(Refused):
    """401 or 403: the credential is missing, wrong or not enough."""


class NotFound(Refused):
    """404"""


class Conflict(Refused):
    """409: somebody else was faster, or something is in use; `code` tells which."""


class ServerError(Refused):
    """500 and others that nobody expects: the service stumbled over the request, of which anything may be done."""

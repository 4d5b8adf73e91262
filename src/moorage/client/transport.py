"""How a request travels: over HTTP with a keystoneauth session, or straight into a WSGI application of this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec


@dataclass(frozen=True, slots=True)
class Response:
    """What came back; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The decoded body; None where there is none."""
        return msgspec.json.decode(self.body) if self.body else None


class Transport(Protocol):
    """Carries requests to one service; may be used by several threads at once."""

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Send a request, its content as JSON, and wait for the answer, whatever its status; Unavailable if none comes.

        The path begins with a slash and is relative to the service's endpoint.
        """
        ...

"""Upstream's Placement in this process, as a transport: no network and no disk, so that many requests are quick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock
from urllib.parse import urlencode

import msgspec

from moorage.client.transport import Response
from tests.differential.services import Call, Service


class UpstreamTransport:
    """One request after the other, since its database is one connection."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._lock = Lock()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,  # noqa: ARG002 - the service is always asked at the newest version
    ) -> Response:
        body = None if content is None else msgspec.json.decode(msgspec.json.encode(content))
        address = f"{path}?{urlencode(query)}" if query else path
        with self._lock:
            answer = self._service.send(Call(method, address, body=body))
        text = answer.body if isinstance(answer.body, str) else msgspec.json.encode(answer.body).decode()
        return Response(answer.status, dict(answer.headers), text.encode())

    def reset(self) -> None:
        self._service.reset()

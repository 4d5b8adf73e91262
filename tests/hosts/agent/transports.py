"""Transports that count what passes, or break at a certain request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from moorage.client.transport import Response, Transport

READS = frozenset({"GET"})


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    content: Any

    def __str__(self) -> str:
        return f"{self.method} {self.path}" + (f" {dict(self.query)}" if self.query else "")


@dataclass
class Recorder:
    """Passes everything on, and remembers it; `before` and `after` are called around every request."""

    transport: Transport
    requests: list[Request] = field(default_factory=list)
    before: Callable[[Request], None] = lambda _: None
    after: Callable[[Request], None] = lambda _: None
    _lock: Lock = field(default_factory=Lock)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        request = Request(method, path, tuple(query), content)
        with self._lock:
            self.requests.append(request)
        self.before(request)
        response = self.transport.send(method, path, query=query, content=content, headers=headers)
        self.after(request)
        return response

    @property
    def writes(self) -> list[Request]:
        return [request for request in self.requests if request.method not in READS]

    @property
    def reads(self) -> list[Request]:
        return [request for request in self.requests if request.method in READS]

    def forget(self) -> None:
        self.requests.clear()


@dataclass
class OneAtATime:
    """Lets one request through after the other: upstream on SQLite answers 500 when two of them write."""

    transport: Transport
    _lock: Lock = field(default_factory=Lock)

    def send(self, method: str, path: str, **rest: Any) -> Response:
        with self._lock:
            return self.transport.send(method, path, **rest)

"""An answer as handlers give it: a status, headers, and a body or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

import msgspec

_encode = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client gets."""

    status: HTTPStatus
    body: bytes | None = None
    # A body that is sent while it is made, instead of `body`.
    stream: Iterator[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def json_answer(
    content: object, status: HTTPStatus = HTTPStatus.OK, headers: Mapping[str, str] | None = None
) -> Answer:
    """An answer with a body in JSON."""
    return Answer(status, _encode(content), headers=headers or {})


def empty_answer(status: HTTPStatus = HTTPStatus.NO_CONTENT, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer without a body."""
    return Answer(status, headers=headers or {})

"""An answer as handlers give it: a status, headers, and a body in JSON or none."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from http import HTTPStatus
from typing import Any

import msgspec

from moorage.web.answer import Answer
from moorage.web.versions import Version

__all__ = ["Answer", "cache_headers", "empty_answer", "json_answer", "newest"]

# Since 1.15 every answer with a body says when what it shows last changed, and that it must not be cached.
LAST_MODIFIED_SINCE: Version = (1, 15)

_encode = msgspec.json.Encoder().encode


def newest(times: Iterable[datetime]) -> datetime | None:
    """The latest of some times; None, which means now, if there are none."""
    return max(times, default=None)


def json_answer(
    content: Any,
    version: Version,
    modified: datetime | None = None,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    location: str | None = None,
) -> Answer:
    """An answer with a body. `modified` None stands for a question about now, such as usage."""
    headers = cache_headers(version, modified)
    if location is not None:
        headers["location"] = location
    return Answer(status, _encode(content), headers=headers)


def empty_answer(
    status: HTTPStatus = HTTPStatus.NO_CONTENT,
    *,
    location: str | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """An answer without a body."""
    sent = dict(headers or {})
    if location is not None:
        sent["location"] = location
    return Answer(status, headers=sent)


def cache_headers(version: Version, modified: datetime | None) -> dict[str, str]:
    """`last-modified` and `cache-control`, where the version has them."""
    if version < LAST_MODIFIED_SINCE:
        return {}
    moment = datetime.now(UTC) if modified is None else modified.replace(tzinfo=UTC)
    return {"last-modified": format_datetime(moment, usegmt=True), "cache-control": "no-cache"}

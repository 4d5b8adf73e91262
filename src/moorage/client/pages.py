"""Long lists, page by page, the way Nova's API hands them out: behind a marker, with a link where there is more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from moorage.client.calls import Calls, Pairs
from moorage.client.errors import BadRequest, ClientError, Refused

# So many at a time; a service that hands out fewer says where it goes on.
_AT_ONCE = "1000"
# What the marker names may be deleted between two pages; then the list is read from its beginning, so often at most.
_ATTEMPTS = 5

_T = TypeVar("_T")


def all_pages(calls: Calls, into: type[_T], path: str, key: str, query: Pairs = ()) -> tuple[_T, ...]:
    """All items of the list that stands under `key`, as values, none of them twice."""
    for attempt in range(_ATTEMPTS):
        try:
            found = {item["id"]: item for item in _items(calls, path, key, query)}
            return tuple(msgspec.convert(item, into, strict=False) for item in found.values())
        except (msgspec.ValidationError, KeyError, TypeError) as error:
            raise ClientError(
                f"GET {path} was answered with something that was not expected: {error}. Is the endpoint the right one?"
            ) from error
        except _MarkerIsGone as gone:
            if attempt == _ATTEMPTS - 1:
                raise gone.refusal from None
    raise AssertionError("unreachable")


class _MarkerIsGone(Exception):
    def __init__(self, refusal: Refused) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def _items(calls: Calls, path: str, key: str, query: Pairs) -> Iterator[Mapping[str, Any]]:
    marker: list[tuple[str, str]] = []
    while True:
        try:
            page = calls.read(dict[str, Any], path, [*query, ("limit", _AT_ONCE), *marker])
        except BadRequest as refusal:
            if marker:
                raise _MarkerIsGone(refusal) from refusal
            raise
        yield from page[key]
        if not page[key] or not any(link.get("rel") == "next" for link in page.get(f"{key}_links", ())):
            return
        marker = [("marker", str(page[key][-1]["id"]))]

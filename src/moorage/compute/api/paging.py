"""Lists a page at a time: `limit` items behind the item that `marker` names, and a link to the next page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from moorage.compute.api.values import whole_number
from moorage.web.errors import bad_request
from moorage.web.request import Request

# So many at most, whatever the client asks for: Nova's default for [api] max_limit.
MOST = 1000

Item = TypeVar("Item")


def page(request: Request, items: Sequence[Item], id_of: Callable[[Item], str], offset: int = 0) -> list[Item]:
    """The part of a list that a request asks for; with an offset, without as many at its beginning."""
    behind = list(items)
    marker = request.parameters.last("marker")
    if marker is not None:
        position = next((number for number, item in enumerate(items) if id_of(item) == marker), None)
        if position is None:
            raise bad_request(f"marker [{marker}] not found")
        behind = behind[position + 1 :]
    return behind[offset : offset + _limit(request)]


def links(request: Request, path: str, shown: Sequence[Item], id_of: Callable[[Item], str]) -> list[dict[str, Any]]:
    """Where the next page is, if there may be one; `path` begins behind the address of the API."""
    limit = _limit(request)
    if not limit or len(shown) < limit:
        return []
    kept = [(name, value) for name, value in request.parameters.pairs if name not in {"limit", "marker"}]
    query = urlencode([*kept, ("limit", str(limit)), ("marker", id_of(shown[-1]))])
    return [{"rel": "next", "href": f"{request.base_url}{path}?{query}"}]


def _limit(request: Request) -> int:
    asked = request.parameters.last("limit")
    return MOST if asked is None else min(whole_number(asked, "limit"), MOST)

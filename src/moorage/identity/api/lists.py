"""Lists, the same way for every kind of thing: filtered, a page at a time if a client asks for that, with links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from moorage.web.answer import Answer, json_answer
from moorage.web.errors import bad_request
from moorage.web.request import Request

Item = dict[str, Any]

_NO = ("0", "false", "no", "off")
# More than the number of items in any list has.
_MOST_DIGITS = 9
LARGEST_LIMIT = 10**_MOST_DIGITS - 1


def list_answer(
    request: Request,
    key: str,
    path: str,
    items: Iterable[Item],
    filters: Sequence[str] = (),
    *,
    has_pages: bool = True,
) -> Answer:
    """The items that pass the filters a client gave, under a key; those without an id always come all at once."""
    chosen = [item for item in items if all(_passes(request, item, name) for name in filters)]
    page, marker = _page(request, chosen) if has_pages else (chosen, None)
    address = f"{request.base_url}{path}"
    query = [(name, value) for name, value in request.parameters.pairs if name != "marker"]
    following = f"{address}?{urlencode([*query, ('marker', marker)])}" if marker else None
    own = f"{address}?{urlencode(request.parameters.pairs)}" if request.parameters.pairs else address
    return json_answer({key: page, "links": {"self": own, "previous": None, "next": following}})


def _passes(request: Request, item: Item, name: str) -> bool:
    wanted = request.parameters.last(name)
    if wanted is None:
        return True
    value = item.get(name)
    if isinstance(value, bool):
        return value is (wanted.lower() not in _NO)
    return value == wanted


def _page(request: Request, items: list[Item]) -> tuple[list[Item], str | None]:
    """The items behind the marker, as many as the limit says, and the next marker if some are left."""
    marker, limit = request.parameters.last("marker"), request.parameters.last("limit")
    if marker is not None:
        positions = [position for position, item in enumerate(items) if item.get("id") == marker]
        if not positions:
            raise bad_request(f"Marker could not be found: {marker}.")
        items = items[positions[0] + 1 :]
    if limit is None:
        return items, None
    if not (limit.isdecimal() and limit.isascii() and len(limit) <= _MOST_DIGITS and int(limit) > 0):
        raise bad_request(f"Invalid input for field limit. Value: {limit}. It must be a positive whole number.")
    page = items[: int(limit)]
    return page, page[-1]["id"] if len(items) > len(page) else None

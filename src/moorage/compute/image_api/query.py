"""Which images a list shall have, in which order, and which part of it: the parameters of a request as values."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

from moorage.compute.image_api.fields import VISIBILITIES, is_property
from moorage.compute.model.image import Visibility
from moorage.compute.store.image_listing import COMPARISONS, FIELDS, SORTABLE, Listing, TimeCondition
from moorage.compute.store.images import MemberStatus
from moorage.web.errors import bad_request
from moorage.web.request import Parameters

# What every database can compare with; no image is larger.
LARGEST_NUMBER = 2**63 - 1

_DEFAULT_LIMIT = 25
_MOST = 1000
# An image has no more properties and tags than that, and nobody needs to ask for more of them.
_MOST_FILTERS = 128
_MOST_VALUES = 500
_NOT_FILTERS = frozenset(
    {
        "limit",
        "marker",
        "sort",
        "sort_key",
        "sort_dir",
        "visibility",
        "member_status",
        "tag",
        "os_hidden",
        "size_min",
        "size_max",
        "protected",
        "created_at",
        "updated_at",
    }
)


def parse_listing(parameters: Parameters, project_id: str, *, is_admin: bool) -> Listing:
    """What is asked for, by somebody of a project."""
    visibility = _visibility(parameters)
    values = {name: _any_of(name, text) for name, text in parameters.pairs if name not in _NOT_FILTERS}
    tags = frozenset(parameters.all("tag"))
    if len(values) + len(tags) > _MOST_FILTERS:
        raise bad_request(f"A list takes {_MOST_FILTERS} filters; there are {len(values) + len(tags)}.")
    if unknown := sorted(name for name in values if not is_property(name) and name not in FIELDS):
        raise bad_request(f"Images cannot be filtered by {', '.join(unknown)}; there is {', '.join(sorted(FIELDS))}.")
    return Listing(
        project_id=project_id,
        is_admin=is_admin,
        visibility=None if visibility == "all" else visibility,
        with_community=visibility == "all",
        member_status=_member_status(parameters),
        fields=_some(values, of_properties=False),
        properties=_some(values, of_properties=True),
        tags=tags,
        hidden=bool(_boolean(parameters, "os_hidden")),
        protected=_boolean(parameters, "protected"),
        size_min=_number(parameters, "size_min"),
        size_max=_number(parameters, "size_max"),
        times=[_time(name, text) for name in ("created_at", "updated_at") for text in parameters.all(name)],
        order=_order(parameters),
        marker=parameters.last("marker"),
    )


def parse_limit(parameters: Parameters) -> int:
    """How many images a page has."""
    limit = _number(parameters, "limit")
    return _DEFAULT_LIMIT if limit is None else min(limit, _MOST)


def _some(values: Mapping[str, frozenset[str]], *, of_properties: bool) -> dict[str, frozenset[str]]:
    return {name: wanted for name, wanted in values.items() if is_property(name) is of_properties}


def _visibility(parameters: Parameters) -> Visibility | Literal["all"] | None:
    match parameters.last("visibility"):
        case None:
            return None
        case "all" | "public" | "community" | "shared" | "private" as visibility:
            return visibility
        case other:
            raise bad_request(f"Invalid visibility value: {other}. There is all, {', '.join(VISIBILITIES)}.")


def _member_status(parameters: Parameters) -> MemberStatus | None:
    match parameters.last("member_status"):
        case None:
            return "accepted"
        case "all":
            return None
        case "accepted" | "pending" | "rejected" as status:
            return status
        case other:
            raise bad_request(f"Invalid status: {other}. There is accepted, pending, rejected, all.")


def _any_of(name: str, text: str) -> frozenset[str]:
    """One value, or several after "in:"; what has a comma or a quotation mark in it stands between quotation marks."""
    if not text.startswith("in:"):
        return frozenset({text})
    try:
        [row] = csv.reader([text[3:]], doublequote=False, escapechar="\\", skipinitialspace=True, strict=True)
    except (csv.Error, ValueError) as error:
        raise bad_request(f'The values of {name} cannot be told apart: {text}. Write in:a,b or in:"a,b",c.') from error
    if len(row) > _MOST_VALUES:
        raise bad_request(f"A filter takes {_MOST_VALUES} values; {name} has {len(row)}.")
    return frozenset(part.strip() for part in row)


def _boolean(parameters: Parameters, name: str) -> bool | None:
    text = parameters.last(name)
    if text is None:
        return None
    if text.lower() not in ("true", "false"):
        raise bad_request(f"Invalid value for {name}: {text}. It is true or false.")
    return text.lower() == "true"


def _time(name: str, text: str) -> TimeCondition:
    """`gte:2030-01-31T12:00:00Z`, or without a comparison for that very moment."""
    comparison, colon, moment = text.partition(":")
    if not colon or comparison not in COMPARISONS:
        comparison, moment = "eq", text
    try:
        time = datetime.fromisoformat(moment)
        if time.tzinfo is not None:
            time = time.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError) as error:
        raise bad_request(
            f"Invalid value for {name}: {text}. It looks like gte:2030-01-31T12:00:00Z, with {', '.join(COMPARISONS)}."
        ) from error
    return name, comparison, time


def _number(parameters: Parameters, name: str) -> int | None:
    text = parameters.last(name)
    if text is None:
        return None
    if not (text.isdecimal() and text.isascii() and len(text) <= len(str(LARGEST_NUMBER))):
        raise bad_request(f"Invalid value for {name}: {text}. It is a whole number, at least 0.")
    if int(text) > LARGEST_NUMBER:
        raise bad_request(f"Invalid value for {name}: {text}. It is at most {LARGEST_NUMBER}.")
    return int(text)


def _order(parameters: Parameters) -> list[tuple[str, bool]]:
    """Either `sort=name:asc,size` or any number of `sort_key` and `sort_dir`; the newest first if neither is given."""
    sort, keys, directions = parameters.last("sort"), parameters.all("sort_key"), parameters.all("sort_dir")
    if sort is not None:
        if keys or directions:
            raise bad_request("Old and new sorting syntax cannot be combined")
        pairs = [(key, direction or "desc") for key, _, direction in (part.partition(":") for part in sort.split(","))]
    else:
        keys = keys or ["created_at"]
        if len(directions) > 1 and len(directions) != len(keys):
            raise bad_request("Number of sort dirs does not match the number of sort keys")
        directions = directions or ["desc"]
        pairs = list(zip(keys, directions * len(keys) if len(directions) == 1 else directions, strict=True))
    order: dict[str, bool] = {}
    for key, direction in pairs:
        if key not in SORTABLE or direction not in ("asc", "desc"):
            raise bad_request(f"Images cannot be sorted by {key}:{direction}; there is {', '.join(SORTABLE)}.")
        order.setdefault(key, direction == "desc")  # only the first word on a key makes a difference
    return list(order.items())

"""Which images a list shall have, in which order, and which part of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from moorage.compute.image_api.fields import VISIBILITIES, is_property
from moorage.compute.model.image import Image
from moorage.compute.store.images import MemberStatus
from moorage.web.errors import bad_request
from moorage.web.request import Parameters

_DEFAULT_LIMIT = 25
_MOST = 1000
_MEMBER_STATUSES = ("accepted", "pending", "rejected", "all")
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
    }
)

_SORT_KEYS: dict[str, Callable[[Image], Any]] = {
    "name": lambda image: image.name or "",
    "status": lambda image: image.status,
    "container_format": lambda image: image.container_format or "",
    "disk_format": lambda image: image.disk_format or "",
    "size": lambda image: image.size or 0,
    "id": lambda image: image.uuid,
    "created_at": lambda image: image.created_at,
    "updated_at": lambda image: image.updated_at,
}
_FIELDS: dict[str, Callable[[Image], str | None]] = {
    "id": lambda image: image.uuid,
    "name": lambda image: image.name,
    "status": lambda image: image.status,
    "owner": lambda image: image.owner,
    "disk_format": lambda image: image.disk_format,
    "container_format": lambda image: image.container_format,
    "min_disk": lambda image: str(image.min_disk_gb),
    "min_ram": lambda image: str(image.min_ram_mb),
}


@dataclass(frozen=True, slots=True)
class Query:
    """What a list shall have."""

    # Values of fields and properties, any of which will do.
    values: Mapping[str, frozenset[str]]
    tags: frozenset[str]
    visibility: str | None
    member_status: str
    hidden: bool
    protected: bool | None
    size_min: int | None
    size_max: int | None
    # Keys and whether they run downwards, the first one counting most.
    order: Sequence[tuple[str, bool]]
    marker: str | None
    limit: int

    def lists(self, image: Image, project_id: str, statuses: Mapping[str, MemberStatus], *, is_admin: bool) -> bool:
        """Whether an image belongs in the list of a project, whose answers to shared images are `statuses`."""
        return (
            self._is_seen(image, project_id, statuses, is_admin=is_admin)
            and image.hidden == self.hidden
            and self.tags <= image.tags
            and self.protected in (None, image.protected)
            and (self.size_min is None or (image.size or 0) >= self.size_min)
            and (self.size_max is None or (image.size or 0) <= self.size_max)
            and all(_value(image, name) in wanted for name, wanted in self.values.items())
        )

    def _is_seen(self, image: Image, project_id: str, statuses: Mapping[str, MemberStatus], *, is_admin: bool) -> bool:
        if self.visibility not in (None, "all", image.visibility):
            return False
        if is_admin and self.visibility is None:
            return True
        is_own = image.owner == project_id
        if image.visibility == "community" and self.visibility is None and not is_own:
            return False
        if not (image.is_open_to(project_id) or is_admin):
            return False
        if image.visibility != "shared" or is_own or is_admin:
            return True
        return self.member_status in ("all", statuses.get(image.uuid))


def parse_query(parameters: Parameters) -> Query:
    """The parameters as what they mean."""
    visibility = parameters.last("visibility")
    if visibility not in (None, "all", *VISIBILITIES):
        raise bad_request(f"Invalid visibility value: {visibility}")
    member_status = parameters.last("member_status") or "accepted"
    if member_status not in _MEMBER_STATUSES:
        raise bad_request(f"Invalid status: {member_status}")
    return Query(
        values={name: _any_of(value) for name, value in parameters.pairs if name not in _NOT_FILTERS},
        tags=frozenset(parameters.all("tag")),
        visibility=visibility,
        member_status=member_status,
        hidden=bool(_boolean(parameters, "os_hidden")),
        protected=_boolean(parameters, "protected"),
        size_min=_number(parameters, "size_min"),
        size_max=_number(parameters, "size_max"),
        order=_order(parameters),
        marker=parameters.last("marker"),
        limit=_limit(parameters),
    )


def page_of(found: Sequence[Image], query: Query) -> list[Image]:
    """The part of the images that a query asks for, in its order."""
    listed = list(found)
    for key, descending in reversed(query.order):
        listed.sort(key=_SORT_KEYS[key], reverse=descending)
    if query.marker is not None:
        positions = [number for number, image in enumerate(listed) if image.uuid == query.marker]
        if not positions:
            raise bad_request(f"No image found with ID {query.marker}, which the marker names.")
        listed = listed[positions[0] + 1 :]
    return listed[: query.limit]


def _value(image: Image, name: str) -> str | None:
    if is_property(name):
        return image.properties.get(name)
    return _FIELDS[name](image) if name in _FIELDS else None


def _any_of(text: str) -> frozenset[str]:
    """One value, or several after "in:"; quotation marks keep commas together."""
    if not text.startswith("in:"):
        return frozenset({text})
    return frozenset(part.strip().strip('"') for part in text[3:].split(","))


def _boolean(parameters: Parameters, name: str) -> bool | None:
    text = parameters.last(name)
    if text is None:
        return None
    if text.lower() not in ("true", "false"):
        raise bad_request(f"Invalid value for {name}: {text}. It is true or false.")
    return text.lower() == "true"


def _number(parameters: Parameters, name: str) -> int | None:
    text = parameters.last(name)
    if text is None:
        return None
    if not (text.isdecimal() and text.isascii() and len(text) <= len(str(2**63))):
        raise bad_request(f"Invalid value for {name}: {text}. It is a whole number, at least 0.")
    return int(text)


def _limit(parameters: Parameters) -> int:
    limit = _number(parameters, "limit")
    return _DEFAULT_LIMIT if limit is None else min(limit, _MOST)


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
    for key, direction in pairs:
        if key not in _SORT_KEYS or direction not in ("asc", "desc"):
            raise bad_request(f"Images cannot be sorted by {key}:{direction}; there is {', '.join(_SORT_KEYS)}.")
    return [(key, direction == "desc") for key, direction in pairs]

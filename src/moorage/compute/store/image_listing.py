"""Pages of images: what a project may see, conditions on columns, properties and tags, an order, and a place to begin.

The database chooses, so that the work grows with what a project may see and not with what all others have.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, exists, false, func, select, union

from moorage.compute.model.image import Image, Visibility
from moorage.compute.store.images import MemberStatus, with_what_belongs
from moorage.compute.store.pagination import rows_after
from moorage.compute.store.tables import image_members, image_properties, image_tags, images

SORTABLE: dict[str, Any] = {
    "name": func.coalesce(images.c.name, ""),
    "status": images.c.status,
    "container_format": func.coalesce(images.c.container_format, ""),
    "disk_format": func.coalesce(images.c.disk_format, ""),
    "size": func.coalesce(images.c.size, 0),
    "id": images.c.uuid,
    "created_at": images.c.created_at,
    "updated_at": images.c.updated_at,
}
"""Columns to sort by, by their names in the API."""

_TEXTS: dict[str, Any] = {
    "id": images.c.uuid,
    "name": images.c.name,
    "status": images.c.status,
    "owner": images.c.owner,
    "disk_format": images.c.disk_format,
    "container_format": images.c.container_format,
}
_NUMBERS: dict[str, Any] = {"min_disk": images.c.min_disk_gb, "min_ram": images.c.min_ram_mb}
_MOST_DIGITS = 10

# What belongs to data, of which there are none.
_OF_DATA = frozenset({"checksum", "os_hash_algo", "os_hash_value", "virtual_size"})

FIELDS = frozenset({*_TEXTS, *_NUMBERS, *_OF_DATA})
"""Fields of images that can be asked for by their values."""

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "neq": operator.ne,
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
"""How times are compared, by their names in the API."""

TimeCondition = tuple[str, str, datetime]
"""A name of SORTABLE, one of COMPARISONS, and the time to compare with."""


class MarkerNotFound(Exception):
    """The image after which a page shall begin is not there, or not for the project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which images, in which order."""

    # Who looks; somebody who administers the cloud sees what belongs to any project.
    project_id: str
    is_admin: bool = False
    # None is what a project usually sees: its own, public ones, and what it has accepted.
    visibility: Visibility | None = None
    # Also what is open to everybody who knows of it.
    with_community: bool = False
    # What the project thinks of images that are shared with it; None for whatever it thinks.
    member_status: MemberStatus | None = "accepted"
    # Values by field and by property; any of several will do.
    fields: Mapping[str, frozenset[str]] = field(default_factory=dict)
    properties: Mapping[str, frozenset[str]] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    hidden: bool = False
    protected: bool | None = None
    size_min: int | None = None
    size_max: int | None = None
    times: Sequence[TimeCondition] = ()
    # Names of SORTABLE, and whether the largest comes first.
    order: Sequence[tuple[str, bool]] = (("created_at", True),)
    # The image after which the page begins.
    marker: str | None = None


def list_images(connection: Connection, wanted: Listing, most: int) -> list[Image]:
    """At most so many of the images."""
    # Whatever is sorted by, no two images have the same place; of those that do the newest comes first.
    order = [*((SORTABLE[name], descending) for name, descending in wanted.order), (images.c.id, True)]
    statement = _seen(select(images), wanted).where(*_conditions(wanted))
    if wanted.marker is not None:
        statement = statement.where(rows_after(order, _marked(connection, wanted, order)))
    ordered = statement.order_by(*(column.desc() if descending else column.asc() for column, descending in order))
    return with_what_belongs(connection, connection.execute(ordered.limit(most)).all())


def _seen(statement: Select[Any], wanted: Listing) -> Select[Any]:
    """The statement over those images that the project may see.

    They are found by one index for each reason to see them. A join makes every database do that first.
    """
    if wanted.is_admin:
        return statement
    ways = union(*_ways_to_see(wanted)).subquery("seen")
    return statement.join(ways, ways.c.id == images.c.id)


def _ways_to_see(wanted: Listing) -> Iterator[Select[Any]]:
    yield select(images.c.id).where(images.c.owner == wanted.project_id)
    if wanted.visibility in (None, "public"):
        yield select(images.c.id).where(images.c.visibility == "public")
    if wanted.visibility == "community" or wanted.with_community:
        yield select(images.c.id).where(images.c.visibility == "community")
    if wanted.visibility in (None, "shared"):
        shared = (
            select(images.c.id)
            .join(image_members, image_members.c.image_id == images.c.id)
            .where(image_members.c.project_id == wanted.project_id, images.c.visibility == "shared")
        )
        yield shared if wanted.member_status is None else shared.where(image_members.c.status == wanted.member_status)


def _conditions(wanted: Listing) -> Iterator[Any]:
    yield images.c.hidden == wanted.hidden
    if wanted.visibility is not None:
        yield images.c.visibility == wanted.visibility
    if wanted.protected is not None:
        yield images.c.protected == wanted.protected
    if wanted.size_min is not None:
        yield SORTABLE["size"] >= wanted.size_min
    if wanted.size_max is not None:
        yield SORTABLE["size"] <= wanted.size_max
    for name, comparison, time in wanted.times:
        yield COMPARISONS[comparison](SORTABLE[name], time)
    for name, values in wanted.fields.items():
        yield _has_one_of(name, values)
    for name, values in wanted.properties.items():
        yield exists().where(
            image_properties.c.image_id == images.c.id,
            image_properties.c.name == name,
            image_properties.c.value.in_(sorted(values)),
        )
    if wanted.tags:
        with_one = select(func.count()).select_from(image_tags).where(image_tags.c.image_id == images.c.id)
        with_all = with_one.where(image_tags.c.tag.in_(sorted(wanted.tags)))
        yield with_all.scalar_subquery() == len(wanted.tags)


def _has_one_of(name: str, values: frozenset[str]) -> Any:
    if name in _OF_DATA:
        return false()
    if name in _TEXTS:
        return _TEXTS[name].in_(sorted(values))
    numbers = (int(text) for text in values if text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS)
    return _NUMBERS[name].in_(sorted(numbers))


def _marked(connection: Connection, wanted: Listing, order: Sequence[tuple[Any, bool]]) -> Sequence[Any]:
    keys = _seen(select(*(column for column, _ in order)), wanted).where(images.c.uuid == wanted.marker)
    row = connection.execute(keys).one_or_none()
    if row is None:
        raise MarkerNotFound(f"No image found with ID {wanted.marker}, which the marker names.")
    return tuple(row)

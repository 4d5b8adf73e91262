"""Aggregates that keys of flavors and images speak of: hosts for reservations, for licences.

Two settings, independent of each other, say which keys do. A key with the required prefix takes the server to the
aggregates that have that very key in their metadata. Aggregates that have a key with a forbidden prefix are closed to
everybody whose flavor and image have no key with that prefix.

Operators write flavors, but users write images. So a key of an image counts only where an aggregate is open to the
project: it takes nobody to hosts, and unlocks no hosts, that are set aside for others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import BootImage
from moorage.compute.placing.conditions import Condition, none_of, one_of
from moorage.compute.placing.refusals import UnknownMemberKey
from moorage.compute.placing.settings import PlacingSettings


def flavor_key_conditions(
    flavor: Flavor, aggregates: Sequence[HostAggregate], settings: PlacingSettings
) -> Iterator[Condition]:
    """What the keys of the flavor demand of a host."""
    whose = f'the flavor "{flavor.name}"'
    for key in _required_keys(flavor.extra_specs, settings):
        if not (found := _with_key(aggregates, key)):
            raise UnknownMemberKey(key, whose)
        yield one_of(found, f'{whose} has the key "{key}"')


def image_key_conditions(
    flavor: Flavor,
    image: BootImage,
    aggregates: Sequence[HostAggregate],
    settings: PlacingSettings,
    project_id: str,
) -> Iterator[Condition]:
    """What the keys of the image demand of a host, and what is closed because neither image nor flavor has a key."""
    whose = f'the image "{image.label}"'
    for key in _required_keys(image.properties, settings):
        if key in flavor.extra_specs:
            continue
        if not (found := _open_with_key(aggregates, key, project_id)):
            raise UnknownMemberKey(key, whose, for_project=project_id)
        yield one_of(found, f'{whose} has the key "{key}"')
    for prefix in dict.fromkeys(settings.default_forbidden_member_prefixes):
        yield from _forbidden(flavor, image, aggregates, prefix, project_id)


def _forbidden(
    flavor: Flavor, image: BootImage, aggregates: Sequence[HostAggregate], prefix: str, project_id: str
) -> list[Condition]:
    if _keys(flavor.extra_specs, prefix):
        return []
    closed = [aggregate for aggregate in aggregates if _keys(aggregate.metadata, prefix)]
    reason = f'no key of the flavor or the image opens what has the prefix "{prefix}"'
    if any(_open_with_key(aggregates, key, project_id) for key in _keys(image.properties, prefix)):
        closed = [aggregate for aggregate in closed if not aggregate.is_open_to(project_id)]
        reason = f"they are not open to the project {project_id}"
    return none_of(closed, reason)


def _required_keys(names: Iterable[str], settings: PlacingSettings) -> list[str]:
    prefix = settings.required_member_prefix
    return _keys(names, prefix) if prefix else []


def _keys(names: Iterable[str], prefix: str) -> list[str]:
    return sorted(name for name in names if name.startswith(prefix))


def _with_key(aggregates: Iterable[HostAggregate], key: str) -> list[HostAggregate]:
    return [aggregate for aggregate in aggregates if key in aggregate.metadata]


def _open_with_key(aggregates: Iterable[HostAggregate], key: str, project_id: str) -> list[HostAggregate]:
    return [aggregate for aggregate in _with_key(aggregates, key) if aggregate.is_open_to(project_id)]

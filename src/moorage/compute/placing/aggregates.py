"""What the metadata of host aggregates mean to Nova's operators: isolation by traits, tenants, availability zones."""

from __future__ import annotations

from collections.abc import Sequence

from moorage.compute.model.aggregate import DEFAULT_AVAILABILITY_ZONE, HostAggregate
from moorage.compute.placing.conditions import Condition, none_of, one_of
from moorage.compute.placing.refusals import NoAggregateForProject, UnknownAvailabilityZone
from moorage.compute.placing.settings import PlacingSettings

_TRAIT_PREFIX = "trait:"


def isolation_conditions(
    required: frozenset[str], aggregates: Sequence[HostAggregate], settings: PlacingSettings
) -> list[Condition]:
    """An aggregate with `trait:X=required` is closed to servers that do not require X; with several, all of them."""
    if not settings.isolate_aggregates:
        return []
    closed = [aggregate for aggregate in aggregates if not _demanded_traits(aggregate) <= required]
    return none_of(closed, "they are only for servers that require the traits in the metadata of the aggregate")


def _demanded_traits(aggregate: HostAggregate) -> frozenset[str]:
    return frozenset(
        key.removeprefix(_TRAIT_PREFIX)
        for key, value in aggregate.metadata.items()
        if key.startswith(_TRAIT_PREFIX) and value == "required"
    )


def tenant_conditions(
    project_id: str, aggregates: Sequence[HostAggregate], settings: PlacingSettings
) -> list[Condition]:
    """A project goes to the aggregates that are set aside for it; one that has none, to no aggregate set aside."""
    if not settings.limit_tenants:
        return []
    set_aside = [aggregate for aggregate in aggregates if aggregate.tenants]
    if own := [aggregate for aggregate in set_aside if project_id in aggregate.tenants]:
        return [one_of(own, f"they are set aside for the project {project_id}")]
    if settings.aggregate_required_for_tenants:
        raise NoAggregateForProject(project_id)
    return none_of(set_aside, "they are set aside for other projects")


def zone_conditions(zone: str | None, aggregates: Sequence[HostAggregate]) -> list[Condition]:
    """A server goes to hosts of the zone that it asks for. Hosts in no zone make up the default one."""
    if not zone:
        return []
    if zone == DEFAULT_AVAILABILITY_ZONE:
        others = [aggregate for aggregate in aggregates if aggregate.availability_zone not in {None, zone}]
        return none_of(others, f'they are no part of the availability zone "{zone}"')
    members = [aggregate for aggregate in aggregates if aggregate.availability_zone == zone]
    if not members:
        raise UnknownAvailabilityZone(zone)
    return [one_of(members, f'the availability zone "{zone}" is asked for')]

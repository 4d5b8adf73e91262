"""What a compute service tells about itself, any Nova or Moorage, as the values that placing works with."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from moorage.client import compute as told
from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.placing.settings import PlacingSettings


def known_flavor(flavor: told.Flavor) -> Flavor:
    """A flavor, as far as placing goes."""
    return Flavor(
        flavor_id=flavor.id,
        name=flavor.name,
        ram_mb=flavor.ram_mb,
        vcpus=flavor.vcpus,
        disk_gb=flavor.disk_gb,
        ephemeral_gb=flavor.ephemeral_gb,
        swap_mb=flavor.swap_mb,
        extra_specs=flavor.extra_specs,
    )


def known_aggregates(aggregates: Iterable[told.Aggregate]) -> list[HostAggregate]:
    """Host aggregates; when they were made, nobody who places a server asks."""
    now = datetime.now(UTC)
    return [
        HostAggregate(
            id=each.id,
            uuid=each.uuid,
            name=each.name,
            created_at=now,
            metadata=dict(each.metadata),
            hosts=frozenset(each.hosts),
        )
        for each in aggregates
    ]


def known_settings(scheduling: told.Scheduling | None) -> PlacingSettings:
    """How hosts are kept apart; of a Nova, which does not tell, that aggregates are closed by the traits they require.

    A Nova in front of leases is set up so, and in one that is not, nobody would give an aggregate such metadata.
    """
    if scheduling is None:
        return PlacingSettings(isolate_aggregates=True)
    return PlacingSettings(
        required_member_prefix=scheduling.required_member_prefix,
        default_forbidden_member_prefixes=scheduling.forbidden_member_prefixes,
        isolate_aggregates=scheduling.isolates_aggregates,
    )

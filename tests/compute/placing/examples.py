"""Flavors, images and aggregates to place servers by, with as little said about each as a test needs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from uuid import NAMESPACE_DNS, uuid5

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import BootImage
from moorage.compute.placing.request import PlacementRequest, placement_request
from moorage.compute.placing.settings import PlacingSettings

HARBOUR = "harbour"
"""The project of those who ask."""


def flavor(specs: Mapping[str, str] | None = None, *, ram_mb: int = 2048, vcpus: int = 2, disk_gb: int = 20) -> Flavor:
    return Flavor(
        flavor_id="1", name="small", ram_mb=ram_mb, vcpus=vcpus, disk_gb=disk_gb, extra_specs=dict(specs or {})
    )


def image(properties: Mapping[str, str] | None = None) -> BootImage:
    return BootImage("debian", dict(properties or {}))


def aggregate(name: str, metadata: Mapping[str, str] | None = None, hosts: tuple[str, ...] = ()) -> HostAggregate:
    return HostAggregate(
        id=1,
        uuid=uuid_of(name),
        name=name,
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
        metadata=dict(metadata or {}),
        hosts=frozenset(hosts),
    )


def uuid_of(name: str) -> str:
    return str(uuid5(NAMESPACE_DNS, name))


def in_any_of(*names: str) -> str:
    """The value of `member_of` for hosts in any of these aggregates."""
    return f"in:{','.join(sorted(map(uuid_of, names)))}"


def in_none_of(*names: str) -> str:
    """The value of `member_of` for hosts in none of these aggregates."""
    return f"!{in_any_of(*names)}"


def request(
    specs: Mapping[str, str] | None = None,
    properties: Mapping[str, str] | None = None,
    aggregates: tuple[HostAggregate, ...] = (),
    settings: PlacingSettings | None = None,
    zone: str | None = None,
) -> PlacementRequest:
    """What Placement is asked for when the project harbour wants a server."""
    return placement_request(flavor(specs), image(properties), aggregates, settings or PlacingSettings(), HARBOUR, zone)


def member_of(request: PlacementRequest) -> list[str]:
    """The conditions on aggregates, as Placement gets them."""
    return [value for name, value in request.pairs() if name == "member_of"]

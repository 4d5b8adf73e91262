"""What a server would ask Placement for.

A compute service that is a Moorage says so itself: it knows all its settings, and whose server it would be. For another
one it is worked out from what any compute service tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.compute import Flavor as KnownFlavor
    from moorage.client.image import Image
    from moorage.client.operator import OperatorsCloud
    from moorage.compute.model.aggregate import HostAggregate
    from moorage.compute.model.flavor import Flavor
    from moorage.compute.placing.settings import PlacingSettings

Pairs = Sequence[tuple[str, str]]


def query_of_flavor(cloud: OperatorsCloud, flavor: KnownFlavor, image: Image | None, zone: str | None) -> Pairs:
    """For a server of a flavor, as whoever asks would get it."""
    from moorage.client.errors import Refused
    from moorage.compute.known_cloud import known_flavor

    try:
        told = cloud.compute.placement_query(flavor.id, image.id if image else None, zone)
    except Refused as error:
        raise OperatorError(error.detail or str(error)) from error
    return told or _worked_out(cloud, known_flavor(flavor), image, zone)


def query_of_size(cloud: OperatorsCloud, size: Flavor, image: Image | None, zone: str | None) -> Pairs:
    """For a server of a size that no flavor has; whose it would be, nobody knows."""
    return _worked_out(cloud, size, image, zone)


def narrowed(query: Pairs, traits: Sequence[str], limit: int) -> Pairs:
    """The same query on hosts with these traits, for so many answers."""
    if not traits:
        return _with(query, {"limit": str(limit)})
    if not any(name == "resources" for name, _value in query):
        raise OperatorError(
            "The flavor has resources in numbered groups only, so nothing can be held to the traits of --trait."
        )
    required = [value for name, value in query if name == "required"]
    return _with(query, {"limit": str(limit), "required": ",".join([*required, *traits])})


def _with(query: Pairs, replaced: dict[str, str]) -> Pairs:
    return [*((name, value) for name, value in query if name not in replaced), *replaced.items()]


def _worked_out(cloud: OperatorsCloud, flavor: Flavor, image: Image | None, zone: str | None) -> Pairs:
    from moorage.compute.model.image import NO_IMAGE, BootImage, Minimum
    from moorage.compute.placing.refusals import Refusal
    from moorage.compute.placing.request import placement_request
    from moorage.compute.servers.errors import InvalidOrder
    from moorage.compute.servers.sizes import check_sizes

    settings, aggregates = _apart(cloud)
    try:
        if image is not None:
            check_sizes(flavor, Minimum(ram_mb=image.min_ram_mb, disk_gb=image.min_disk_gb))
        boot_image = BootImage(image.name or image.id, image.properties) if image else NO_IMAGE
        return placement_request(flavor, boot_image, aggregates, settings, "", zone).pairs()
    except (InvalidOrder, Refusal) as refusal:
        raise OperatorError(str(refusal)) from refusal


def _apart(cloud: OperatorsCloud) -> tuple[PlacingSettings, list[HostAggregate]]:
    """How hosts are kept apart, and which; where there is no compute service, nobody does that."""
    from moorage.client.errors import NoEndpoint, NotFound
    from moorage.compute.known_cloud import known_aggregates, known_settings
    from moorage.compute.placing.settings import PlacingSettings

    try:
        return known_settings(cloud.compute.scheduling()), known_aggregates(cloud.compute.aggregates())
    except (NoEndpoint, NotFound):
        return PlacingSettings(), []

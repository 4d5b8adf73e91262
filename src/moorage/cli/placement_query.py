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
    from moorage.compute.model.flavor import Flavor

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
    from moorage.compute.placing.refusals import Refusal
    from moorage.compute.servers.errors import InvalidOrder
    from moorage.compute.worked_out import worked_out_request

    try:
        return worked_out_request(cloud.compute, flavor, image, "", zone).pairs()
    except (InvalidOrder, Refusal) as refusal:
        raise OperatorError(str(refusal)) from refusal

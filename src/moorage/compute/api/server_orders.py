"""What a body that orders servers means: texts and references become a flavor, an image, a group, a place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from moorage.compute.api import values
from moorage.compute.context import Compute
from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import Image
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.servers.errors import InvalidOrder
from moorage.compute.servers.order import Order
from moorage.compute.servers.sizes import check_sizes
from moorage.compute.store import images, server_groups
from moorage.compute.store.catalogue import Catalogue
from moorage.compute.store.errors import NotFound
from moorage.web.caller import Caller
from moorage.web.errors import bad_request, forbidden
from moorage.web.request import Request

FORCED_HOST = "os_compute_api:servers:create:forced_host"
REQUESTED_HOST = "compute:servers:create:requested_destination"

MOST_AT_ONCE = 1000
"""So many servers at most are made by one request."""


def order_of(request: Request, compute: Compute, catalogue: Catalogue) -> Order:
    """What whoever sends this wants."""
    caller, wanted = request.known_caller, request.content["server"]
    if caller.project_id is None:
        raise forbidden("A server belongs to a project, and the caller has none.")
    flavor = usable_flavor(compute, catalogue, caller, wanted["flavorRef"])
    image = _image(compute, caller, wanted)
    if image is not None:
        check_sizes(flavor, image.minimum)
    hints = _hints(request.content)
    place = _place(request, compute, wanted)
    least, most = _counts(wanted)
    return Order(
        project_id=caller.project_id,
        user_id=caller.user_id,
        name=values.name(wanted["name"]),
        flavor=flavor,
        image=image,
        description=wanted.get("description"),
        metadata=wanted.get("metadata", {}),
        tags=frozenset(wanted.get("tags", ())),
        availability_zone=place.zone,
        host=place.host,
        group=_group(compute, caller, hints.get("group")),
        same_host=_listed(hints.get("same_host")),
        different_host=_listed(hints.get("different_host")),
        least=least,
        most=most,
    )


def usable_flavor(compute: Compute, catalogue: Catalogue, caller: Caller, reference: object) -> Flavor:
    """The flavor that an id or an address names, if the caller's project may use it."""
    flavor_id = str(reference).rpartition("/")[2]
    flavor = catalogue.flavors.get(flavor_id)
    if (
        flavor is None
        or flavor.disabled
        or not (flavor.is_open_to(caller.project_id or "") or compute.is_admin(caller))
    ):
        raise InvalidOrder(f"Flavor {flavor_id} could not be found.")
    return flavor


def usable_image(compute: Compute, caller: Caller, reference: str) -> Image:
    """The image that a UUID or an address names, if the caller's project may use it."""
    uuid = reference.rpartition("/")[2].lower()
    try:
        image = compute.read(images.find, uuid)
    except NotFound:
        raise InvalidOrder(f"Can not find requested image: {reference}.") from None
    if not (image.is_open_to(caller.project_id or "") or compute.is_admin(caller)):
        raise InvalidOrder(f"Can not find requested image: {reference}.")
    if image.status != "active":
        raise InvalidOrder(f"Image {uuid} is not active.")
    return image


def _image(compute: Compute, caller: Caller, wanted: Mapping[str, Any]) -> Image | None:
    """The image that is named, once or twice; None for a server that boots from elsewhere."""
    references = [wanted["imageRef"]] if wanted.get("imageRef") else []
    references += [disk["uuid"] for disk in wanted.get("block_device_mapping_v2", ())]
    found = {image.uuid: image for image in (usable_image(compute, caller, each) for each in references)}
    if len(found) > 1:
        raise InvalidOrder(f"A server boots from one image, not from {' and '.join(sorted(found))}.")
    return next(iter(found.values()), None)


@dataclass(frozen=True, slots=True)
class _Place:
    zone: str | None = None
    host: str | None = None


def _place(request: Request, compute: Compute, wanted: Mapping[str, Any]) -> _Place:
    """ZONE, or for administrators ZONE:HOST, ZONE:HOST:NODE and ZONE::NODE; a host here has one node, itself."""
    caller = request.known_caller
    zone, *rest = wanted.get("availability_zone", "").split(":")
    named = {part for part in rest if part}
    if rest and not compute.allows(caller, FORCED_HOST, None):
        raise forbidden(f"Policy doesn't allow {FORCED_HOST} to be performed.")
    asked = {wanted[key] for key in ("host", "hypervisor_hostname") if key in wanted}
    if asked and not compute.allows(caller, REQUESTED_HOST, None):
        raise forbidden(f"Policy doesn't allow {REQUESTED_HOST} to be performed.")
    if named and asked:
        raise bad_request("A host may be named in availability_zone or as host and hypervisor_hostname, not in both.")
    hosts = named | asked
    if len(rest) > 2 or len(hosts) > 1:  # noqa: PLR2004 - host and node
        raise bad_request(f"At most one host can be asked for, not {', '.join(sorted(hosts))}.")
    return _Place(zone or None, next(iter(hosts), None))


def _counts(wanted: Mapping[str, Any]) -> tuple[int, int]:
    least = values.whole_number(wanted.get("min_count", 1), "min_count", 1)
    most = values.whole_number(wanted.get("max_count", least), "max_count", 1)
    if least > most:
        raise bad_request("min_count must be <= max_count")
    if most > MOST_AT_ONCE:
        raise bad_request(f"One request makes {MOST_AT_ONCE} servers at most.")
    if most > 1:
        # Each is called by its number, too.
        values.name(f"{wanted['name']}-{most}")
    return least, most


def _hints(content: Mapping[str, Any]) -> Mapping[str, Any]:
    names = ("os:scheduler_hints", "OS-SCH-HNT:scheduler_hints")
    found = [part[name] for part in (content, content["server"]) for name in names if name in part]
    return found[0] if found else {}


def _group(compute: Compute, caller: Caller, uuid: str | None) -> ServerGroup | None:
    if uuid is None:
        return None
    try:
        group = compute.read(server_groups.find, uuid.lower())
    except NotFound:
        raise InvalidOrder(f"Instance group {uuid} could not be found.") from None
    if group.project_id != caller.project_id and not compute.is_admin(caller):
        raise InvalidOrder(f"Instance group {uuid} could not be found.")
    return group


def _listed(value: str | list[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(uuid.lower() for uuid in ([value] if isinstance(value, str) else value))

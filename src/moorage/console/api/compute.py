"""What the pages need of a compute service that is served elsewhere, such as a Nova.

Where compute is served beside the console, the pages ask it themselves, in the name of whoever looks. Somebody else's
does not expect browsers, so it is asked from here, with the credential of the settings; that credential sees all
projects, so a rule of the console's own says who may. Names are those of the compute and image APIs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlencode

from moorage.capacity.reading.services import Services
from moorage.client.calls import Pairs
from moorage.client.compute import ComputeClient, Flavor, Server, ServerFilter
from moorage.client.errors import BadRequest, NoEndpoint, NotFound
from moorage.client.image import Image
from moorage.compute.known_cloud import known_flavor
from moorage.compute.placing.refusals import Refusal
from moorage.compute.servers.errors import InvalidOrder
from moorage.compute.worked_out import worked_out_request
from moorage.console.context import Console
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import bad_request, not_found
from moorage.web.request import Request

_Item = TypeVar("_Item")


def aggregates(_request: Request, console: Console) -> Answer:
    """GET /compute/aggregates"""
    found = _listed(_cloud(console).compute.aggregates)
    return json_answer(
        {
            "aggregates": [
                {"uuid": each.uuid, "name": each.name, "availability_zone": each.availability_zone, "hosts": each.hosts}
                for each in found
            ]
        }
    )


def flavors(_request: Request, console: Console) -> Answer:
    """GET /compute/flavors"""
    return json_answer({"flavors": [_flavor(each) for each in _listed(_cloud(console).compute.flavors)]})


def images(_request: Request, console: Console) -> Answer:
    """GET /compute/images"""
    found = _listed(_cloud(console).image.all_images)
    named = [{"id": each.id, "name": each.name} for each in found if each.status == "active"]
    return json_answer({"images": named})


def servers(request: Request, console: Console) -> Answer:
    """GET /compute/hosts/{host}/servers"""
    compute, name = _cloud(console).compute, request.path["host"]
    found = _listed(lambda: _servers_on(compute, name))
    return json_answer({"servers": [{"id": each.id, "name": each.name, "status": each.status} for each in found]})


def placement_query(request: Request, console: Console) -> Answer:
    """GET /compute/placement-query"""
    cloud, given = _cloud(console), request.parameters
    flavor_id, zone = given.last("flavor"), given.last("availability_zone") or None
    flavor = cloud.compute.flavor(flavor_id) if flavor_id else None
    if flavor is None:
        raise bad_request(f"There is no flavor {flavor_id}." if flavor_id else "Missing parameter flavor: its id.")
    image = _image(cloud, given.last("image"))
    try:
        told = cloud.compute.placement_query(flavor.id, image.id if image else None, zone)
        if told is not None:
            return json_answer({"query": _query(told), "conditions": []})
        project_id = request.known_caller.project_id or ""
        wanted = worked_out_request(cloud.compute, known_flavor(flavor), image, project_id, zone)
    except (InvalidOrder, Refusal) as refusal:
        raise bad_request(str(refusal)) from refusal
    except BadRequest as refusal:
        raise bad_request(refusal.detail or str(refusal)) from refusal
    # Why members of which aggregates come into question, or do not.
    conditions = [{"forbidden": each.forbidden, "reason": each.reason} for each in wanted.conditions]
    return json_answer({"query": _query(wanted.pairs()), "conditions": conditions})


def _cloud(console: Console) -> Services:
    if console.cloud is None:
        raise not_found("There is no compute service to ask, neither here nor in the settings.")
    return console.cloud


def _listed(ask: Callable[[], tuple[_Item, ...]]) -> tuple[_Item, ...]:
    """What a service lists; nothing where the cloud has no such service, or none that is led to from here."""
    try:
        return ask()
    except (NoEndpoint, NotFound):
        return ()


def _servers_on(compute: ComputeClient, name: str) -> tuple[Server, ...]:
    # Providers are named after hypervisors, and the hosts of servers need not have the same names.
    hypervisor = compute.hypervisor_named(name)
    return compute.servers(ServerFilter(host=hypervisor.service.host if hypervisor else name))


def _image(cloud: Services, image_id: str | None) -> Image | None:
    found = cloud.image.image(image_id) if image_id else None
    if image_id and found is None:
        raise bad_request(f"There is no image {image_id}.")
    return found


def _flavor(flavor: Flavor) -> dict[str, Any]:
    return {
        "id": flavor.id,
        "name": flavor.name,
        "vcpus": flavor.vcpus,
        "ram": flavor.ram_mb,
        "disk": flavor.disk_gb,
        "extra_specs": flavor.extra_specs,
    }


def _query(pairs: Pairs) -> str:
    return urlencode(pairs, safe=":,!")

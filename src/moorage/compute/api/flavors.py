"""Flavors: what sizes of servers there are, and who may use those that are not for everybody."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from moorage.compute.api import paging, values
from moorage.compute.context import Compute
from moorage.compute.model.flavor import Flavor
from moorage.compute.store import flavors
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request, conflict, not_found
from moorage.web.request import Request

_SHOW_EXTRA_SPECS = "os_compute_api:os-flavor-extra-specs:index"

SORT_KEYS: dict[str, Callable[[Flavor], Any]] = {
    "flavorid": lambda flavor: flavor.flavor_id,
    "id": lambda flavor: flavor.flavor_id,
    "name": lambda flavor: flavor.name,
    "description": lambda flavor: flavor.description or "",
    "disabled": lambda flavor: flavor.disabled,
    "ephemeral_gb": lambda flavor: flavor.ephemeral_gb,
    "is_public": lambda flavor: flavor.is_public,
    "memory_mb": lambda flavor: flavor.ram_mb,
    "root_gb": lambda flavor: flavor.disk_gb,
    "rxtx_factor": lambda flavor: flavor.rxtx_factor,
    "swap": lambda flavor: flavor.swap_mb,
    "vcpus": lambda flavor: flavor.vcpus,
}
_PARAMETERS = frozenset({"limit", "marker", "is_public", "minRam", "minDisk", "sort_key", "sort_dir"})


def index(request: Request, compute: Compute) -> Answer:
    """GET /flavors"""
    return _list(request, compute, "/v2.1/flavors", lambda flavor: _brief(request, flavor))


def detail(request: Request, compute: Compute) -> Answer:
    """GET /flavors/detail"""
    return _list(request, compute, "/v2.1/flavors/detail", lambda flavor: _full(request, compute, flavor))


def show(request: Request, compute: Compute) -> Answer:
    """GET /flavors/{flavor_id}"""
    return _answer(request, compute, visible(request, compute, request.path["flavor_id"]))


def create(request: Request, compute: Compute) -> Answer:
    """POST /flavors"""
    new = request.content["flavor"]
    rxtx_factor = float(new.get("rxtx_factor", 1.0))
    if rxtx_factor <= 0:
        raise bad_request("Invalid input for field/attribute rxtx_factor. It must be greater than 0.")
    given = new.get("id")
    flavor = Flavor(
        # "auto" is what the command line sends for an id that is to be made.
        flavor_id=str(uuid.uuid4()) if given in (None, "auto") else str(given),
        name=values.name(new["name"]),
        ram_mb=values.whole_number(new["ram"], "ram", 1),
        vcpus=values.whole_number(new["vcpus"], "vcpus", 1),
        disk_gb=values.whole_number(new["disk"], "disk"),
        ephemeral_gb=values.whole_number(new.get("OS-FLV-EXT-DATA:ephemeral", 0), "OS-FLV-EXT-DATA:ephemeral"),
        swap_mb=values.whole_number(new.get("swap", 0), "swap"),
        rxtx_factor=rxtx_factor,
        is_public=values.boolean(new.get("os-flavor-access:is_public", True), "os-flavor-access:is_public"),
        description=new.get("description"),
    )
    return _answer(request, compute, compute.write(flavors.create, flavor))


def update(request: Request, compute: Compute) -> Answer:
    """PUT /flavors/{flavor_id}"""
    description = request.content["flavor"]["description"]
    return _answer(request, compute, compute.write(flavors.describe, request.path["flavor_id"], description))


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /flavors/{flavor_id}"""
    compute.write(flavors.remove, request.path["flavor_id"])
    return empty_answer(HTTPStatus.ACCEPTED)


def access(request: Request, compute: Compute) -> Answer:
    """GET /flavors/{flavor_id}/os-flavor-access"""
    flavor = visible(request, compute, request.path["flavor_id"])
    if flavor.is_public:
        raise not_found("Access list not available for public flavors.")
    return _access(flavor)


def action(request: Request, compute: Compute) -> Answer:
    """POST /flavors/{flavor_id}/action"""
    [(what, content)] = request.content.items()
    flavor_id, project_id = request.path["flavor_id"], content["tenant"]
    if what == "removeTenantAccess":
        return _access(compute.write(flavors.revoke, flavor_id, project_id))
    if request.version >= (2, 7) and compute.read(flavors.find, flavor_id).is_public:
        raise conflict("Can not add access to a public flavor.")
    return _access(compute.write(flavors.grant, flavor_id, project_id))


def visible(request: Request, compute: Compute, flavor_id: str) -> Flavor:
    """A flavor that the caller may see; others are not there for them."""
    flavor = compute.read(flavors.find, flavor_id)
    caller = request.known_caller
    if flavor.is_open_to(caller.project_id or "") or compute.is_admin(caller):
        return flavor
    raise flavors.not_found(flavor_id)


def _list(request: Request, compute: Compute, path: str, render: Callable[[Flavor], dict[str, Any]]) -> Answer:
    parameters = request.parameters
    if request.version >= (2, 75):
        unknown = sorted({name for name, _ in parameters.pairs} - _PARAMETERS)
        if unknown:
            raise bad_request(f"Additional properties are not allowed ({', '.join(unknown)})")
    key, direction = parameters.last("sort_key", "flavorid"), parameters.last("sort_dir", "asc")
    if key not in SORT_KEYS or direction not in ("asc", "desc"):
        raise bad_request(f"Flavors cannot be sorted by {key} {direction}; there is {', '.join(sorted(SORT_KEYS))}.")
    is_asked_for = _condition(request, compute)
    found = [flavor for flavor in compute.read(flavors.all_flavors) if is_asked_for(flavor)]
    found.sort(key=SORT_KEYS[key], reverse=direction == "desc")
    shown = paging.page(request, found, lambda flavor: flavor.flavor_id)
    content: dict[str, Any] = {"flavors": [render(flavor) for flavor in shown]}
    if links := paging.links(request, path, shown, lambda flavor: flavor.flavor_id):
        content["flavors_links"] = links
    return json_answer(content)


def _condition(request: Request, compute: Compute) -> Callable[[Flavor], bool]:
    """Which flavors the caller asks for, among those that they may see."""
    parameters, caller = request.parameters, request.known_caller
    least_ram = values.whole_number(parameters.last("minRam", "0"), "minRam")
    least_disk = values.whole_number(parameters.last("minDisk", "0"), "minDisk")
    word = parameters.last("is_public")
    is_public = None if word is None or word.lower() == "none" else values.boolean(word, "is_public")

    def is_visible(flavor: Flavor) -> bool:
        if not compute.is_admin(caller):
            return flavor.is_open_to(caller.project_id or "") and not flavor.disabled
        if word is None:
            return flavor.is_open_to(caller.project_id or "")
        return is_public is None or flavor.is_public == is_public

    return lambda flavor: flavor.ram_mb >= least_ram and flavor.disk_gb >= least_disk and is_visible(flavor)


def _brief(request: Request, flavor: Flavor) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": flavor.flavor_id, "name": flavor.name, "links": _links(request, flavor)}
    if request.version >= (2, 55):
        shown["description"] = flavor.description
    return shown


def _full(request: Request, compute: Compute, flavor: Flavor) -> dict[str, Any]:
    shown = _brief(request, flavor) | {
        "ram": flavor.ram_mb,
        "disk": flavor.disk_gb,
        "vcpus": flavor.vcpus,
        # An empty text for none is how it was once.
        "swap": flavor.swap_mb or (0 if request.version >= (2, 75) else ""),
        "OS-FLV-EXT-DATA:ephemeral": flavor.ephemeral_gb,
        "OS-FLV-DISABLED:disabled": flavor.disabled,
        "os-flavor-access:is_public": flavor.is_public,
        "rxtx_factor": flavor.rxtx_factor,
    }
    if request.version >= (2, 61) and compute.allows(request.known_caller, _SHOW_EXTRA_SPECS, None):
        shown["extra_specs"] = dict(flavor.extra_specs)
    return shown


def _links(request: Request, flavor: Flavor) -> list[dict[str, str]]:
    base = request.base_url
    return [
        {"rel": "self", "href": f"{base}/v2.1/flavors/{flavor.flavor_id}"},
        {"rel": "bookmark", "href": f"{base}/flavors/{flavor.flavor_id}"},
    ]


def _answer(request: Request, compute: Compute, flavor: Flavor) -> Answer:
    return json_answer({"flavor": _full(request, compute, flavor)})


def _access(flavor: Flavor) -> Answer:
    granted = [{"flavor_id": flavor.flavor_id, "tenant_id": project} for project in sorted(flavor.projects)]
    return json_answer({"flavor_access": granted})

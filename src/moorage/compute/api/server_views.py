"""Servers as the API shows them, field by field as microversions brought them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.server import Fault, Server
from moorage.web.request import Request
from moorage.web.versions import Version

VM_STATES = {
    "BUILD": "building",
    "ACTIVE": "active",
    "REBUILD": "active",
    "RESIZE": "active",
    "VERIFY_RESIZE": "resized",
    "REVERT_RESIZE": "resized",
    "ERROR": "error",
    "DELETED": "deleted",
}
"""What Nova's servers are inside while their status is this."""

_NOT_IN_HOSTNAMES = re.compile("[^a-z0-9]")
_WITH_PROGRESS = {"ACTIVE", "BUILD", "REBUILD", "RESIZE", "VERIFY_RESIZE", "REVERT_RESIZE"}


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody may see of servers beyond the plain facts."""

    # Hosts, and where they are: for administrators.
    hosts: bool
    details_of_faults: bool
    extra_specs: bool


def time_text(when: datetime | None) -> str | None:
    """A time as the API writes it."""
    return None if when is None else when.strftime("%Y-%m-%dT%H:%M:%SZ")


def links_to(request: Request, kind: str, identifier: str) -> list[dict[str, str]]:
    """Where something is found: with the version in the address, and without, for bookmarks."""
    return [
        {"rel": "self", "href": f"{request.base_url}/v2.1/{kind}/{identifier}"},
        {"rel": "bookmark", "href": f"{request.base_url}/{kind}/{identifier}"},
    ]


def brief(request: Request, server: Server) -> dict[str, Any]:
    """A server in a list without details."""
    return {"id": server.uuid, "name": server.name, "links": links_to(request, "servers", server.uuid)}


def full(request: Request, server: Server, zone: str | None, sight: Sight, *, shown: bool = True) -> dict[str, Any]:
    """A server with all that the version of the request has; `shown` for one that is asked for by itself."""
    version = request.version
    content: dict[str, Any] = {
        **brief(request, server),
        "status": server.status,
        "tenant_id": server.project_id,
        "user_id": server.user_id,
        "metadata": dict(server.metadata),
        "hostId": _host_id(server),
        "image": _image(request, server),
        "flavor": _flavor(request, server.flavor, sight),
        "created": time_text(server.created_at),
        "updated": time_text(server.updated_at),
        "addresses": {},
        "accessIPv4": "",
        "accessIPv6": "",
        "OS-DCF:diskConfig": "MANUAL",
        "OS-EXT-AZ:availability_zone": zone or "",
        "config_drive": "",
        "key_name": None,
        "OS-SRV-USG:launched_at": _usage_time(server.launched_at),
        "OS-SRV-USG:terminated_at": _usage_time(server.terminated_at),
        "OS-EXT-STS:task_state": server.task_state,
        "OS-EXT-STS:vm_state": VM_STATES[server.status],
        # Whether it runs is known to what starts it, not here: no state.
        "OS-EXT-STS:power_state": 0,
        "os-extended-volumes:volumes_attached": [],
    }
    if server.status in _WITH_PROGRESS:
        content["progress"] = 0
    if server.fault is not None and server.status in ("ERROR", "DELETED"):
        content["fault"] = _fault(server.fault, sight)
    if sight.hosts:
        content |= _host_fields(version, server)
    later = _later_fields(server, with_groups=shown)
    return content | {name: value for since, name, value in later if version >= since}


def _later_fields(server: Server, *, with_groups: bool) -> list[tuple[Version, str, object]]:
    """What came with microversions: since which, under which name."""
    fields: list[tuple[Version, str, object]] = [
        ((2, 9), "locked", False),
        ((2, 19), "description", server.description),
        ((2, 26), "tags", sorted(server.tags)),
        ((2, 63), "trusted_image_certificates", None),
        ((2, 73), "locked_reason", None),
        ((2, 90), "OS-EXT-SRV-ATTR:hostname", _hostname(server.name)),
        ((2, 96), "pinned_availability_zone", server.availability_zone),
    ]
    if with_groups:
        fields.append(((2, 71), "server_groups", [server.group_uuid] if server.group_uuid else []))
    return fields


def _fault(fault: Fault, sight: Sight) -> dict[str, Any]:
    content = {"code": fault.code, "created": time_text(fault.created_at), "message": fault.message}
    return content | ({"details": fault.details} if sight.details_of_faults and fault.details else {})


def made(request: Request, servers: Sequence[Server], password: str) -> dict[str, Any]:
    """What whoever orders servers is told at once: the first of them."""
    return {
        "id": servers[0].uuid,
        "links": links_to(request, "servers", servers[0].uuid),
        "OS-DCF:diskConfig": "MANUAL",
        "security_groups": [],
        # Clients expect one. Nobody sets it anywhere: that is for what starts the server.
        "adminPass": password,
    }


def _host_fields(version: Version, server: Server) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "OS-EXT-SRV-ATTR:host": server.host,
        "OS-EXT-SRV-ATTR:hypervisor_hostname": server.host,
        "OS-EXT-SRV-ATTR:instance_name": f"instance-{server.uuid}",
    }
    if version >= (2, 3):
        fields |= {
            "OS-EXT-SRV-ATTR:hostname": _hostname(server.name),
            "OS-EXT-SRV-ATTR:launch_index": 0,
            "OS-EXT-SRV-ATTR:reservation_id": "",
            "OS-EXT-SRV-ATTR:kernel_id": "",
            "OS-EXT-SRV-ATTR:ramdisk_id": "",
            "OS-EXT-SRV-ATTR:root_device_name": None,
            "OS-EXT-SRV-ATTR:user_data": None,
        }
    if version >= (2, 16):
        fields["host_status"] = "UP" if server.host else ""
    return fields


def _host_id(server: Server) -> str:
    """Lets a project see which of its servers share a host, and nothing about the host."""
    return hashlib.sha224(f"{server.project_id}{server.host}".encode()).hexdigest() if server.host else ""


def _hostname(name: str) -> str:
    return _NOT_IN_HOSTNAMES.sub("-", name.lower()).strip("-")[:63] or "server"


def _image(request: Request, server: Server) -> object:
    if server.image_uuid is None:
        return ""
    image: dict[str, Any] = {
        "id": server.image_uuid,
        "links": [{"rel": "bookmark", "href": f"{request.base_url}/images/{server.image_uuid}"}],
    }
    return image


def _flavor(request: Request, flavor: Flavor, sight: Sight) -> dict[str, Any]:
    if request.version < (2, 47):
        bookmark = {"rel": "bookmark", "href": f"{request.base_url}/flavors/{flavor.flavor_id}"}
        return {"id": flavor.flavor_id, "links": [bookmark]}
    content: dict[str, Any] = {
        "original_name": flavor.name,
        "vcpus": flavor.vcpus,
        "ram": flavor.ram_mb,
        "disk": flavor.disk_gb,
        "ephemeral": flavor.ephemeral_gb,
        "swap": flavor.swap_mb,
    }
    if sight.extra_specs:
        content["extra_specs"] = dict(flavor.extra_specs)
    return content


def _usage_time(when: datetime | None) -> str | None:
    return None if when is None else when.strftime("%Y-%m-%dT%H:%M:%S.000000")

"""Hosts that leases may use."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from moorage.reservations.api.dates import shown, stamp
from moorage.reservations.host_registration import change_capabilities, register, unregister
from moorage.reservations.model.host import Host
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.room import Room
from moorage.reservations.store import hosts
from moorage.reservations.store.errors import NotFound
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request

LONGEST_KEY = 64
LONGEST_VALUE = 10_000
# What a host has by itself is no capability, nor is what only says who is asking for what.
OWN_FIELDS = frozenset(
    {
        "availability_zone",
        "cpu_info",
        "created_at",
        "disabled_reason",
        "hypervisor_hostname",
        "hypervisor_type",
        "hypervisor_version",
        "id",
        "local_gb",
        "maintenance",
        "memory_mb",
        "name",
        "reservable",
        "service_name",
        "status",
        "trust_id",
        "updated_at",
        "vcpus",
    }
)


def index(_request: Request, room: Room) -> Answer:
    """GET /os-hosts"""
    return json_answer({"hosts": [host_view(host) for host in room.read(hosts.everything)]})


def create(request: Request, room: Room) -> Answer:
    """POST /os-hosts"""
    name = request.content.get("name") or request.content.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise forbidden("Invalid values for host: its name, or its id, is required.")
    wanted = {key: value for key, value in request.content.items() if key not in {"name", "id", "trust_id"}}
    capabilities = {key: value for key, value in _capabilities(wanted).items() if value is not None}
    host = register(room, str(name), capabilities)
    return json_answer({"host": host_view(host)}, HTTPStatus.CREATED)


def show(request: Request, room: Room) -> Answer:
    """GET /os-hosts/{host_id}"""
    return json_answer({"host": host_view(room.read(hosts.find, number(request)))})


def update(request: Request, room: Room) -> Answer:
    """PUT /os-hosts/{host_id}"""
    wanted = _capabilities({key: value for key, value in request.content.items() if key not in {"name", "id"}})
    if not wanted:
        raise Invalid("There is nothing to change: name a capability and its value, or null to take it away.")
    return json_answer({"host": host_view(change_capabilities(room, number(request), wanted))})


def delete(request: Request, room: Room) -> Answer:
    """DELETE /os-hosts/{host_id}"""
    unregister(room, number(request))
    return empty_answer()


def number(request: Request) -> int:
    """The number of the host that a path names."""
    text = request.path["host_id"]
    if not (text.isascii() and text.isdecimal()) or len(text) > 18:  # noqa: PLR2004 - no number here has more digits
        raise NotFound(f"Host {text} not found!")
    return int(text)


def host_view(host: Host) -> dict[str, Any]:
    """A host, with its capabilities among its fields."""
    return {
        **host.capabilities,
        "id": str(host.id),
        "hypervisor_hostname": host.name,
        "service_name": host.service_name,
        "hypervisor_type": host.hypervisor.hypervisor_type,
        "hypervisor_version": host.hypervisor.hypervisor_version,
        "vcpus": host.hypervisor.vcpus,
        "memory_mb": host.hypervisor.memory_mb,
        "local_gb": host.hypervisor.local_gb,
        "cpu_info": host.hypervisor.cpu_info,
        "status": None,
        "availability_zone": host.availability_zone,
        "trust_id": None,
        "reservable": host.reservable,
        "disabled_reason": host.disabled_reason,
        "maintenance": [
            {
                "id": window.id,
                "start_date": shown(window.period.start),
                "end_date": shown(window.period.end),
                "reason": window.reason,
            }
            for window in host.maintenance
        ],
        "created_at": stamp(host.created_at),
        "updated_at": stamp(host.updated_at),
    }


def _capabilities(wanted: Mapping[str, Any]) -> dict[str, str | None]:
    """Names and values of capabilities; null takes one away."""
    found: dict[str, str | None] = {}
    for key, value in wanted.items():
        if not key or len(key) > LONGEST_KEY:
            raise Invalid(f"The name of a capability may have {LONGEST_KEY} characters; {key!r} has {len(key)}.")
        if key in OWN_FIELDS:
            raise Invalid(f"{key} is not a capability: it is what the host itself says.")
        if isinstance(value, dict | list):
            raise Invalid(f"The value of the capability {key} must be a text, a number or a truth value.")
        text = None if value is None else str(value)
        if text is not None and len(text) > LONGEST_VALUE:
            raise Invalid(f"The value of the capability {key} may have {LONGEST_VALUE} characters.")
        found[key] = text
    return found

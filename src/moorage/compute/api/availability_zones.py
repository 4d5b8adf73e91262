"""Availability zones: the aggregates that call themselves one, and `nova` for hosts that are in none."""

from __future__ import annotations

from typing import Any

from moorage.compute.context import Compute
from moorage.compute.hypervisors import Hypervisor, hypervisors
from moorage.compute.model.aggregate import DEFAULT_AVAILABILITY_ZONE
from moorage.compute.store import aggregates
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(_request: Request, compute: Compute) -> Answer:
    """GET /os-availability-zone"""
    zones = _zones(compute)
    return json_answer({"availabilityZoneInfo": [_rendered(name, zones[name], None) for name in sorted(zones)]})


def detail(_request: Request, compute: Compute) -> Answer:
    """GET /os-availability-zone/detail"""
    zones = _zones(compute)
    return json_answer(
        {"availabilityZoneInfo": [_rendered(name, zones[name], _services(zones[name])) for name in sorted(zones)]}
    )


def _zones(compute: Compute) -> dict[str, list[Hypervisor]]:
    """The enabled hosts of every zone that has any host or is named by an aggregate with hosts."""
    by_host = {
        host: aggregate.availability_zone
        for aggregate in compute.read(aggregates.all_aggregates)
        if aggregate.availability_zone is not None
        for host in aggregate.hosts
    }
    zones: dict[str, list[Hypervisor]] = {zone: [] for zone in by_host.values()}
    for host in hypervisors(compute.placement):
        enabled = zones.setdefault(by_host.get(host.name, DEFAULT_AVAILABILITY_ZONE), [])
        if not host.is_disabled:
            enabled.append(host)
    return zones


def _services(hosts: list[Hypervisor]) -> dict[str, Any]:
    state = {"available": True, "active": True, "updated_at": None}
    return {host.name: {"nova-compute": state} for host in hosts}


def _rendered(zone: str, hosts: list[Hypervisor], services: dict[str, Any] | None) -> dict[str, Any]:
    """A zone without an enabled host is there, and not available."""
    return {"zoneName": zone, "zoneState": {"available": bool(hosts)}, "hosts": services if hosts else None}

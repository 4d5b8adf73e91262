"""Hypervisors: the hosts that Placement knows as compute nodes, with what they have and what of it is in use."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from moorage.compute import hypervisors as hosts
from moorage.compute.api import paging, values
from moorage.compute.context import Compute
from moorage.compute.hypervisors import Hypervisor
from moorage.compute.store.servers_by_host import HostedServer, server_counts, servers_by_host
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import HttpError, bad_request, not_found
from moorage.web.request import Request
from moorage.web.schema import is_uuid_like

_WITHOUT_STOCKS = (2, 88)
"""Since this version hypervisors are listed without what they have."""


def index(request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors"""
    return _list(request, compute, "/v2.1/os-hypervisors", detailed=False)


def detail(request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors/detail"""
    return _list(request, compute, "/v2.1/os-hypervisors/detail", detailed=True)


def show(request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors/{hypervisor_id}"""
    host = _find(request, compute)
    shown = _rendered(request, host) | _details(
        request, host, len(compute.read(servers_by_host, host.name).get(host.name, ()))
    )
    return json_answer({"hypervisor": shown | _servers(request, compute, [host]).get(host.name, {})})


def search(request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors/{hypervisor_id}/search"""
    found = _matching(compute, request.path["hypervisor_id"])
    return json_answer({"hypervisors": [_rendered(request, host) for host in found]})


def servers(request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors/{hypervisor_id}/servers"""
    found = _matching(compute, request.path["hypervisor_id"])
    on_hosts = compute.read(servers_by_host)
    shown = [
        _rendered(request, host) | ({"servers": _listed(on_hosts[host.name])} if on_hosts.get(host.name) else {})
        for host in found
    ]
    return json_answer({"hypervisors": shown})


def uptime(request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors/{hypervisor_id}/uptime"""
    host = _find(request, compute)
    # The command line knows what to make of this answer, and nothing of an empty one.
    raise HttpError(HTTPStatus.NOT_IMPLEMENTED, f"Agents do not report for how long {host.name} has been running.")


def statistics(_request: Request, compute: Compute) -> Answer:
    """GET /os-hypervisors/statistics"""
    found = hosts.with_stocks(compute.placement, hosts.hypervisors(compute.placement))
    running = compute.read(server_counts)
    figures = [_figures(host, running.get(host.name, 0)) for host in found if not host.is_disabled]
    names = _figures(Hypervisor("0" * 32, "", is_disabled=False), 0)
    totals = {name: sum(each[name] for each in figures) for name in names}
    return json_answer({"hypervisor_statistics": {"count": len(figures), **totals}})


def _list(request: Request, compute: Compute, path: str, *, detailed: bool) -> Answer:
    pattern = request.parameters.last("hypervisor_hostname_pattern") if request.version >= (2, 53) else None
    links: list[dict[str, Any]] = []
    if pattern is not None:
        if "limit" in request.parameters or "marker" in request.parameters:
            raise bad_request("Paging over hypervisors with the hypervisor_hostname_pattern query is not supported.")
        shown = _matching(compute, pattern)
    else:
        shown = hosts.hypervisors(compute.placement)
        if request.version >= (2, 33):
            shown = paging.page(request, shown, lambda host: str(_id(request, host)))
            links = paging.links(request, path, shown, lambda host: str(_id(request, host)))
    if detailed and request.version < _WITHOUT_STOCKS:
        shown = hosts.with_stocks(compute.placement, shown)
    running = compute.read(server_counts) if detailed else {}
    on_hosts = _servers(request, compute, shown)
    rendered = [
        _rendered(request, host)
        | (_details(request, host, running.get(host.name, 0)) if detailed else {})
        | on_hosts.get(host.name, {})
        for host in shown
    ]
    return json_answer({"hypervisors": rendered, **({"hypervisors_links": links} if links else {})})


def _matching(compute: Compute, pattern: str) -> list[Hypervisor]:
    found = [host for host in hosts.hypervisors(compute.placement) if pattern in host.name]
    if not found:
        raise not_found(f"No hypervisor matching '{pattern}' could be found.")
    return found


def _find(request: Request, compute: Compute) -> Hypervisor:
    given = request.path["hypervisor_id"]
    missing = not_found(f"Hypervisor with ID '{given}' could not be found.")
    if request.version >= (2, 53):
        if not is_uuid_like(given):
            raise bad_request(f"Invalid uuid {given}")
        uuid = given
    else:
        numbers = {str(host.number): host.uuid for host in hosts.hypervisors(compute.placement)}
        if given not in numbers:
            raise missing
        uuid = numbers[given]
    host = hosts.hypervisor(compute.placement, uuid)
    if host is None:
        raise missing
    return host


def _id(request: Request, host: Hypervisor) -> str | int:
    return host.uuid if request.version >= (2, 53) else host.number


def _rendered(request: Request, host: Hypervisor) -> dict[str, Any]:
    return {
        "id": _id(request, host),
        "hypervisor_hostname": host.name,
        # What Placement has is what was reported last; whether the host still runs is not known there.
        "state": "up",
        "status": "disabled" if host.is_disabled else "enabled",
    }


def _details(request: Request, host: Hypervisor, running: int) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "hypervisor_type": "moorage",
        "hypervisor_version": 0,
        "host_ip": None,
        "service": {"id": _id(request, host), "host": host.name, "disabled_reason": None},
    }
    if request.version >= _WITHOUT_STOCKS:
        return shown | {"uptime": None}
    return shown | _figures(host, running) | {"cpu_info": {} if request.version >= (2, 28) else ""}


def _figures(host: Hypervisor, running: int) -> dict[str, int]:
    processors, memory, disk = host.stock("VCPU", "PCPU"), host.stock("MEMORY_MB"), host.stock("DISK_GB")
    return {
        "vcpus": processors.total,
        "vcpus_used": processors.used,
        "memory_mb": memory.total,
        "memory_mb_used": memory.taken,
        "free_ram_mb": memory.total - memory.taken,
        "local_gb": disk.total,
        "local_gb_used": disk.taken,
        "free_disk_gb": disk.total - disk.taken,
        "disk_available_least": disk.total - disk.taken,
        "current_workload": 0,
        "running_vms": running,
    }


def _servers(request: Request, compute: Compute, shown: Sequence[Hypervisor]) -> dict[str, dict[str, Any]]:
    """The servers of each host, where the request asks for them."""
    wanted = request.parameters.last("with_servers")
    if request.version < (2, 53) or wanted is None or not values.boolean(wanted, "with_servers"):
        return {}
    on_hosts = compute.read(servers_by_host, shown[0].name) if len(shown) == 1 else compute.read(servers_by_host)
    return {
        host.name: {"servers": _listed(on_hosts.get(host.name, ()))}
        for host in shown
        if on_hosts.get(host.name) or request.version >= (2, 75)
    }


def _listed(found: Sequence[HostedServer]) -> list[dict[str, str]]:
    return [{"uuid": server.uuid, "name": server.name} for server in found]

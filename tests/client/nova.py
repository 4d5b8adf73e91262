"""What a Nova says and a Moorage never does: answers as Nova 34 gives them, in pages of two."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

_VERSION = {
    "id": "v2.1",
    "status": "CURRENT",
    "version": "2.103",
    "min_version": "2.1",
    "links": [{"rel": "self", "href": "http://nova/v2.1/"}],
}
_ATTACHMENT = {"id": "vol-1", "volumeId": "vol-1", "serverId": "s1", "device": "/dev/vda"}
_SERVICE = {
    "id": "4f2a",
    "binary": "nova-compute",
    "host": "h1",
    "zone": "nova",
    "status": "disabled",
    "state": "down",
    "updated_at": "2026-01-01T00:00:00.000000",
    "disabled_reason": "maintenance",
    "forced_down": True,
}
_LIMITS = {
    "absolute": {"maxTotalCores": 10, "totalCoresUsed": 3},
    "rate": [],
    "absolutePerFlavor": {"big": {"maxTotalInstances": 4, "totalInstancesUsed": 1}},
}
_QUOTA_CLASS = {"id": "default", "cores": 20, "instances": 10}


def _hypervisor(name: str) -> dict[str, Any]:
    return {
        "id": f"uuid-of-{name}",
        "hypervisor_hostname": f"{name}.example.org",
        "state": "up",
        "status": "enabled",
        "hypervisor_type": "QEMU",
        "hypervisor_version": 4002001,
        "host_ip": "192.0.2.1",
        "service": {"id": "4f2a", "host": name, "disabled_reason": None},
        "vcpus": 64,
        "vcpus_used": 3,
        "memory_mb": 4096,
        "memory_mb_used": 512,
        "local_gb": 1028,
        "local_gb_used": 0,
        "free_ram_mb": 3584,
        "free_disk_gb": 1028,
        "current_workload": 0,
        "running_vms": 1,
        "disk_available_least": None,
        "cpu_info": {"arch": "x86_64"},
    }


class Nova:
    """A compute service with hypervisors; `disturbed` removes the first one behind whoever reads the list."""

    def __init__(self, *hosts: str, disturbed: bool = False) -> None:
        self.hosts = list(hosts)
        self._disturbed = disturbed

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        query = {name: values[-1] for name, values in parse_qs(environ["QUERY_STRING"]).items()}
        content = self._answer(environ["PATH_INFO"], query)
        kind = next(iter(content))
        status = {"itemNotFound": "404 Not Found", "badRequest": "400 Bad Request"}.get(kind, "200 OK")
        start_response(status, [("content-type", "application/json")])
        return [json.dumps(content).encode()]

    def _answer(self, path: str, query: dict[str, str]) -> dict[str, Any]:
        fixed: dict[str, dict[str, Any]] = {
            "/": {"version": _VERSION},
            "/os-services": {"services": [_SERVICE]},
            "/servers/s1/os-volume_attachments": {"volumeAttachments": [_ATTACHMENT]},
            "/limits": {"limits": _LIMITS},
            "/os-quota-class-sets/default": {"quota_class_set": _QUOTA_CLASS},
        }
        if path == "/os-hypervisors/detail":
            return self._page(query)
        return fixed.get(path) or {"itemNotFound": {"code": 404, "message": "Nothing is there."}}

    def _page(self, query: dict[str, str]) -> dict[str, Any]:
        ids = [f"uuid-of-{host}" for host in self.hosts]
        start = 0
        if "marker" in query:
            if query["marker"] not in ids:
                return {"badRequest": {"code": 400, "message": f"marker [{query['marker']}] not found"}}
            start = ids.index(query["marker"]) + 1
        shown = self.hosts[start : start + 2]
        answer: dict[str, Any] = {"hypervisors": [_hypervisor(host) for host in shown]}
        if len(shown) == 2:
            answer["hypervisors_links"] = [{"rel": "next", "href": "http://nova/v2.1/os-hypervisors/detail?marker=…"}]
        if self._disturbed:
            self._disturbed = False
            self.hosts.remove(shown[-1])
        return answer

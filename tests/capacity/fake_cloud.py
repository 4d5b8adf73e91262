"""A Nova, Glance, Cinder and Placement that tell what they were given, over WSGI: clouds of vectors, and others.

Without `absolutePerFlavor` in the limits the Nova is a stock one; with it, one that is patched for split flavors.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs
from uuid import NAMESPACE_DNS, uuid5
from wsgiref.types import StartResponse, WSGIEnvironment

from moorage.capacity.reading.services import Services
from moorage.client.compute import ComputeClient
from moorage.client.image import ImageClient
from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.client.volume import VolumeClient

Json = Mapping[str, Any]

SERVER = {"tenant_id": "", "user_id": "", "metadata": {}, "tags": []}


class _Refused(Exception):
    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


@dataclass
class FakeCloud:
    """What is there, in the form of the vectors, and what was asked for."""

    content: Json
    asked: list[str] = field(default_factory=list)
    # What was put to /os-quota-sets.
    quotas: list[Any] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def services(self) -> Services:
        """Clients of it, in this process."""
        return services_over(lambda service: WsgiTransport(self, root=f"/{service}"))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path, query = environ["PATH_INFO"], parse_qs(environ.get("QUERY_STRING", ""))
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        with self._lock:
            self.asked.append(f"{environ['REQUEST_METHOD']} {path}")
        try:
            status, answer = HTTPStatus.OK, self._answer(environ["REQUEST_METHOD"], path, query, body)
        except _Refused as refused:
            status, answer = refused.status, {"itemNotFound": {"code": refused.status, "message": "No."}}
        encoded = json.dumps(answer).encode()
        headers = [("content-type", "application/json"), ("content-length", str(len(encoded)))]
        start_response(f"{status.value} {status.phrase}", headers)
        return [encoded]

    def _answer(self, method: str, path: str, query: Mapping[str, list[str]], body: bytes) -> Any:
        _, service, *parts = path.split("/")
        if method == "PUT" and parts[0] == "os-quota-sets":
            self.quotas.append(json.loads(body))
            return self.quotas[-1]
        found: Any = getattr(self, f"_{service}")(parts, query)
        return found

    # --- each of the services

    def _compute(self, parts: list[str], query: Mapping[str, list[str]]) -> Any:  # noqa: PLR0911 - a table of answers
        content = self.content
        match parts:
            case ["flavors", "detail"]:
                return {"flavors": content["flavors"]}
            case ["os-hypervisors", "detail"]:
                return {"hypervisors": [_hypervisor(each) for each in content["hypervisors"]]}
            case ["os-aggregates"]:
                return {"aggregates": [{"uuid": "", "metadata": {}, **each} for each in content["aggregates"]]}
            case ["servers", "detail"]:
                return {"servers": self._servers(query)}
            case ["limits"]:
                return {"limits": {"rate": [], **content["limits"]}}
            case ["os-quota-class-sets", "default"]:
                return {"quota_class_set": content["default_quota_class_set"]}
            case ["os-server-groups"]:
                offset = int(query["offset"][0])
                groups = content["server_groups"][offset:]
                return {"server_groups": [{"name": "", "user_id": "", "policy": "affinity", **each} for each in groups]}
            case ["servers", server_id, "os-volume_attachments"]:
                return {"volumeAttachments": _there(content["volume_attachments"], server_id)}
        raise _Refused(HTTPStatus.NOT_FOUND)

    def _servers(self, query: Mapping[str, list[str]]) -> list[Json]:
        listed = self.content["servers"]
        if flavor := query.get("flavor"):
            names = {each["id"]: each["name"] for each in self.content["flavors"]}
            return [_located(each, names) for each in listed if each["flavor_id"] == flavor[0]]
        return [{**SERVER, **each} for each in listed]

    def _image(self, parts: list[str], _query: Mapping[str, list[str]]) -> Any:
        image = _there(self.content["images"], parts[1])
        if isinstance(image, int):
            raise _Refused(HTTPStatus(image))
        return {"id": parts[1], "status": "active", **image}

    def _volume(self, parts: list[str], _query: Mapping[str, list[str]]) -> Any:
        return {"volume": {"status": "in-use", "size": 1, **_there(self.content["volumes"], parts[1])}}

    def _placement(self, parts: list[str], _query: Mapping[str, list[str]]) -> Any:
        known = {
            provider_uuid(each): each
            for each in self.content["hypervisors"]
            if not each.get("no_resource_provider", False)
        }
        if parts == ["resource_providers"]:
            named = [(uuid, each["hypervisor_hostname"]) for uuid, each in known.items()]
            shown = [{"uuid": uuid, "name": name, "generation": 1, "root_provider_uuid": uuid} for uuid, name in named]
            return {"resource_providers": shown}
        if parts[0] != "resource_providers":
            raise _Refused(HTTPStatus.NOT_FOUND)
        return {"resource_provider_generation": 1, parts[2]: _there(known, parts[1])[parts[2]]}


def services_over(transport: Any) -> Services:
    """Clients whose transport is made from the name of the service."""

    def to(service: str) -> Transport:
        made: Transport = transport(service)
        return made

    return Services(
        PlacementClient(to("placement")),
        ComputeClient(to("compute")),
        ImageClient(to("image")),
        VolumeClient(to("volume")),
    )


def _there(known: Mapping[str, Any], name: str) -> Any:
    if name not in known:
        raise _Refused(HTTPStatus.NOT_FOUND)
    return known[name]


def provider_uuid(hypervisor: Json) -> str:
    """The id of its resource provider."""
    return str(uuid5(NAMESPACE_DNS, hypervisor["hypervisor_hostname"]))


def _hypervisor(each: Json) -> Json:
    return {
        "id": each["id"],
        "hypervisor_hostname": each["hypervisor_hostname"],
        "hypervisor_type": each["hypervisor_type"],
        "running_vms": each["running_vms"],
        "state": "up",
        "status": "enabled",
        "service": {"host": each["service_host"], "id": each["id"]},
    }


def _located(each: Json, names: Mapping[str, str]) -> Json:
    """A server as the vectors of capacity have it: where it is, and nothing else."""
    return {
        **SERVER,
        "id": each["id"],
        "name": each["id"],
        "status": "ACTIVE",
        "flavor": {"original_name": names[each["flavor_id"]], "vcpus": 0, "ram": 0, "disk": 0},
        "OS-EXT-AZ:availability_zone": each["availability_zone"],
        "OS-EXT-SRV-ATTR:hypervisor_hostname": each["hypervisor_hostname"],
    }

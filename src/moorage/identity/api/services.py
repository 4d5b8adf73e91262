"""Services, endpoints, the region and the domain: read-only, since they follow from what is served."""

from __future__ import annotations

from moorage.identity.api import rendering
from moorage.identity.api.lists import list_answer
from moorage.identity.errors import NotFound
from moorage.identity.model import DOMAIN_ID
from moorage.identity.room import Room
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def services(request: Request, room: Room) -> Answer:
    """GET /v3/services"""
    shown = [rendering.service(service, request.base_url) for service in room.catalog.services]
    return list_answer(request, "services", "/v3/services", shown, ("id", "type", "name"))


def service(request: Request, room: Room) -> Answer:
    """GET /v3/services/{service_id}"""
    for found in room.catalog.services:
        if found.id == request.path["service_id"]:
            return json_answer({"service": rendering.service(found, request.base_url)})
    raise NotFound("service", request.path["service_id"])


def endpoints(request: Request, room: Room) -> Answer:
    """GET /v3/endpoints"""
    found = room.catalog.endpoints(request.base_url)
    shown = [rendering.endpoint(endpoint, request.base_url) for endpoint in found]
    return list_answer(request, "endpoints", "/v3/endpoints", shown, ("id", "interface", "service_id", "region_id"))


def endpoint(request: Request, room: Room) -> Answer:
    """GET /v3/endpoints/{endpoint_id}"""
    for found in room.catalog.endpoints(request.base_url):
        if found.id == request.path["endpoint_id"]:
            return json_answer({"endpoint": rendering.endpoint(found, request.base_url)})
    raise NotFound("endpoint", request.path["endpoint_id"])


def regions(request: Request, room: Room) -> Answer:
    """GET /v3/regions"""
    shown = [rendering.region(room.catalog.region, request.base_url)]
    return list_answer(request, "regions", "/v3/regions", shown, ("id", "parent_region_id"))


def region(request: Request, room: Room) -> Answer:
    """GET /v3/regions/{region_id}"""
    if request.path["region_id"] != room.catalog.region:
        raise NotFound("region", request.path["region_id"])
    return json_answer({"region": rendering.region(room.catalog.region, request.base_url)})


def domains(request: Request, _room: Room) -> Answer:
    """GET /v3/domains"""
    return list_answer(request, "domains", "/v3/domains", [rendering.domain(request.base_url)], ("name", "enabled"))


def domain(request: Request, _room: Room) -> Answer:
    """GET /v3/domains/{domain_id}"""
    if request.path["domain_id"] != DOMAIN_ID:
        raise NotFound("domain", request.path["domain_id"])
    return json_answer({"domain": rendering.domain(request.base_url)})

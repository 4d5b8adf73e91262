"""Servers: ordered, listed, shown, renamed, deleted."""

from __future__ import annotations

import secrets
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from moorage.compute.api import values
from moorage.compute.api.paging import MOST
from moorage.compute.api.server_access import Zones, answered, server_of, sight_of
from moorage.compute.api.server_orders import order_of
from moorage.compute.api.server_queries import listing
from moorage.compute.api.server_views import brief, full, made
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.servers import creation, deletion
from moorage.compute.servers.errors import ServerNotFound
from moorage.compute.store import servers as server_store
from moorage.compute.store.server_listing import list_servers
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.request import Request

_RULE = "os_compute_api:servers:"


@answered
def index(request: Request, compute: Compute) -> Answer:
    """GET /servers"""
    found, links = _page(request, compute, "/v2.1/servers")
    return json_answer({"servers": [brief(request, server) for server in found], **links})


@answered
def detail(request: Request, compute: Compute) -> Answer:
    """GET /servers/detail"""
    found, links = _page(request, compute, "/v2.1/servers/detail")
    sight, zones = sight_of(request, compute), Zones(compute)
    shown = [full(request, server, zones.of(server), sight, shown=False) for server in found]
    return json_answer({"servers": shown, **links})


@answered
def show(request: Request, compute: Compute) -> Answer:
    """GET /servers/{server_id}"""
    return shown(request, compute, server_of(request, compute, f"{_RULE}show"))


@answered
def create(request: Request, compute: Compute) -> Answer:
    """POST /servers"""
    catalogue = compute.catalogue()
    servers = creation.create(compute, catalogue, order_of(request, compute, catalogue))
    password = request.content["server"].get("adminPass") or secrets.token_urlsafe(9)
    content = made(request, servers, password)
    location = {"location": content["links"][0]["href"]}
    return json_answer({"server": content}, HTTPStatus.ACCEPTED, location)


@answered
def update(request: Request, compute: Compute) -> Answer:
    """PUT /servers/{server_id}"""
    server = server_of(request, compute, f"{_RULE}update")
    wanted = request.content["server"]
    name = values.name(wanted["name"]) if "name" in wanted else None

    def renamed(now: Server) -> Server:
        return replace(now, name=name or now.name, description=wanted.get("description", now.description))

    changed = compute.write(server_store.change, server.uuid, renamed)
    if changed is None:
        raise ServerNotFound(server.uuid)
    return shown(request, compute, changed)


@answered
def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /servers/{server_id}"""
    deletion.delete(compute, server_of(request, compute, f"{_RULE}delete").uuid)
    return empty_answer()


def shown(request: Request, compute: Compute, server: Server, status: HTTPStatus = HTTPStatus.OK) -> Answer:
    """A server by itself."""
    zone = Zones(compute).of(server)
    return json_answer({"server": full(request, server, zone, sight_of(request, compute))}, status)


def _page(request: Request, compute: Compute, path: str) -> tuple[list[Server], dict[str, Any]]:
    """The servers to show, and where the next ones are."""
    asked = request.parameters.last("limit")
    limit = MOST if asked is None else min(values.whole_number(asked, "limit"), MOST)
    found = compute.read(list_servers, listing(request, compute), limit) if limit else []
    if not limit or len(found) < limit:
        return found, {}
    kept = [(name, value) for name, value in request.parameters.pairs if name not in {"limit", "marker"}]
    query = urlencode([*kept, ("limit", str(limit)), ("marker", found[-1].uuid)])
    return found, {"servers_links": [{"rel": "next", "href": f"{request.base_url}{path}?{query}"}]}

"""The tags of a server: words that its owner finds it by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus

from moorage.compute.api.schemas.servers import TAG
from moorage.compute.api.server_access import answered, server_of
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.servers.errors import ServerNotFound
from moorage.compute.store import servers as server_store
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request, not_found
from moorage.web.request import Request

_RULE = "os_compute_api:os-server-tags:"

MOST_TAGS = 50
"""So many tags at most a server may have."""


@answered
def index(request: Request, compute: Compute) -> Answer:
    """GET /servers/{server_id}/tags"""
    return json_answer({"tags": sorted(server_of(request, compute, f"{_RULE}index").tags)})


@answered
def replace_all(request: Request, compute: Compute) -> Answer:
    """PUT /servers/{server_id}/tags"""
    wanted = frozenset(request.content["tags"])
    server = server_of(request, compute, f"{_RULE}update_all")
    return json_answer({"tags": sorted(_changed(compute, server, lambda _old: wanted))})


@answered
def delete_all(request: Request, compute: Compute) -> Answer:
    """DELETE /servers/{server_id}/tags"""
    _changed(compute, server_of(request, compute, f"{_RULE}delete_all"), lambda _old: frozenset())
    return empty_answer()


@answered
def show(request: Request, compute: Compute) -> Answer:
    """GET /servers/{server_id}/tags/{tag}"""
    server = server_of(request, compute, f"{_RULE}show")
    _require(server, request.path["tag"])
    return empty_answer()


@answered
def add(request: Request, compute: Compute) -> Answer:
    """PUT /servers/{server_id}/tags/{tag}"""
    tag = request.path["tag"]
    TAG.check(tag)
    server = server_of(request, compute, f"{_RULE}update")
    if tag in server.tags:
        return empty_answer()
    _changed(compute, server, lambda old: old | {tag})
    href = f"{request.base_url}/v2.1/servers/{server.uuid}/tags/{tag}"
    return empty_answer(HTTPStatus.CREATED, {"location": href})


@answered
def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /servers/{server_id}/tags/{tag}"""
    server = server_of(request, compute, f"{_RULE}delete")
    _require(server, request.path["tag"])
    _changed(compute, server, lambda old: old - {request.path["tag"]})
    return empty_answer()


def _changed(compute: Compute, server: Server, make: Callable[[frozenset[str]], frozenset[str]]) -> frozenset[str]:
    def changed(now: Server) -> Server:
        tags = make(now.tags)
        if len(tags) > MOST_TAGS:
            raise bad_request(f"The number of tags exceeded the per-server limit {MOST_TAGS}")
        return replace(now, tags=tags)

    written = compute.write(server_store.change, server.uuid, changed)
    if written is None:
        raise ServerNotFound(server.uuid)
    return written.tags


def _require(server: Server, tag: str) -> None:
    if tag not in server.tags:
        raise not_found(f"Server {server.uuid} has no tag '{tag}'")

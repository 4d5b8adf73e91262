"""The metadata of a server: keys and values that its owner notes down with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from moorage.compute.api.server_access import answered, server_of
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.quotas import limits_for
from moorage.compute.servers.errors import ServerNotFound
from moorage.compute.servers.quotas import check_metadata
from moorage.compute.store import servers as server_store
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request, not_found
from moorage.web.request import Request

_RULE = "os_compute_api:server-metadata:"


@answered
def index(request: Request, compute: Compute) -> Answer:
    """GET /servers/{server_id}/metadata"""
    return _answer(server_of(request, compute, f"{_RULE}index").metadata)


@answered
def create(request: Request, compute: Compute) -> Answer:
    """POST /servers/{server_id}/metadata"""
    return _answer(_changed(request, compute, "create", lambda old: {**old, **request.content["metadata"]}))


@answered
def replace_all(request: Request, compute: Compute) -> Answer:
    """PUT /servers/{server_id}/metadata"""
    return _answer(_changed(request, compute, "update_all", lambda _old: request.content["metadata"]))


@answered
def show(request: Request, compute: Compute) -> Answer:
    """GET /servers/{server_id}/metadata/{key}"""
    metadata, key = server_of(request, compute, f"{_RULE}show").metadata, request.path["key"]
    _require(metadata, key)
    return json_answer({"meta": {key: metadata[key]}})


@answered
def update(request: Request, compute: Compute) -> Answer:
    """PUT /servers/{server_id}/metadata/{key}"""
    item, key = request.content["meta"], request.path["key"]
    if key not in item:
        raise bad_request("Request body and URI mismatch")
    _changed(request, compute, "update", lambda old: {**old, **item})
    return json_answer({"meta": item})


@answered
def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /servers/{server_id}/metadata/{key}"""
    key = request.path["key"]

    def without(old: Mapping[str, str]) -> Mapping[str, str]:
        _require(old, key)
        return {name: value for name, value in old.items() if name != key}

    _changed(request, compute, "delete", without)
    return empty_answer()


def _changed(
    request: Request, compute: Compute, what: str, make: Callable[[Mapping[str, str]], Mapping[str, str]]
) -> Mapping[str, str]:
    server = server_of(request, compute, f"{_RULE}{what}")
    limits = compute.read(limits_for, compute.settings, server.project_id)

    def changed(now: Server) -> Server:
        metadata = make(now.metadata)
        check_metadata(metadata, limits)
        return replace(now, metadata=metadata)

    written = compute.write(server_store.change, server.uuid, changed)
    if written is None:
        raise ServerNotFound(server.uuid)
    return written.metadata


def _require(metadata: Mapping[str, str], key: str) -> None:
    if key not in metadata:
        raise not_found("Metadata item was not found")


def _answer(metadata: Mapping[str, str]) -> Answer:
    return json_answer({"metadata": dict(metadata)})

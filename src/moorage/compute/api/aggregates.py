"""Host aggregates: groups of hosts with metadata. Placement has them too, under the same UUIDs."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import Any

from moorage.compute import membership
from moorage.compute.api import values
from moorage.compute.context import Compute
from moorage.compute.model.aggregate import AVAILABILITY_ZONE, HostAggregate
from moorage.compute.store import aggregates
from moorage.compute.store.errors import InUse
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request, conflict
from moorage.web.request import Request


def index(request: Request, compute: Compute) -> Answer:
    """GET /os-aggregates"""
    found = compute.read(aggregates.all_aggregates)
    return json_answer({"aggregates": [_rendered(request, aggregate) for aggregate in found]})


def create(request: Request, compute: Compute) -> Answer:
    """POST /os-aggregates"""
    new = request.content["aggregate"]
    zone = new.get("availability_zone")
    metadata = {} if zone is None else {AVAILABILITY_ZONE: zone}
    _check_zone(zone)
    aggregate = compute.write(aggregates.create, str(uuid.uuid4()), values.name(new["name"]), metadata)
    shown = _rendered(request, aggregate)
    # A new aggregate has always been shown without what it cannot have yet.
    del shown["hosts"], shown["metadata"]
    return json_answer({"aggregate": shown})


def show(request: Request, compute: Compute) -> Answer:
    """GET /os-aggregates/{aggregate_id}"""
    return _answer(request, compute.read(aggregates.find, _number(request)))


def update(request: Request, compute: Compute) -> Answer:
    """PUT /os-aggregates/{aggregate_id}"""
    changes = request.content["aggregate"]
    metadata: dict[str, str | None] = {}
    if "availability_zone" in changes:
        metadata[AVAILABILITY_ZONE] = changes["availability_zone"]
        _check_zone(changes["availability_zone"])
    name = values.name(changes["name"].strip()) if "name" in changes else None
    return _answer(request, compute.write(aggregates.update_metadata, _number(request), metadata, name))


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /os-aggregates/{aggregate_id}"""
    compute.write(aggregates.remove, _number(request))
    return empty_answer(HTTPStatus.OK)


def action(request: Request, compute: Compute) -> Answer:
    """POST /os-aggregates/{aggregate_id}/action"""
    [(what, content)] = request.content.items()
    number = _number(request)
    if what == "set_metadata":
        metadata = content["metadata"]
        _check_zone(metadata.get(AVAILABILITY_ZONE))
        return _answer(request, compute.write(aggregates.update_metadata, number, metadata))
    change = membership.add_host if what == "add_host" else membership.remove_host
    try:
        return _answer(request, change(compute, number, content["host"]))
    except InUse as error:
        raise conflict(str(error)) from error


def _check_zone(zone: str | None) -> None:
    """Refuse what cannot be the name of a zone, in whichever way it comes."""
    if zone is None:
        return
    values.name(zone, AVAILABILITY_ZONE)
    if ":" in zone:
        # It would be read as the beginning of a host's name when a server is asked for in the zone.
        raise bad_request(f"Invalid input for field/attribute {AVAILABILITY_ZONE}. Value: {zone}. It has a colon.")


def _number(request: Request) -> int:
    return values.whole_number(request.path["aggregate_id"], "id")


def _answer(request: Request, aggregate: HostAggregate) -> Answer:
    return json_answer({"aggregate": _rendered(request, aggregate)})


def _rendered(request: Request, aggregate: HostAggregate) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": aggregate.id,
        "name": aggregate.name,
        "availability_zone": aggregate.availability_zone,
        "hosts": sorted(aggregate.hosts),
        "metadata": dict(aggregate.metadata),
        "created_at": aggregate.created_at.isoformat(),
        "updated_at": aggregate.updated_at and aggregate.updated_at.isoformat(),
        "deleted": False,
        "deleted_at": None,
    }
    if request.version >= (2, 41):
        shown["uuid"] = aggregate.uuid
    return shown

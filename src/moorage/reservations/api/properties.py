"""The properties that hosts have, for those who write conditions."""

from __future__ import annotations

from typing import Any

from moorage.reservations.api.dates import stamp
from moorage.reservations.api.leases import is_true
from moorage.reservations.room import Room
from moorage.reservations.store import properties
from moorage.reservations.store.errors import NotFound
from moorage.reservations.store.properties import Property
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def index(request: Request, room: Room) -> Answer:
    """GET /os-hosts/properties"""
    detail = is_true(request.parameters.last("detail"))
    hidden_too = is_true(request.parameters.last("all"))
    shown = [found for found in room.read(properties.everything) if hidden_too or not found.private]
    return json_answer({"resource_properties": [_item(found, detail=detail) for found in shown]})


def update(request: Request, room: Room) -> Answer:
    """PATCH /os-hosts/properties/{property_name}"""
    name = request.path["property_name"]
    room.write(properties.set_private, name, private=request.content["private"])
    found = next((one for one in room.read(properties.everything) if one.name == name), None)
    if found is None:
        raise NotFound(f"Resource property {name} could not be found.")
    view = {
        "id": found.id,
        "resource_type": "physical:host",
        "property_name": found.name,
        "private": found.private,
        "created_at": stamp(found.created_at),
        "updated_at": stamp(found.updated_at),
    }
    return json_answer({"resource_property": view})


def _item(found: Property, *, detail: bool) -> dict[str, Any]:
    item: dict[str, Any] = {"property": found.name}
    if detail:
        item |= {"private": found.private, "values": list(found.values)}
    return item

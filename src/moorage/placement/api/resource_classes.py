"""Resource classes."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from moorage.placement.api.answer import Answer, empty_answer, json_answer, newest
from moorage.placement.api.errors import Wording, Wordings, reworded
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import names as schemas
from moorage.placement.api.validation import body_of, validated
from moorage.placement.ledger import Ledger
from moorage.placement.model.errors import ResourceClassExists, ResourceClassInUse, StandardResourceClass
from moorage.placement.store import names


def index(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_classes"""
    found = ledger.cloud().classes.values()
    content = {"resource_classes": [_render(request, item.name) for item in found]}
    return json_answer(content, request.version, newest(item.updated_at for item in found))


def show(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_classes/{name}"""
    name = request.path["name"]
    cloud = ledger.cloud()
    cloud.check_classes([name])
    return json_answer(_render(request, name), request.version, cloud.classes[name].updated_at)


def create(request: Request, ledger: Ledger) -> Answer:
    """POST /resource_classes"""
    name = body_of(request)["name"]
    taken = f"Conflicting resource class already exists: {name}"
    with reworded({ResourceClassExists: Wording(HTTPStatus.CONFLICT, taken)}):
        ledger.write(names.create_resource_class, name)
    return empty_answer(HTTPStatus.CREATED, location=_url(request, name))


def rename(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_classes/{name}, until 1.6"""
    old = request.path["name"]
    new = body_of(request)["name"]
    wordings: Wordings = {
        ResourceClassExists: Wording(HTTPStatus.CONFLICT, f"Resource class already exists: {new}"),
        StandardResourceClass: Wording(HTTPStatus.BAD_REQUEST, f"Cannot update standard resource class {old}"),
    }
    with reworded(wordings):
        ledger.write(names.rename_resource_class, old, new)
    return json_answer(_render(request, new), request.version)


def ensure(request: Request, ledger: Ledger) -> Answer:
    """PUT /resource_classes/{name}, since 1.7"""
    name = request.path["name"]
    validated({"name": name}, schemas.RESOURCE_CLASS)
    created = ledger.write(names.ensure_resource_class, name)
    status = HTTPStatus.CREATED if created else HTTPStatus.NO_CONTENT
    return empty_answer(status, location=_url(request, name))


def delete(request: Request, ledger: Ledger) -> Answer:
    """DELETE /resource_classes/{name}"""
    wordings: Wordings = {
        StandardResourceClass: Wording(HTTPStatus.BAD_REQUEST, "Error in delete resource class: {error}"),
        ResourceClassInUse: Wording(HTTPStatus.CONFLICT, "Error in delete resource class: {error}"),
    }
    with reworded(wordings):
        ledger.write(names.delete_resource_class, request.path["name"])
    return empty_answer()


def _url(request: Request, name: str) -> str:
    return f"{request.prefix}/resource_classes/{name}"


def _render(request: Request, name: str) -> dict[str, Any]:
    return {"name": name, "links": [{"rel": "self", "href": _url(request, name)}]}

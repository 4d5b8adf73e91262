"""Images: to register, list, show, change and forget them."""

from __future__ import annotations

import uuid
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from moorage.compute.context import Compute
from moorage.compute.image_api import access, fields
from moorage.compute.image_api.patch import patched
from moorage.compute.image_api.query import parse_limit, parse_listing
from moorage.compute.model.image import Image
from moorage.compute.store import images
from moorage.compute.store.image_listing import list_images
from moorage.db.database import Transaction, utc_now
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request


def index(request: Request, compute: Compute) -> Answer:
    """GET /v2/images"""
    caller = request.known_caller
    wanted = parse_listing(request.parameters, caller.project_id or "", is_admin=compute.is_admin(caller))
    limit = parse_limit(request.parameters)
    shown = compute.read(list_images, wanted, limit)
    content: dict[str, Any] = {
        "images": [fields.rendered(image) for image in shown],
        "first": _address(request),
        "schema": "/v2/schemas/images",
    }
    if shown and len(shown) == limit:
        content["next"] = _address(request, ("marker", shown[-1].uuid))
    return json_answer(content)


def create(request: Request, compute: Compute) -> Answer:
    """POST /v2/images"""
    given: dict[str, Any] = request.content
    caller = request.known_caller
    if caller.project_id is None:
        raise forbidden("An image belongs to a project, and the caller has none.")
    for name in given:
        fields.check_key(name)
    now = utc_now()
    blank = Image(
        uuid=given.get("id", str(uuid.uuid4())).lower(),
        name=None,
        owner=caller.project_id,
        created_at=now,
        updated_at=now,
    )
    image = fields.with_fields(
        blank, {name: value for name, value in given.items() if (name, value) != ("owner", None)}
    )
    access.check_fields(request, compute, None, image)
    made = compute.write(images.create, image)
    location = f"{request.base_url}/v2/images/{made.uuid}"
    return json_answer(fields.rendered(made), HTTPStatus.CREATED, {"location": location})


def show(request: Request, compute: Compute) -> Answer:
    """GET /v2/images/{image_id}"""
    return json_answer(fields.rendered(access.visible(request, compute)))


def update(request: Request, compute: Compute) -> Answer:
    """PATCH /v2/images/{image_id}"""
    access.own(request, compute, "modify_image")

    def work(tx: Transaction) -> Image:
        before = images.lock(tx, request.path["image_id"])
        after = patched(before, request.content)
        access.check_fields(request, compute, before, after)
        return images.replace(tx, after)

    return json_answer(fields.rendered(compute.write(work)))


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /v2/images/{image_id}"""
    compute.write(images.remove, access.own(request, compute, "delete_image").uuid)
    return empty_answer()


def _address(request: Request, *further: tuple[str, str]) -> str:
    replaced = {"marker"}
    kept = [(name, value) for name, value in request.parameters.pairs if name not in replaced]
    query = urlencode([*kept, *further])
    return f"/v2/images?{query}" if query else "/v2/images"

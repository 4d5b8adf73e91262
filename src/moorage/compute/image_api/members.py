"""Members of a shared image: the projects it is shared with, each of which accepts it or does not."""

from __future__ import annotations

from typing import Any

from moorage.compute.context import Compute
from moorage.compute.image_api import access
from moorage.compute.model.image import Image
from moorage.compute.store import images
from moorage.compute.store.errors import NotFound
from moorage.compute.store.images import Member
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import open_record

STATUSES = ("pending", "accepted", "rejected")

_PROJECT: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
CREATE = Schema(open_record({"member": _PROJECT}))
UPDATE = Schema(open_record({"status": {"type": "string", "enum": list(STATUSES)}}))


def index(request: Request, compute: Compute) -> Answer:
    """GET /v2/images/{image_id}/members"""
    image = _shared(request, compute)
    found = [member for member in compute.read(images.members, image.uuid) if _knows(request, compute, image, member)]
    return json_answer({"members": [_rendered(member) for member in found], "schema": "/v2/schemas/members"})


def create(request: Request, compute: Compute) -> Answer:
    """POST /v2/images/{image_id}/members"""
    image = _shared(request, compute)
    access.check(request, compute, "add_member", image.owner)
    return json_answer(_rendered(compute.write(images.share, image.uuid, request.content["member"])))


def show(request: Request, compute: Compute) -> Answer:
    """GET /v2/images/{image_id}/members/{member_id}"""
    image = _shared(request, compute)
    member = compute.read(images.member, image.uuid, request.path["member_id"])
    if not _knows(request, compute, image, member):
        raise NotFound(f"{member.project_id} is not a member of the image {image.uuid}.")
    return json_answer(_rendered(member))


def update(request: Request, compute: Compute) -> Answer:
    """PUT /v2/images/{image_id}/members/{member_id}"""
    image, project_id = _shared(request, compute), request.path["member_id"]
    # Whether a project wants an image is for the project to say, not for the image's owner.
    access.check(request, compute, "modify_member", project_id)
    return json_answer(_rendered(compute.write(images.answer, image.uuid, project_id, request.content["status"])))


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /v2/images/{image_id}/members/{member_id}"""
    image = _shared(request, compute)
    access.check(request, compute, "delete_member", image.owner)
    compute.write(images.unshare, image.uuid, request.path["member_id"])
    return empty_answer()


def _shared(request: Request, compute: Compute) -> Image:
    image = access.visible(request, compute)
    if image.visibility != "shared":
        raise forbidden("Only shared images have members.")
    return image


def _knows(request: Request, compute: Compute, image: Image, member: Member) -> bool:
    """The owner knows all members; a member knows itself."""
    caller = request.known_caller
    return caller.project_id in (image.owner, member.project_id) or compute.is_admin(caller)


def _rendered(member: Member) -> dict[str, Any]:
    return {
        "image_id": member.image_uuid,
        "member_id": member.project_id,
        "status": member.status,
        "created_at": f"{member.created_at.isoformat()}Z",
        "updated_at": f"{member.updated_at.isoformat()}Z",
        "schema": "/v2/schemas/member",
    }

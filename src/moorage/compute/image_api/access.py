"""Who may see an image, and who may change it. What somebody may not see is not there for them."""

from __future__ import annotations

from moorage.compute.context import Compute
from moorage.compute.model.image import Image
from moorage.compute.store import images
from moorage.web.errors import forbidden
from moorage.web.request import Request


def visible(request: Request, compute: Compute) -> Image:
    """The image that the path names, if the caller may see it."""
    image = compute.read(images.find, request.path["image_id"])
    caller = request.known_caller
    if image.is_open_to(caller.project_id or "") or compute.is_admin(caller):
        return image
    raise images.not_found(image.uuid)


def own(request: Request, compute: Compute, rule: str) -> Image:
    """The image that the path names, if the policy lets the caller do something to it."""
    image = visible(request, compute)
    check(request, compute, rule, image.owner)
    return image


def check(request: Request, compute: Compute, rule: str, project_id: str) -> None:
    """Refuse what the policy does not let the caller do in a project."""
    if not compute.allows(request.known_caller, rule, project_id):
        raise forbidden(f"You are not authorized to complete {rule} action.")


def check_fields(request: Request, compute: Compute, before: Image | None, after: Image) -> None:
    """Refuse to give an image away, or to everybody, where the policy does not let the caller."""
    if after.owner != (before.owner if before else request.known_caller.project_id) and not compute.is_admin(
        request.known_caller
    ):
        raise forbidden(f"You are not permitted to create images owned by '{after.owner}'.")
    if before is None or before.visibility != after.visibility:
        rule = {"public": "publicize_image", "community": "communitize_image"}.get(after.visibility)
        if rule is not None:
            check(request, compute, rule, after.owner)

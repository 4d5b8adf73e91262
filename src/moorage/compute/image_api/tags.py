"""Tags of an image, one at a time."""

from __future__ import annotations

from dataclasses import replace

from moorage.compute.context import Compute
from moorage.compute.image_api import access
from moorage.compute.store import images
from moorage.compute.store.errors import NotFound
from moorage.db.database import Transaction
from moorage.web.answer import Answer, empty_answer
from moorage.web.errors import bad_request
from moorage.web.request import Request

_LONGEST = 255


def add(request: Request, compute: Compute) -> Answer:
    """PUT /v2/images/{image_id}/tags/{tag}"""
    access.own(request, compute, "modify_image")
    tag = request.path["tag"]
    if len(tag) > _LONGEST:
        raise bad_request(f"A tag has at most {_LONGEST} characters; this one has {len(tag)}.")

    def work(tx: Transaction) -> None:
        image = images.lock(tx, request.path["image_id"])
        images.replace(tx, replace(image, tags=image.tags | {tag}))

    compute.write(work)
    return empty_answer()


def remove(request: Request, compute: Compute) -> Answer:
    """DELETE /v2/images/{image_id}/tags/{tag}"""
    access.own(request, compute, "modify_image")
    tag = request.path["tag"]

    def work(tx: Transaction) -> None:
        image = images.lock(tx, request.path["image_id"])
        if tag not in image.tags:
            raise NotFound(f"The image {image.uuid} has no tag {tag}.")
        images.replace(tx, replace(image, tags=image.tags - {tag}))

    compute.write(work)
    return empty_answer()

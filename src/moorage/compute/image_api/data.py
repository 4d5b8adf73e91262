"""The data of images, which there are none of: an image is of use as soon as it is registered.

Clients that were given no data send an upload of nothing, which is accepted; one of something is refused rather than
thrown away. The layer tells the two apart before the API, which reads bodies in JSON only, sees the request.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from moorage.compute.context import Compute
from moorage.compute.image_api import access
from moorage.compute.store import images
from moorage.db.database import Transaction
from moorage.web.answer import Answer, empty_answer
from moorage.web.errors import HttpError
from moorage.web.request import Request

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_PATCH = "application/openstack-images-v2.1-json-patch"
_HAS_DATA = "HTTP_X_MOORAGE_HAS_DATA"


def with_readable_bodies(application: WSGIApplication) -> WSGIApplication:
    """The application, told of each upload whether it has data, and of each patch that it is JSON."""

    def layer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ.pop(_HAS_DATA, None)
        if environ["REQUEST_METHOD"] == "PUT" and environ.get("PATH_INFO", "").rstrip("/").endswith("/file"):
            if _has_data(environ):
                environ[_HAS_DATA] = "yes"
        elif environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() == _PATCH:
            environ["CONTENT_TYPE"] = "application/json-patch+json"
        return application(environ, start_response)

    return layer


def upload(request: Request, compute: Compute) -> Answer:
    """PUT /v2/images/{image_id}/file"""
    access.own(request, compute, "upload_image")
    if "x-moorage-has-data" in request.headers:
        raise HttpError(
            HTTPStatus.NOT_IMPLEMENTED,
            "Moorage keeps what is known about images, not their data; register the image without a file.",
        )
    return empty_answer()


def download(request: Request, compute: Compute) -> Answer:
    """GET /v2/images/{image_id}/file"""
    access.visible(request, compute)
    return empty_answer()


def deactivate(request: Request, compute: Compute) -> Answer:
    """POST /v2/images/{image_id}/actions/deactivate"""
    return _with_status(request, compute, "deactivate")


def reactivate(request: Request, compute: Compute) -> Answer:
    """POST /v2/images/{image_id}/actions/reactivate"""
    return _with_status(request, compute, "reactivate")


def _with_status(request: Request, compute: Compute, rule: str) -> Answer:
    access.own(request, compute, rule)

    def work(tx: Transaction) -> None:
        image = images.lock(tx, request.path["image_id"])
        images.replace(tx, replace(image, status="deactivated" if rule == "deactivate" else "active"))

    compute.write(work)
    return empty_answer()


def _has_data(environ: WSGIEnvironment) -> bool:
    """Whether there is at least one byte; a body without a length comes in chunks, which the server puts together."""
    length = environ.get("CONTENT_LENGTH")
    if length:
        return int(length) > 0
    if "chunked" not in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        return False
    return bool(environ["wsgi.input"].read(1))

"""The services compute and image: their APIs over one database, and over the Placement service that the settings name.

Without any other word, that is the Placement API of this process, which is called directly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.client.connection import client_from_settings
from moorage.client.errors import Unavailable
from moorage.client.in_process import WsgiTransport
from moorage.client.options import GROUP
from moorage.client.placement import PlacementClient
from moorage.client.transport import Response
from moorage.compute.api import policies, routes
from moorage.compute.api.application import compute_api
from moorage.compute.context import Compute
from moorage.compute.image_api import policies as image_policies
from moorage.compute.image_api import routes as image_routes
from moorage.compute.image_api.application import image_api
from moorage.db.database import Database
from moorage.service.authentication import authenticated
from moorage.service.credentials import read_token
from moorage.service.errors import OperatorError
from moorage.service.layers import layered
from moorage.service.policy import Guard
from moorage.service.settings import token_file
from moorage.web.application import MOST_BYTES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)


def compute_applications(
    settings: cfg.ConfigOpts, database: Database, own_placement: Callable[[], WSGIApplication] | None
) -> Mapping[str, WSGIApplication]:
    """Both APIs, each at its own root, under the paths where they are mounted.

    `own_placement` gives the Placement API of this process, where there is one.
    """
    compute = open_compute(settings, database, own_placement)
    most = min(settings.api.max_request_body_bytes, MOST_BYTES)
    apis = {
        "/compute": (compute_api(compute, most), ["/v2.1"]),
        "/image": (image_api(compute, most), ["/versions"]),
    }
    return {
        path: layered(authenticated(api, settings, database, open_paths), settings)
        for path, (api, open_paths) in apis.items()
    }


def joined(applications: Mapping[str, WSGIApplication]) -> WSGIApplication:
    """Both APIs at one root: the paths of one begin with /v2.1, those of the other with /v2."""
    compute, image = applications["/compute"], applications["/image"]

    def dispatch(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        first = environ.get("PATH_INFO", "").lstrip("/").partition("/")[0]
        return (image if first in ("v2", "versions") else compute)(environ, start_response)

    return dispatch


def open_compute(
    settings: cfg.ConfigOpts, database: Database, own_placement: Callable[[], WSGIApplication] | None
) -> Compute:
    """What the handlers of both APIs work with."""
    guard = Guard(
        settings,
        [
            *policies.rules(routes.guarded_operations()),
            *image_policies.rules(image_routes.guarded_operations()),
        ],
    )
    return Compute(database, _placement(settings, own_placement), settings, guard.allows)


def _placement(settings: cfg.ConfigOpts, own: Callable[[], WSGIApplication] | None) -> PlacementClient:
    named = settings[GROUP]
    if own is None or named.auth_type or named.endpoint_override or settings.api.auth_strategy == "keystone":
        try:
            return client_from_settings(settings)
        except OperatorError as error:
            # All that needs no Placement works all the same, and what does says what is missing.
            LOG.warning("%s", error)
            return PlacementClient(_Nobody(str(error)))
    return PlacementClient(_OwnPlacement(own(), settings))


class _OwnPlacement:
    """The Placement API of this process, called with the credential that its strategy of authentication knows."""

    def __init__(self, application: WSGIApplication, settings: cfg.ConfigOpts) -> None:
        self._application = application
        self._token_file = token_file(settings) if settings.api.auth_strategy == "token" else None

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Sequence[tuple[str, str]] = (),
        content: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Call the application; the token is read each time, since it may be replaced while serving."""
        try:
            token = "admin" if self._token_file is None else read_token(self._token_file)
        except OperatorError as error:
            raise Unavailable(f"Placement cannot be asked: {error}") from error
        transport = WsgiTransport(self._application, {"x-auth-token": token})
        return transport.send(method, path, query=query, content=content, headers=headers)


class _Nobody:
    """No Placement service, for a reason that the operator has to mend."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def send(
        self,
        method: str,  # noqa: ARG002 - whatever is asked for, there is nobody to answer
        path: str,  # noqa: ARG002
        *,
        query: Sequence[tuple[str, str]] = (),  # noqa: ARG002
        content: object = None,  # noqa: ARG002
        headers: Mapping[str, str] | None = None,  # noqa: ARG002
    ) -> Response:
        """Say why not."""
        raise Unavailable(f"There is no Placement service to ask: {self._reason}")

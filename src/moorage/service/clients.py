"""How the services of one process reach each other: directly, unless the settings name somebody else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from oslo_config import cfg

from moorage.client import connection
from moorage.client.compute import ComputeClient
from moorage.client.errors import Unavailable
from moorage.client.image import ImageClient
from moorage.client.in_process import WsgiTransport
from moorage.client.options import COMPUTE, IMAGE, PLACEMENT, RESERVATION, VOLUME, Reached
from moorage.client.placement import PlacementClient
from moorage.client.reservation import ReservationClient
from moorage.client.transport import Response, Transport
from moorage.client.volume import VolumeClient
from moorage.service.credentials import read_token
from moorage.service.errors import OperatorError
from moorage.service.settings import token_file

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    # Gives the application of this process, where there is one.
    OwnApplication = Callable[[], WSGIApplication] | None

LOG = logging.getLogger(__name__)

_Client = TypeVar("_Client")


def placement_client(settings: cfg.ConfigOpts, own: OwnApplication) -> PlacementClient:
    """The Placement service of this process, or the one of `[placement_client]`."""
    if own is not None and _is_here(settings, PLACEMENT):
        return PlacementClient(_OwnService(own(), settings))
    return _elsewhere(settings, PLACEMENT, connection.client_from_settings, PlacementClient)


def reaches_compute(settings: cfg.ConfigOpts) -> bool:
    """Whether there is a compute service to ask: the one of this process, or one that the settings lead to."""
    own, general = settings[COMPUTE.group], settings[PLACEMENT.group]
    named = own.auth_type or own.endpoint_override or general.auth_type
    return "compute" in settings.api.services or bool(named)


def compute_client(settings: cfg.ConfigOpts, own: OwnApplication) -> ComputeClient:
    """The compute service of this process, or the one of `[compute_client]`."""
    if own is not None and _is_here(settings, COMPUTE):
        return ComputeClient(_OwnService(own(), settings, root="/v2.1"))
    return _elsewhere(settings, COMPUTE, connection.compute_client_from_settings, ComputeClient)


def image_client(settings: cfg.ConfigOpts, own: OwnApplication) -> ImageClient:
    """The image service of this process, or the one of `[image_client]`."""
    if own is not None and _is_here(settings, IMAGE):
        return ImageClient(_OwnService(own(), settings, root="/v2"))
    return _elsewhere(settings, IMAGE, connection.image_client_from_settings, ImageClient)


def reservation_client(settings: cfg.ConfigOpts, own: OwnApplication) -> ReservationClient | None:
    """The reservation service of `[reservation_client]`, of this process, or of Keystone's catalog; None if of nobody.

    With Keystone this process knows no credential by itself, so it reaches even its own service as others do.
    """
    group = settings[RESERVATION.group]
    if not (group.auth_type or group.endpoint_override or settings.api.auth_strategy == "keystone"):
        return None if own is None else ReservationClient(_OwnService(own(), settings, root="/v1"))
    return _elsewhere(settings, RESERVATION, connection.reservation_client_from_settings, ReservationClient)


def volume_client(settings: cfg.ConfigOpts) -> VolumeClient:
    """The volume service of `[volume_client]`."""
    return _elsewhere(settings, VOLUME, connection.volume_client_from_settings, VolumeClient)


def _is_here(settings: cfg.ConfigOpts, service: Reached) -> bool:
    """Whether no setting leads to another service; with Keystone this process knows no credential by itself."""
    own, general = settings[service.group], settings[PLACEMENT.group]
    named = own.auth_type or own.endpoint_override or general.auth_type
    return not named and settings.api.auth_strategy != "keystone"


def _elsewhere(
    settings: cfg.ConfigOpts,
    service: Reached,
    connect: Callable[[cfg.ConfigOpts], _Client],
    make: Callable[[Transport], _Client],
) -> _Client:
    try:
        return connect(settings)
    except OperatorError as error:
        # All that needs nobody else works all the same, and what does says what is missing.
        if service is PLACEMENT:
            LOG.warning("%s", error)
        return make(_Nobody(service.name, str(error)))


class _OwnService:
    """An API of this process, called with the credential that its strategy of authentication knows."""

    def __init__(self, application: WSGIApplication, settings: cfg.ConfigOpts, root: str = "") -> None:
        self._application = application
        self._root = root
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
            raise Unavailable(f"This process cannot call itself: {error}") from error
        transport = WsgiTransport(self._application, {"x-auth-token": token}, root=self._root)
        return transport.send(method, path, query=query, content=content, headers=headers)


class _Nobody:
    """No service, for a reason that the operator has to mend."""

    def __init__(self, name: str, reason: str) -> None:
        self._message = f"There is no {name} service to ask: {reason}"

    def send(
        self,
        method: str,  # noqa: ARG002 - whatever is asked for, there is nobody to answer
        path: str,  # noqa: ARG002 - as above
        *,
        query: Sequence[tuple[str, str]] = (),  # noqa: ARG002 - as above
        content: object = None,  # noqa: ARG002 - as above
        headers: Mapping[str, str] | None = None,  # noqa: ARG002 - as above
    ) -> Response:
        """Say why not."""
        raise Unavailable(self._message)

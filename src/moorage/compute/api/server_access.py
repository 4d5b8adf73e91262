"""Which server a request is about, what the caller may see of it, and how refusals are answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from moorage.compute.api.server_views import Sight
from moorage.compute.context import Compute
from moorage.compute.model.aggregate import DEFAULT_AVAILABILITY_ZONE
from moorage.compute.model.server import Server
from moorage.compute.placing.refusals import Refusal
from moorage.compute.servers.errors import (
    GroupInTheWay,
    InvalidOrder,
    NoPlace,
    QuotaExceeded,
    RebuildRefused,
    ServerNotFound,
    WrongState,
)
from moorage.compute.servers.name_pattern import BadPattern
from moorage.compute.store import servers as server_store
from moorage.compute.store.server_listing import MarkerNotFound
from moorage.web.answer import Answer
from moorage.web.errors import HttpError, forbidden
from moorage.web.request import Request

_SHOW = "os_compute_api:servers:show"

Handler = Callable[[Request, Compute], Answer]

_STATUSES: dict[type[Exception], HTTPStatus] = {
    ServerNotFound: HTTPStatus.NOT_FOUND,
    WrongState: HTTPStatus.CONFLICT,
    RebuildRefused: HTTPStatus.CONFLICT,
    GroupInTheWay: HTTPStatus.CONFLICT,
    QuotaExceeded: HTTPStatus.FORBIDDEN,
    InvalidOrder: HTTPStatus.BAD_REQUEST,
    NoPlace: HTTPStatus.BAD_REQUEST,
    Refusal: HTTPStatus.BAD_REQUEST,
    BadPattern: HTTPStatus.BAD_REQUEST,
    MarkerNotFound: HTTPStatus.BAD_REQUEST,
}


def answered(handler: Handler) -> Handler:
    """The handler, with refusals as answers."""

    @wraps(handler)
    def handle(request: Request, compute: Compute) -> Answer:
        try:
            return handler(request, compute)
        except tuple(_STATUSES) as error:
            status = next(_STATUSES[kind] for kind in type(error).__mro__ if kind in _STATUSES)
            raise HttpError(status, _told(request, compute, error)) from error

    return handle


def _told(request: Request, compute: Compute, error: Exception) -> str:
    """What somebody is told; which hosts have too little is for administrators."""
    if isinstance(error, NoPlace) and error.details and compute.is_admin(request.known_caller):
        return f"{error.message} {error.details}"
    return str(error)


def server_of(request: Request, compute: Compute, rule: str) -> Server:
    """The server that the path names, if the caller may do what they want with it; others are not there for them."""
    uuid = request.path["server_id"]
    caller = request.known_caller
    server = compute.read(server_store.find, uuid.lower())
    if server is None or not compute.allows(caller, _SHOW, server.project_id):
        raise ServerNotFound(uuid)
    if not compute.allows(caller, rule, server.project_id):
        raise forbidden(f"Policy doesn't allow {rule} to be performed.")
    return server


def sight_of(request: Request, compute: Compute) -> Sight:
    """What the caller may see."""
    caller = request.known_caller
    return Sight(
        hosts=compute.allows(caller, "os_compute_api:os-extended-server-attributes", None),
        details_of_faults=compute.is_admin(caller),
        extra_specs=compute.allows(caller, "os_compute_api:os-flavor-extra-specs:index", None),
    )


class Zones:
    """In which availability zone a server is."""

    def __init__(self, compute: Compute) -> None:
        # A look into each zone costs less than a table of all hosts.
        self._hosts_by_zone = [
            (aggregate.availability_zone, aggregate.hosts)
            for aggregate in compute.catalogue().aggregates
            if aggregate.availability_zone is not None
        ]

    def of(self, server: Server) -> str | None:
        """The zone of its host; without one, the zone that it asked for."""
        if server.host is None:
            return server.availability_zone
        return next((zone for zone, hosts in self._hosts_by_zone if server.host in hosts), DEFAULT_AVAILABILITY_ZONE)

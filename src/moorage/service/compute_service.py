"""The services compute and image: their APIs over one database, and over the Placement service that the settings name.

Without any other word, that is the Placement API of this process, which is called directly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from oslo_config import cfg

from moorage.client.errors import ClientError
from moorage.compute.api import policies, routes
from moorage.compute.api.application import compute_api
from moorage.compute.context import Compute
from moorage.compute.image_api import policies as image_policies
from moorage.compute.image_api import routes as image_routes
from moorage.compute.image_api.application import image_api
from moorage.compute.mirroring import settle_all
from moorage.db.database import Database
from moorage.service.authentication import authenticated
from moorage.service.clients import placement_client
from moorage.service.housekeeping import start_housekeeping
from moorage.service.layers import layered
from moorage.service.policy import Guard
from moorage.web.application import MOST_BYTES

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LOG = logging.getLogger(__name__)


def compute_applications(
    settings: cfg.ConfigOpts,
    database: Database,
    own_placement: Callable[[], WSGIApplication] | None,
    *,
    housekeeping: bool = False,
) -> Mapping[str, WSGIApplication]:
    """Both APIs, each at its own root, under the paths where they are mounted.

    `own_placement` gives the Placement API of this process, where there is one. With `housekeeping` the process also
    looks after the hosts' aggregates in Placement.
    """
    compute = open_compute(settings, database, own_placement)
    if housekeeping:
        start_housekeeping(lambda: mirror(compute))
    most = min(settings.api.max_request_body_bytes, MOST_BYTES)
    apis = {
        "/compute": (compute_api(compute, most), ["/v2.1"]),
        "/image": (image_api(compute, most), ["/versions"]),
    }
    return {
        path: layered(authenticated(api, settings, database, open_paths), settings)
        for path, (api, open_paths) in apis.items()
    }


def mirror(compute: Compute) -> None:
    """Have Placement know which aggregates hosts are in; one that cannot be asked now is asked the next time."""
    try:
        settle_all(compute)
    except ClientError as error:
        LOG.warning("It was not possible to look after the aggregates of hosts in Placement: %s", error)


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
    guard = Guard(settings, [*policies.rules(routes.ROUTES), *image_policies.rules(image_routes.ROUTES)])
    return Compute(database, placement_client(settings, own_placement), settings, guard.allows)

"""The compute API as it is described to others; `descriptions` tells of each kind of thing by itself."""

from __future__ import annotations

from moorage.compute.api.descriptions import (
    aggregates,
    flavors,
    hypervisors,
    own,
    quotas,
    server_groups,
    servers,
    versions,
)
from moorage.compute.api.errors import KINDS, OTHER_KIND
from moorage.compute.api.routes import ROUTES
from moorage.compute.api.schemas.common import LARGEST
from moorage.compute.api.schemas.servers import TAG
from moorage.compute.api.versions import VERSIONS
from moorage.web.description import Description, newest_routes
from moorage.web.shapes import STATUS, TEXT, UUID, one_of, record
from moorage.web.versions import as_text

_PARTS = (versions, flavors, aggregates, hypervisors, server_groups, servers, quotas, own)

# One key that names the kind.
_ERROR = one_of(dict.fromkeys(sorted({*KINDS.values(), OTHER_KIND}), record({"code": STATUS, "message": TEXT})))

DESCRIPTION = Description(
    title="Compute API",
    about=(
        "Flavors, host aggregates, server groups, servers and quotas, as Nova has them. A server here is a decision"
        " and a record: where it runs and what it holds. What is described is the newest microversion; older ones"
        " differ as Nova's do."
    ),
    routes=newest_routes(ROUTES, VERSIONS.newest),
    operations={key: described for part in _PARTS for key, described in part.OPERATIONS.items()},
    path_parameters={
        "flavor_id": {"type": "string", "minLength": 1, "maxLength": 255},
        "key": {"type": "string", "minLength": 1, "maxLength": 255},
        "aggregate_id": {"type": "integer", "minimum": 0, "maximum": LARGEST},
        "hypervisor_id": UUID,
        "group_id": UUID,
        "server_id": UUID,
        "tag": TAG.definition,
        "host": {"type": "string", "minLength": 1},
        "project_id": {"type": "string", "minLength": 1},
    },
    error=_ERROR,
    version_header=("OpenStack-API-Version", f"{VERSIONS.service_type} {as_text(VERSIONS.newest)}"),
    schemas={name: schema for part in _PARTS for name, schema in part.SCHEMAS.items()},
)

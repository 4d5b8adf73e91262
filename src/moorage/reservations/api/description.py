"""The reservation API, described."""

from __future__ import annotations

from http import HTTPStatus

from moorage.reservations.api.descriptions import hosts, leases, looking
from moorage.reservations.api.projects import LONGEST_PROJECT
from moorage.reservations.api.routes import ROUTES
from moorage.reservations.api.versions import VERSIONS
from moorage.reservations.model.reservation import RESOURCE_TYPES
from moorage.web.description import Described, Description, Operations, newest_routes
from moorage.web.schema import Definition
from moorage.web.shapes import STATUS, TEXT, listed, record
from moorage.web.versions import as_text

# What Blazar's framework answers by itself has one key less, with another name.
_ERROR: Definition = {
    "oneOf": [
        record({"error_code": STATUS, "error_message": TEXT, "error_name": STATUS}),
        record({"error": STATUS, "error_message": TEXT}),
    ]
}
_VERSIONS = record(
    {
        "versions": listed(
            record(
                {
                    "id": {"const": "v1.0"},
                    "status": {"const": "CURRENT"},
                    "min_version": {"const": as_text(VERSIONS.oldest)},
                    "max_version": {"const": as_text(VERSIONS.newest)},
                    "links": listed(record({"rel": {"const": "self"}, "href": TEXT})),
                }
            )
        )
    }
)

_OPERATIONS: Operations = {
    ("GET", "/"): Described(summary="Which versions there are", answers={HTTPStatus.MULTIPLE_CHOICES: _VERSIONS}),
    ("GET", "/versions"): Described(
        summary="Which versions there are", answers={HTTPStatus.MULTIPLE_CHOICES: _VERSIONS}
    ),
    ("GET", "/v1/plugins"): Described(
        summary="What can be reserved",
        answers={HTTPStatus.OK: record({"plugins": listed(record({"resource_type": {"enum": list(RESOURCE_TYPES)}}))})},
    ),
    **leases.OPERATIONS,
    **looking.OPERATIONS,
    **hosts.OPERATIONS,
}

DESCRIPTION = Description(
    title="Reservation API",
    about="Leases on instances and hosts: Blazar's API, version 1, and what Moorage adds to it: when something would"
    " fit and how much is free, limits and usage of projects, a calendar, and maintenance of hosts. Each path below /v1"
    " can also be written with .json at its end.",
    routes=newest_routes(ROUTES, VERSIONS.newest),
    operations=_OPERATIONS,
    path_parameters={
        "lease_id": TEXT,
        "host_id": TEXT,
        "property_name": TEXT,
        "project_id": {"type": "string", "minLength": 1, "maxLength": LONGEST_PROJECT},
    },
    error=_ERROR,
    schemas={**leases.SCHEMAS, **hosts.SCHEMAS},
)

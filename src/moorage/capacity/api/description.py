"""The LIQUID API, described: the answers are the protocol's own types."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from moorage.capacity.api.routes import ROUTES
from moorage.capacity.protocol.info import ServiceInfo
from moorage.capacity.protocol.reports import CapacityReport, UsageReport
from moorage.web.description import Described, Description, Operations, newest_routes, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, TEXT, TEXTS, TEXTS_BY_NAME, record

# What the protocol leaves to each service.
_ATTRIBUTES: Mapping[str, Definition] = {
    "Subcapacity": record({"aggregate_name": TEXT, "traits": TEXTS}),
    "Subresource": record(
        {
            "status": TEXT,
            "metadata": TEXTS_BY_NAME,
            "tags": TEXTS,
            "flavor": record(
                {"name": TEXT, "vcpu": COUNT, "ram_mib": COUNT, "disk_gib": COUNT}, {"video_ram_mib": COUNT}
            ),
            "os_type": TEXT,
        }
    ),
}


def _protocol() -> Mapping[str, Definition]:
    """The schema of each type of the protocol, by its name; none of them has keys that are not listed."""
    types = (ServiceInfo, CapacityReport, UsageReport)
    _, found = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    return {name: _strict(name, schema) for name, schema in found.items()}


def _strict(name: str, schema: dict[str, Any]) -> Definition:
    if "properties" not in schema:
        return schema
    properties = dict(schema["properties"])
    if name in _ATTRIBUTES:
        properties["attributes"] = _ATTRIBUTES[name]
    return {**schema, "properties": properties, "additionalProperties": False}


# What goes wrong in the cloud is told in full.
_FAILURE = (HTTPStatus.INTERNAL_SERVER_ERROR,)

_OPERATIONS: Operations = {
    ("GET", "/v1/info"): Described(
        summary="Which resources there are", answers={HTTPStatus.OK: reference("ServiceInfo")}, refusals=_FAILURE
    ),
    ("POST", "/v1/report-capacity"): Described(
        summary="How much of everything there is, given what is asked for: in the body, or by leases",
        query={"demand": {"type": "string", "enum": ["leases"]}},
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: reference("CapacityReport")},
        refusals=_FAILURE,
    ),
    ("POST", "/v1/projects/{project_id}/report-usage"): Described(
        summary="What a project uses", answers={HTTPStatus.OK: reference("UsageReport")}, refusals=_FAILURE
    ),
    ("PUT", "/v1/projects/{project_id}/quota"): Described(
        summary="Set quotas of a project", answers={HTTPStatus.NO_CONTENT: None}, refusals=_FAILURE
    ),
    # There are no commitments here, so all changes are refused.
    ("POST", "/v1/change-commitments"): Described(
        summary="Change commitments, of which this service manages none", answers={}, refusals=_FAILURE
    ),
    ("GET", "/metrics"): Described(
        summary="The figures of the last capacity report, for Prometheus",
        answers={HTTPStatus.OK: TEXT},
        # Whether a credential is needed is a setting.
        refusals=(HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, *_FAILURE),
        gives="text/plain",
    ),
}

DESCRIPTION = Description(
    title="LIQUID API",
    about="Capacity, usage and quotas of the compute service for Limes, by the protocol LIQUID. Refusals are sentences"
    " in plain text.",
    routes=newest_routes(ROUTES, None),
    operations=_OPERATIONS,
    path_parameters={"project_id": {"type": "string", "minLength": 1}},
    error=TEXT,
    error_type="text/plain",
    schemas=_protocol(),
)

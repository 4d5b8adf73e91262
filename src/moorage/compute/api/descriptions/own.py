"""What the compute API has beyond Nova's: servers by host, what Placement is asked for, how hosts are kept apart."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions.common import TIME
from moorage.compute.api.server_views import VM_STATES
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import (
    COUNT,
    POSITIVE,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    TEXTS_BY_NAME,
    TRUTH,
    UUID,
    listed,
    or_null,
    record,
)

_FLAVOR = record(
    {
        "id": TEXT,
        "original_name": TEXT,
        "vcpus": COUNT,
        "ram": COUNT,
        "disk": COUNT,
        "ephemeral": COUNT,
        "swap": COUNT,
        "extra_specs": TEXTS_BY_NAME,
    }
)

SCHEMAS: dict[str, Definition] = {
    "ServerOfHost": record(
        {
            "id": UUID,
            "name": TEXT,
            "status": {"enum": list(VM_STATES)},
            "task_state": TEXT_OR_NULL,
            "project_id": TEXT,
            "user_id": TEXT,
            "flavor": _FLAVOR,
            "image": or_null(record({"id": UUID, "properties": TEXTS_BY_NAME})),
            "metadata": TEXTS_BY_NAME,
            "instance_info": record({"traits": TEXTS}),
            "allocations": {
                "type": "object",
                "propertyNames": UUID,
                "additionalProperties": {"type": "object", "additionalProperties": POSITIVE},
            },
            "updated": TIME,
        }
    ),
    "Condition": record({"aggregates": listed(UUID), "forbidden": TRUTH, "reason": TEXT}),
}

OPERATIONS: Operations = {
    ("GET", "/v2.1/moorage/hosts/{host}/servers"): Described(
        summary="List the servers that have their place on a host",
        answers={HTTPStatus.OK: record({"servers": listed(reference("ServerOfHost"))})},
    ),
    ("GET", "/v2.1/moorage/placement-query"): Described(
        summary="Show what a server would ask Placement for",
        query={
            "flavor": {"type": "string", "minLength": 1, "description": "The id of a flavor."},
            "image": {"type": "string", "description": "The id of an image."},
            "availability_zone": TEXT,
        },
        required=("flavor",),
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: record({"query": TEXT, "conditions": listed(reference("Condition"))})},
    ),
    ("GET", "/v2.1/moorage/scheduling"): Described(
        summary="Show how hosts are kept apart",
        answers={
            HTTPStatus.OK: record(
                {
                    "required_member_prefix": TEXT,
                    "forbidden_member_prefixes": TEXTS,
                    "isolates_aggregates": TRUTH,
                }
            )
        },
    ),
}

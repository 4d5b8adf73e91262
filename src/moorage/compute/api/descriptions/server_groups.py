"""Server groups."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions.common import NUMBER, PAGE
from moorage.compute.model.server_group import POLICIES
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import POSITIVE, TEXT, UUID, listed, record

SCHEMAS: dict[str, Definition] = {
    "ServerGroup": record(
        {
            "id": UUID,
            "name": TEXT,
            "members": listed(UUID),
            "policy": {"enum": list(POLICIES)},
            "rules": record({}, {"max_server_per_host": POSITIVE}),
            "project_id": TEXT,
            "user_id": TEXT,
        }
    )
}

_ONE = record({"server_group": reference("ServerGroup")})

OPERATIONS: Operations = {
    ("GET", "/v2.1/os-server-groups"): Described(
        summary="List the server groups of a project",
        query={
            **PAGE,
            "offset": {**NUMBER, "description": "So many are left out at the beginning."},
            "all_projects": {"type": "string", "description": "Given at all, the groups of all projects are listed."},
        },
        answers={HTTPStatus.OK: record({"server_groups": listed(reference("ServerGroup"))})},
    ),
    ("POST", "/v2.1/os-server-groups"): Described(summary="Make a server group", answers={HTTPStatus.OK: _ONE}),
    ("GET", "/v2.1/os-server-groups/{group_id}"): Described(
        summary="Show a server group", answers={HTTPStatus.OK: _ONE}
    ),
    ("DELETE", "/v2.1/os-server-groups/{group_id}"): Described(
        summary="Delete a server group; its servers stay", answers={HTTPStatus.NO_CONTENT: None}
    ),
}

"""Bodies about server groups."""

from __future__ import annotations

from moorage.compute.api.schemas.common import NAME, whole_number, wrapped
from moorage.compute.model.server_group import POLICIES
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import record


def _with_policies(*policies: str) -> Schema:
    policy: Definition = {
        "type": "array",
        "items": {"type": "string", "enum": list(policies)},
        "minItems": 1,
        "maxItems": 1,
    }
    return wrapped("server_group", record({"name": NAME, "policies": policy}))


CREATE = _with_policies("anti-affinity", "affinity")
CREATE_2_15 = _with_policies(*POLICIES)
CREATE_2_64 = wrapped(
    "server_group",
    record(
        {"name": NAME, "policy": {"type": "string", "enum": list(POLICIES)}},
        {"rules": record({}, {"max_server_per_host": whole_number(1)})},
    ),
)

"""Bodies about flavors."""

from __future__ import annotations

from moorage.compute.api.schemas.common import BOOLEAN, METADATA_KEY, NAME, exactly, whole_number, wrapped
from moorage.web.schema import Definition, Schema

_DESCRIPTION: Definition = {"type": ["string", "null"], "maxLength": 65535}

_NEW: dict[str, Definition] = {
    "name": NAME,
    "id": {
        "type": ["string", "number", "null"],
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^[a-zA-Z0-9._-]([a-zA-Z0-9. _-]*[a-zA-Z0-9._-])?$",
    },
    "ram": whole_number(1),
    "vcpus": whole_number(1),
    "disk": whole_number(0),
    "OS-FLV-EXT-DATA:ephemeral": whole_number(0),
    "swap": whole_number(0),
    "rxtx_factor": {
        "type": ["number", "string"],
        "exclusiveMinimum": 0,
        "maximum": 3.40282e38,
        "maxLength": 40,
        "pattern": r"^[0-9]+(\.[0-9]+)?$",
    },
    "os-flavor-access:is_public": BOOLEAN,
}
_NEEDED = ["name", "ram", "vcpus", "disk"]

CREATE = wrapped("flavor", exactly(_NEW, _NEEDED))
CREATE_2_55 = wrapped("flavor", exactly({**_NEW, "description": _DESCRIPTION}, _NEEDED))
UPDATE = wrapped("flavor", exactly({"description": _DESCRIPTION}, ["description"]))

_SPEC: Definition = {"type": ["string", "number"], "maxLength": 255}
_SPECS: Definition = {"type": "object", "patternProperties": {METADATA_KEY: _SPEC}, "additionalProperties": False}
EXTRA_SPECS = wrapped("extra_specs", _SPECS)
EXTRA_SPEC = Schema({**_SPECS, "minProperties": 1, "maxProperties": 1})

_TENANT = exactly({"tenant": {"type": "string", "minLength": 1, "maxLength": 255}}, ["tenant"])
ACTION = Schema(
    {
        "type": "object",
        "properties": {"addTenantAccess": _TENANT, "removeTenantAccess": _TENANT},
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": False,
    }
)

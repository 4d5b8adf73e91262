"""Bodies about flavors."""

from __future__ import annotations

from moorage.compute.api.schemas.common import BOOLEAN, NAME, by_key, whole_number, wrapped
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import one_of, record

_DESCRIPTION: Definition = {"type": ["string", "null"], "maxLength": 65535}

_NEEDED: dict[str, Definition] = {
    "name": NAME,
    "ram": whole_number(1),
    "vcpus": whole_number(1),
    "disk": whole_number(0),
}
_MORE: dict[str, Definition] = {
    "id": {
        "type": ["string", "number", "null"],
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^[a-zA-Z0-9._-]([a-zA-Z0-9. _-]*[a-zA-Z0-9._-])?$",
    },
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

CREATE = wrapped("flavor", record(_NEEDED, _MORE))
CREATE_2_55 = wrapped("flavor", record(_NEEDED, {**_MORE, "description": _DESCRIPTION}))
UPDATE = wrapped("flavor", record({"description": _DESCRIPTION}))

_SPEC: Definition = {"type": ["string", "number"], "maxLength": 255}
_SPECS = by_key(_SPEC)
EXTRA_SPECS = wrapped("extra_specs", _SPECS)
EXTRA_SPEC = Schema({**_SPECS, "minProperties": 1, "maxProperties": 1})

_TENANT = record({"tenant": {"type": "string", "minLength": 1, "maxLength": 255}})
ACTION = Schema(one_of({"addTenantAccess": _TENANT, "removeTenantAccess": _TENANT}))

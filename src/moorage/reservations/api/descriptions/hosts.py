"""Hosts that leases may use, described, with their properties and what is booked on them."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from moorage.reservations.api.descriptions.values import DATE, SHOWN, STAMP, YES
from moorage.reservations.api.hosts import LONGEST_KEY, LONGEST_VALUE, OWN_FIELDS
from moorage.reservations.api.schemas import MOST_CAPABILITIES, MOST_PARTS, REASON
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, NULL, TEXT, TEXTS, TRUTH, UUID, listed, record

HOST_NUMBER: Definition = {"type": "string", "pattern": "^[0-9]{1,18}$"}

# --- answers

_HOST: Definition = {
    **record(
        {
            "id": HOST_NUMBER,
            "hypervisor_hostname": TEXT,
            "service_name": TEXT,
            "hypervisor_type": TEXT,
            "hypervisor_version": {"type": "integer"},
            "vcpus": COUNT,
            "memory_mb": COUNT,
            "local_gb": COUNT,
            "cpu_info": TEXT,
            "status": NULL,
            "availability_zone": TEXT,
            "trust_id": NULL,
            "reservable": TRUTH,
            "disabled_reason": TEXT,
            "maintenance": listed(record({"id": UUID, "start_date": SHOWN, "end_date": SHOWN, "reason": TEXT})),
            "created_at": STAMP,
            "updated_at": STAMP,
        }
    ),
    # Capabilities are among the fields.
    "additionalProperties": TEXT,
}
_ALLOCATION = record(
    {
        "resource_id": HOST_NUMBER,
        "reservations": listed(record({"id": UUID, "lease_id": UUID, "start_date": SHOWN, "end_date": SHOWN})),
    }
)
_LISTED_PROPERTY = record({"property": TEXT}, {"private": TRUTH, "values": TEXTS})
_PROPERTY = record(
    {
        "id": UUID,
        "resource_type": {"const": "physical:host"},
        "property_name": TEXT,
        "private": TRUTH,
        "created_at": STAMP,
        "updated_at": STAMP,
    }
)
SCHEMAS: Mapping[str, Definition] = {"Host": _HOST}
_ONE = record({"host": reference("Host")})

# --- requests

_CAPABILITY: Definition = {"type": ["string", "number", "boolean", "null"], "maxLength": LONGEST_VALUE}
_NAMED: Definition = {"type": ["string", "integer"], "minLength": 1, "not": {"const": 0}}


def _capabilities(beside: dict[str, Definition]) -> Definition:
    """Capabilities by name, which must not be that of something else that hosts have."""
    return {
        "type": "object",
        "maxProperties": MOST_CAPABILITIES,
        "properties": beside,
        "propertyNames": {
            "minLength": 1,
            "maxLength": LONGEST_KEY,
            "not": {"enum": sorted(OWN_FIELDS - beside.keys())},
        },
        "additionalProperties": _CAPABILITY,
    }


_NEW: Definition = {
    **_capabilities({"name": _NAMED, "id": _NAMED, "trust_id": {}}),
    "anyOf": [{"required": ["name"]}, {"required": ["id"]}],
}
# A name and an id may be said, but are no change.
_CHANGE: Definition = {
    **_capabilities({"name": {}, "id": {}}),
    "not": {"propertyNames": {"enum": ["name", "id"]}},
    "examples": [{"ssd": "true"}],
}

_OF_LEASE: dict[str, Definition] = {"lease_id": TEXT, "reservation_id": TEXT}
# The dates in this body have a schema of their own in the route table, which is not as strict.
_MAINTENANCE = record(
    {
        "maintenance": {
            "type": "array",
            "maxItems": MOST_PARTS,
            "items": record({"start_date": DATE, "end_date": DATE}, {"reason": REASON}),
        }
    }
)

OPERATIONS: Operations = {
    ("GET", "/v1/os-hosts"): Described(
        summary="List hosts", answers={HTTPStatus.OK: record({"hosts": listed(reference("Host"))})}
    ),
    ("POST", "/v1/os-hosts"): Described(
        summary="Hand a host over to leases",
        body=_NEW,
        answers={HTTPStatus.CREATED: _ONE},
        refusals=(HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
    ),
    ("GET", "/v1/os-hosts/{host_id}"): Described(summary="Show a host", answers={HTTPStatus.OK: _ONE}),
    ("PUT", "/v1/os-hosts/{host_id}"): Described(
        summary="Set capabilities of a host; null takes one away",
        body=_CHANGE,
        answers={HTTPStatus.OK: _ONE},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/v1/os-hosts/{host_id}"): Described(
        summary="Take a host back from leases",
        answers={HTTPStatus.NO_CONTENT: None},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("PUT", "/v1/os-hosts/{host_id}/maintenance"): Described(
        summary="Set the times in which a host is busy with itself",
        body=_MAINTENANCE,
        answers={HTTPStatus.OK: _ONE},
    ),
    ("GET", "/v1/os-hosts/allocations"): Described(
        summary="Which reservations have which hosts",
        query=_OF_LEASE,
        answers={HTTPStatus.OK: record({"allocations": listed(_ALLOCATION)})},
    ),
    ("GET", "/v1/os-hosts/{host_id}/allocation"): Described(
        summary="Which reservations have a host",
        query=_OF_LEASE,
        answers={HTTPStatus.OK: record({"allocation": _ALLOCATION})},
    ),
    ("GET", "/v1/os-hosts/properties"): Described(
        summary="List the properties that hosts have",
        query={"detail": YES, "all": YES},
        answers={HTTPStatus.OK: record({"resource_properties": listed(_LISTED_PROPERTY)})},
    ),
    ("PATCH", "/v1/os-hosts/properties/{property_name}"): Described(
        summary="Show a property to everybody, or to administrators alone",
        answers={HTTPStatus.OK: record({"resource_property": _PROPERTY})},
    ),
}

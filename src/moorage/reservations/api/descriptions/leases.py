"""Leases, described: to make, list, show, change and delete them."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import get_args

from moorage.reservations.api.descriptions.reservation_fields import (
    AFFINITY,
    AMOUNT,
    CONDITION_OR_NULL,
    RESERVATION,
)
from moorage.reservations.api.descriptions.values import (
    DATE,
    DATE_OR_NOTHING,
    SHOWN,
    SHOWN_OR_NULL,
    STAMP,
    STAMP_OR_NULL,
    YES,
)
from moorage.reservations.api.reservation_fields import LARGEST
from moorage.reservations.api.schemas import MOST_PARTS, NAME, ON_CONFLICT
from moorage.reservations.model.event import LEASE_EVENT_TYPES
from moorage.reservations.model.reservation import BeforeEnd
from moorage.reservations.model.status import EventStatus, LeaseStatus, ReservationStatus
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, NULL, POSITIVE, TEXT, TRUTH, UUID, listed, or_null, record

LEASE_STATUS: Definition = {"type": "string", "enum": list(get_args(LeaseStatus))}

# --- answers

_COMMON: dict[str, Definition] = {
    "id": UUID,
    "lease_id": UUID,
    "resource_id": UUID,
    "status": {"type": "string", "enum": list(get_args(ReservationStatus))},
    "missing_resources": TRUTH,
    "resources_changed": TRUTH,
    "created_at": STAMP,
    "updated_at": STAMP,
}
_OF_INSTANCES = record(
    {
        **_COMMON,
        "resource_type": {"enum": ["virtual:instance", "flavor:instance"]},
        "vcpus": COUNT,
        "memory_mb": COUNT,
        "disk_gb": COUNT,
        "resources": {"type": "object", "additionalProperties": POSITIVE},
        "amount": POSITIVE,
        "affinity": {"type": ["boolean", "null"]},
        # Of a flavor:instance reservation, its flavor in JSON.
        "resource_properties": TEXT,
        "flavor_id": UUID,
        "aggregate_id": NULL,
        "server_group_id": NULL,
    }
)
_OF_HOSTS = record(
    {
        **_COMMON,
        "resource_type": {"const": "physical:host"},
        "min": POSITIVE,
        "max": POSITIVE,
        "hypervisor_properties": TEXT,
        "resource_properties": TEXT,
        "before_end": {"enum": list(get_args(BeforeEnd))},
    }
)
_EVENT = record(
    {
        "id": UUID,
        "lease_id": UUID,
        "event_type": {"enum": list(LEASE_EVENT_TYPES)},
        "time": SHOWN,
        "status": {"enum": list(get_args(EventStatus))},
        "created_at": STAMP,
        "updated_at": STAMP,
    }
)
_LEASE = record(
    {
        "id": UUID,
        "name": TEXT,
        "start_date": SHOWN,
        "end_date": SHOWN,
        "status": LEASE_STATUS,
        "status_reason": TEXT,
        "degraded": TRUTH,
        "user_id": TEXT,
        "project_id": TEXT,
        "trust_id": NULL,
        "created_at": STAMP,
        "updated_at": STAMP,
        "deleted_at": STAMP_OR_NULL,
        "reservations": listed({"oneOf": [_OF_INSTANCES, _OF_HOSTS]}),
        "events": listed(_EVENT),
    }
)
_DRY_RUN = record(
    {
        "fits": TRUTH,
        "lease": or_null(reference("Lease")),
        "hosts": listed(record({"host": TEXT, "slots": POSITIVE})),
        "reason": TEXT,
        "shortages": listed(
            record(
                {
                    "host": TEXT,
                    "resource": TEXT,
                    "free": COUNT,
                    "wanted": COUNT,
                    "held_by_leases": COUNT,
                    "held_until": SHOWN_OR_NULL,
                }
            )
        ),
        "alternatives": listed(
            record(
                {
                    "kind": {"enum": ["shorter", "fewer", "other affinity", "later"]},
                    "amount": {"type": ["integer", "null"]},
                    "start_date": SHOWN_OR_NULL,
                },
                {"affinity": NULL, "end_date": SHOWN},
            )
        ),
    }
)
SCHEMAS: Mapping[str, Definition] = {"Lease": _LEASE}
_ONE = record({"lease": reference("Lease")})

# --- requests

_NEW: Definition = {
    "type": "object",
    "properties": {
        "name": NAME,
        "start_date": DATE,
        "end_date": DATE,
        "before_end_date": DATE_OR_NOTHING,
        "reservations": {**or_null(listed(RESERVATION)), "maxItems": MOST_PARTS},
        "events": {
            "type": ["array", "null"],
            "maxItems": MOST_PARTS,
            "items": {
                "type": "object",
                "properties": {"event_type": {"const": "before_end_lease"}, "event_date": DATE},
                "required": ["event_type", "event_date"],
            },
        },
        "on_conflict": {
            **ON_CONFLICT,
            "description": "Whether to refuse a lease that does not fit, or to let it wait for room.",
        },
    },
    "required": ["name", "start_date", "end_date"],
}
# What a reservation asks for afterwards; fields that are not named stay as they are.
_CHANGED: Definition = {
    "type": "object",
    "properties": {
        "id": TEXT,
        "resource_type": TEXT,
        "amount": AMOUNT,
        "affinity": AFFINITY,
        "min": AMOUNT,
        "max": AMOUNT,
        "hypervisor_properties": CONDITION_OR_NULL,
        "resource_properties": CONDITION_OR_NULL,
    },
    "required": ["id"],
}
_CHANGE: Definition = {
    "type": "object",
    "properties": {
        "name": NAME,
        "start_date": DATE_OR_NOTHING,
        "end_date": DATE_OR_NOTHING,
        "before_end_date": DATE_OR_NOTHING,
        "reservations": {**or_null(listed(_CHANGED)), "maxItems": MOST_PARTS},
    },
}

SELECTION: dict[str, Definition] = {
    "project_id": TEXT,
    "user_id": TEXT,
    "name": TEXT,
    "status": TEXT,
    "ends_after": DATE,
    "starts_before": DATE,
    "deleted": YES,
    "marker": TEXT,
    "limit": {"type": "integer", "minimum": 1, "maximum": LARGEST},
}

OPERATIONS: Operations = {
    ("GET", "/v1/leases"): Described(
        summary="List leases",
        query=SELECTION,
        answers={HTTPStatus.OK: record({"leases": listed(reference("Lease"))})},
        # A marker that names no lease.
        refusals=(HTTPStatus.NOT_FOUND,),
    ),
    ("POST", "/v1/leases"): Described(
        summary="Make a lease, or ask with dry_run what would become of it",
        query={"dry_run": YES},
        body=_NEW,
        answers={HTTPStatus.CREATED: _ONE, HTTPStatus.OK: _DRY_RUN},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/v1/leases/{lease_id}"): Described(
        summary="Show a lease", query={"deleted": YES}, answers={HTTPStatus.OK: _ONE}
    ),
    ("PUT", "/v1/leases/{lease_id}"): Described(
        summary="Change a lease: extend, shorten, move, resize or rename it; or ask with dry_run whether it would be",
        query={"dry_run": YES},
        body=_CHANGE,
        answers={HTTPStatus.OK: {"oneOf": [_ONE, _DRY_RUN]}},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/v1/leases/{lease_id}"): Described(
        summary="Delete a lease, which ends it", answers={HTTPStatus.NO_CONTENT: None}, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/v1/leases.ics"): Described(
        summary="The same list of leases as a calendar",
        query=SELECTION,
        answers={HTTPStatus.OK: TEXT},
        refusals=(HTTPStatus.NOT_FOUND,),
        gives="text/calendar",
    ),
}

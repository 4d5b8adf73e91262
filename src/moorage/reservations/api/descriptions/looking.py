"""What would fit and when, and what projects may book and have booked, described."""

from __future__ import annotations

from http import HTTPStatus

from moorage.reservations.api.descriptions.leases import LEASE_STATUS
from moorage.reservations.api.descriptions.reservation_fields import QUERY
from moorage.reservations.api.descriptions.values import (
    DATE,
    DATE_OR_NOTHING,
    SHOWN,
    SHOWN_OR_NULL,
    YES,
    whole_number,
)
from moorage.reservations.api.looking import LONGEST_MINUTES, MOST_DAYS, MOST_STARTS, USUAL_STARTS
from moorage.reservations.api.reservation_fields import LARGEST
from moorage.reservations.booking.limits import NAMES
from moorage.reservations.booking.looking import HORIZON
from moorage.web.description import Described, Operations
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, TEXT, TEXT_OR_NULL, TRUTH, UUID, listed, record

_HOURS: Definition = {"type": "number", "minimum": 0}
_START: Definition = {**DATE_OR_NOTHING, "type": "string", "default": "now"}

_SLOTS = record({"slots": listed(record({"start_date": SHOWN, "end_date": SHOWN, "latest_start_date": SHOWN}))})
_AVAILABILITY = record({"availability": listed(record({"start_date": SHOWN, "end_date": SHOWN, "free": COUNT}))})
_LIMITS = record({"limits": record({"project_id": TEXT, **dict.fromkeys(NAMES, COUNT)})})
_NEW_LIMITS = record({}, dict.fromkeys(NAMES, whole_number(0)))
_USED_LEASE = record(
    {
        "id": UUID,
        "name": TEXT,
        "project_id": TEXT,
        "status": LEASE_STATUS,
        "start_date": SHOWN,
        "end_date": SHOWN,
        "slots": COUNT,
        "servers": {"type": ["integer", "null"], "minimum": 0},
        "idle": TRUTH,
        "instance_hours": _HOURS,
    }
)
_USAGE = record(
    {
        "usage": record(
            {
                # None where the report is about all projects.
                "project_id": TEXT_OR_NULL,
                "start_date": SHOWN_OR_NULL,
                "end_date": SHOWN_OR_NULL,
                "leases": COUNT,
                "instance_hours": _HOURS,
                "idle_leases": listed(UUID),
                "details": listed(_USED_LEASE),
            }
        )
    }
)


def _number(most: int, default: int) -> Definition:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": default}


OPERATIONS: Operations = {
    ("GET", "/v1/slots"): Described(
        summary="When a reservation could begin",
        query={
            **QUERY,
            "start": _START,
            "duration": {"type": "integer", "minimum": 1, "maximum": LONGEST_MINUTES, "description": "In minutes."},
            "horizon": {
                **_number(MOST_DAYS, HORIZON.days),
                "description": "So many days from the start are looked at.",
            },
            "limit": _number(MOST_STARTS, USUAL_STARTS),
        },
        required=("duration",),
        answers={HTTPStatus.OK: _SLOTS},
    ),
    ("GET", "/v1/availability"): Described(
        summary="How much is free over time",
        query={**QUERY, "start": _START, "end": DATE},
        answers={HTTPStatus.OK: _AVAILABILITY},
    ),
    ("GET", "/v1/limits"): Described(
        summary="What a project may book", query={"project_id": TEXT}, answers={HTTPStatus.OK: _LIMITS}
    ),
    ("PUT", "/v1/limits/{project_id}"): Described(
        summary=f"Set the limits of a project; 0 is none, {LARGEST} the highest",
        body=_NEW_LIMITS,
        answers={HTTPStatus.OK: _LIMITS},
    ),
    ("GET", "/v1/usage"): Described(
        summary="What projects have booked, and what of it nobody uses",
        query={"project_id": TEXT, "all_projects": YES, "start": DATE, "end": DATE},
        answers={HTTPStatus.OK: _USAGE},
    ),
}

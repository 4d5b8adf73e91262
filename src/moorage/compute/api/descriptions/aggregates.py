"""Host aggregates and availability zones."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions.common import BARE_TIME
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import (
    COUNT,
    NULL,
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

_NEW: dict[str, Definition] = {
    "id": COUNT,
    "uuid": UUID,
    "name": TEXT,
    "availability_zone": TEXT_OR_NULL,
    "created_at": BARE_TIME,
    "updated_at": or_null(BARE_TIME),
    "deleted": {"const": False},
    "deleted_at": NULL,
}

SCHEMAS: dict[str, Definition] = {
    "NewAggregate": record(_NEW),
    "Aggregate": record({**_NEW, "hosts": TEXTS, "metadata": TEXTS_BY_NAME}),
}

_ONE = record({"aggregate": reference("Aggregate")})


def _zones(hosts: Definition) -> Definition:
    zone = record({"zoneName": TEXT, "zoneState": record({"available": TRUTH}), "hosts": hosts})
    return record({"availabilityZoneInfo": listed(zone)})


_SERVICE = record({"available": TRUTH, "active": TRUTH, "updated_at": NULL})
_SERVICES_BY_HOST: Definition = {"type": "object", "additionalProperties": record({"nova-compute": _SERVICE})}

OPERATIONS: Operations = {
    ("GET", "/v2.1/os-aggregates"): Described(
        summary="List the aggregates", answers={HTTPStatus.OK: record({"aggregates": listed(reference("Aggregate"))})}
    ),
    ("POST", "/v2.1/os-aggregates"): Described(
        summary="Make an aggregate",
        answers={HTTPStatus.OK: record({"aggregate": reference("NewAggregate")})},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/v2.1/os-aggregates/{aggregate_id}"): Described(
        summary="Show an aggregate", answers={HTTPStatus.OK: _ONE}
    ),
    ("PUT", "/v2.1/os-aggregates/{aggregate_id}"): Described(
        summary="Change the name of an aggregate, or its availability zone",
        answers={HTTPStatus.OK: _ONE},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("DELETE", "/v2.1/os-aggregates/{aggregate_id}"): Described(
        summary="Delete an aggregate that has no hosts", answers={HTTPStatus.OK: None}
    ),
    ("POST", "/v2.1/os-aggregates/{aggregate_id}/action"): Described(
        summary="Add a host to an aggregate, remove one, or set metadata",
        answers={HTTPStatus.OK: _ONE},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/v2.1/os-availability-zone"): Described(
        summary="List the availability zones", answers={HTTPStatus.OK: _zones(NULL)}
    ),
    ("GET", "/v2.1/os-availability-zone/detail"): Described(
        summary="List the availability zones with their hosts",
        answers={HTTPStatus.OK: _zones(or_null(_SERVICES_BY_HOST))},
    ),
}

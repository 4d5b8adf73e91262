"""Quotas and limits of projects."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.schemas.common import BOOLEAN, whole_number
from moorage.compute.model.quota import SEPARATE
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, EMPTY_LIST, TEXT, by_name, record

_NAMES = ("instances", "cores", "ram", "metadata_items", "key_pairs", "server_groups", "server_group_members")
_LIMIT: Definition = {"type": "integer", "minimum": -1, "description": "-1 is no limit."}


def _each(quota: Definition, **more: Definition) -> Definition:
    """The same for every quota; those of flavors that have one for themselves are named after the flavors."""
    return {**record({**more, **dict.fromkeys(_NAMES, quota)}), "patternProperties": {f"^{SEPARATE}": quota}}


_WANTED: Definition = {
    **record({}, {"force": BOOLEAN, **dict.fromkeys(_NAMES, whole_number(-1))}),
    "patternProperties": {f"^{SEPARATE}": whole_number(-1)},
}

SCHEMAS: dict[str, Definition] = {
    "QuotaSet": _each(_LIMIT, id=TEXT),
    "QuotaSetWithUse": _each(record({"limit": _LIMIT, "in_use": COUNT, "reserved": COUNT}), id=TEXT),
    "Limits": record(
        {
            "rate": EMPTY_LIST,
            "absolute": record(
                {
                    "maxTotalInstances": _LIMIT,
                    "maxTotalCores": _LIMIT,
                    "maxTotalRAMSize": _LIMIT,
                    "maxTotalKeypairs": _LIMIT,
                    "maxServerMeta": _LIMIT,
                    "maxServerGroups": _LIMIT,
                    "maxServerGroupMembers": _LIMIT,
                    "totalInstancesUsed": COUNT,
                    "totalCoresUsed": COUNT,
                    "totalRAMUsed": COUNT,
                    "totalServerGroupsUsed": COUNT,
                }
            ),
        },
        {"absolutePerFlavor": by_name(record({"maxTotalInstances": _LIMIT, "totalInstancesUsed": COUNT}))},
    ),
}

_ONE = record({"quota_set": reference("QuotaSet")})

OPERATIONS: Operations = {
    ("GET", "/v2.1/os-quota-sets/{project_id}"): Described(
        summary="Show the quotas of a project", answers={HTTPStatus.OK: _ONE}
    ),
    ("PUT", "/v2.1/os-quota-sets/{project_id}"): Described(
        summary="Set quotas of a project",
        body=record({"quota_set": _WANTED}),
        answers={HTTPStatus.OK: record({"quota_set": _each(_LIMIT)})},
    ),
    ("DELETE", "/v2.1/os-quota-sets/{project_id}"): Described(
        summary="Give a project the default quotas again", answers={HTTPStatus.ACCEPTED: None}
    ),
    ("GET", "/v2.1/os-quota-sets/{project_id}/defaults"): Described(
        summary="Show the default quotas", answers={HTTPStatus.OK: _ONE}
    ),
    ("GET", "/v2.1/os-quota-sets/{project_id}/detail"): Described(
        summary="Show the quotas of a project, and what it has already",
        answers={HTTPStatus.OK: record({"quota_set": reference("QuotaSetWithUse")})},
    ),
    ("GET", "/v2.1/limits"): Described(
        summary="Show what a project may have, and has",
        query={"tenant_id": {"type": "string", "description": "Another project, for administrators."}},
        answers={HTTPStatus.OK: record({"limits": reference("Limits")})},
    ),
}

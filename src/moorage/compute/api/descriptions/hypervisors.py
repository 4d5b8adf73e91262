"""Hypervisors."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions.common import LINKS, PAGE, YES_OR_NO
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import NULL, TEXT, UUID, listed, record

_BRIEF: dict[str, Definition] = {
    "id": UUID,
    "hypervisor_hostname": TEXT,
    "state": {"const": "up"},
    "status": {"enum": ["enabled", "disabled"]},
}
_FULL: dict[str, Definition] = {
    **_BRIEF,
    "hypervisor_type": {"const": "moorage"},
    "hypervisor_version": {"const": 0},
    "host_ip": NULL,
    "service": record({"id": UUID, "host": TEXT, "disabled_reason": NULL}),
    "uptime": NULL,
}

# They are there for those who ask for them.
_SERVERS = {"servers": listed(record({"uuid": UUID, "name": TEXT}))}

SCHEMAS: dict[str, Definition] = {
    "HypervisorInBrief": record(_BRIEF, _SERVERS),
    "Hypervisor": record(_FULL, _SERVERS),
}

_WITH_SERVERS = {"with_servers": YES_OR_NO}
_PATTERN: Definition = {"type": "string", "description": "A part of the names of hosts. Such a list has no pages."}


def _list(summary: str, shown: str) -> Described:
    page = record({"hypervisors": listed(reference(shown))}, {"hypervisors_links": LINKS})
    return Described(
        summary=summary,
        query={**PAGE, **_WITH_SERVERS, "hypervisor_hostname_pattern": _PATTERN},
        answers={HTTPStatus.OK: page},
        # No host has a name like that.
        refusals=(HTTPStatus.NOT_FOUND,),
    )


OPERATIONS: Operations = {
    ("GET", "/v2.1/os-hypervisors"): _list("List the hypervisors", "HypervisorInBrief"),
    ("GET", "/v2.1/os-hypervisors/detail"): _list("List the hypervisors with details", "Hypervisor"),
    ("GET", "/v2.1/os-hypervisors/{hypervisor_id}"): Described(
        summary="Show a hypervisor",
        query=_WITH_SERVERS,
        answers={HTTPStatus.OK: record({"hypervisor": reference("Hypervisor")})},
    ),
}

"""Which servers a list may be asked for."""

from __future__ import annotations

from moorage.compute.api.descriptions.common import PAGE, YES_OR_NO
from moorage.compute.api.server_queries import SORT_NAMES
from moorage.compute.store.server_listing import SORTABLE
from moorage.web.schema import Definition
from moorage.web.shapes import TEXTS, listed

_TIME: Definition = {"type": "string", "format": "date-time"}
_TAGS: Definition = {"type": "string", "description": "Tags with commas between."}


def _any_of(what: str) -> Definition:
    return {**TEXTS, "description": f"{what}; several times, any of them will do."}


FILTERS: dict[str, Definition] = {
    **PAGE,
    "sort_key": listed({"type": "string", "enum": sorted({*SORTABLE, *SORT_NAMES})}),
    "sort_dir": listed({"type": "string", "enum": ["asc", "desc"]}),
    "all_tenants": {
        "type": "string",
        "enum": ["", *YES_OR_NO["enum"]],
        "description": "The servers of all projects, for administrators; an empty text says yes.",
    },
    "project_id": {"type": "string", "description": "The servers of another project, for administrators."},
    "tenant_id": {"type": "string", "description": "As project_id, which comes first."},
    "name": {"type": "string", "maxLength": 255, "description": "A simple regular expression."},
    "status": _any_of("A status of servers, in either case"),
    "vm_state": _any_of("A state of servers, in Nova's words"),
    "task_state": _any_of("What is being done to servers"),
    "flavor": _any_of("The id or the address of a flavor"),
    "image": _any_of("The id or the address of an image"),
    "user_id": _any_of("Who made servers"),
    "uuid": _any_of("The id of a server"),
    "host": _any_of("The name of a host, for administrators"),
    "node": _any_of("As host"),
    "hypervisor_hostname": _any_of("As host"),
    "availability_zone": _any_of("An availability zone"),
    "tags": {**_TAGS, "description": "Tags with commas between, all of which a server has."},
    "tags-any": {**_TAGS, "description": "Tags with commas between, one of which a server has."},
    "not-tags": {**_TAGS, "description": "Tags with commas between, not all of which a server has."},
    "not-tags-any": {**_TAGS, "description": "Tags with commas between, none of which a server has."},
    "changes-since": {**_TIME, "description": "Servers that changed since then, deleted ones too."},
    "changes-before": {**_TIME, "description": "Servers that changed until then, deleted ones too."},
    "deleted": {**YES_OR_NO, "description": "Deleted servers alone, for administrators."},
    "ip": {"type": "string", "description": "No server has any: whoever asks finds none."},
    "ip6": {"type": "string", "description": "As ip."},
    "key_name": {"type": "string", "description": "As ip."},
    "reservation_id": {"type": "string", "description": "As ip."},
    "power_state": {**TEXTS, "description": "0 for all servers."},
    "progress": {**TEXTS, "description": "0 for all servers."},
    "locked": {**YES_OR_NO, "description": "False for all servers."},
    "config_drive": {**YES_OR_NO, "description": "False for all servers."},
}

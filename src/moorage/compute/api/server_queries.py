"""Which servers a list shall show: the query string as conditions, an order and a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from moorage.compute.api.values import boolean
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.servers.name_pattern import name_pattern
from moorage.compute.store.server_listing import SORTABLE, Listing
from moorage.web.errors import bad_request, forbidden
from moorage.web.request import Parameters, Request

ALL_TENANTS = "os_compute_api:servers:index:get_all_tenants"
ALL_FILTERS = "os_compute_api:servers:allow_all_filters"

_STATUSES = {
    "BUILD",
    "ACTIVE",
    "REBUILD",
    "RESIZE",
    "VERIFY_RESIZE",
    "REVERT_RESIZE",
    "ERROR",
    "DELETED",
}
# By the names of the API; what an administrator alone may ask for is below.
_COLUMNS = {
    "flavor": "flavor_id",
    "image": "image_uuid",
    "user_id": "user_id",
    "uuid": "uuid",
    "task_state": "task_state",
    "availability_zone": "availability_zone",
}
_COLUMNS_OF_ADMINISTRATORS = {"host": "host", "node": "host", "hypervisor_hostname": "host"}
_SORT_NAMES = {"name": "display_name", "status": "vm_state", "id": "uuid", "node": "host"}

Test = Callable[[Server], bool]


def listing(request: Request, compute: Compute) -> Listing:
    """What the query string asks for, within what the caller may see."""
    parameters, caller = request.parameters, request.known_caller
    is_admin = compute.allows(caller, ALL_FILTERS, None)
    equal: dict[str, list[str]] = {}
    if (project := _project(request, compute)) is not None:
        equal["project_id"] = [project]
    columns = {**_COLUMNS, **(_COLUMNS_OF_ADMINISTRATORS if is_admin else {})}
    for name, column in columns.items():
        if values := parameters.all(name):
            equal[column] = [value.rpartition("/")[2] if name in ("flavor", "image") else value for value in values]
    statuses = [status.upper() for status in parameters.all("status")]
    if statuses:
        # A status that there is not is no error: nobody has it.
        equal["status"] = [status for status in statuses if status in _STATUSES] or [""]
    deleted = is_admin and boolean(parameters.last("deleted") or False, "deleted")
    return Listing(
        equal=equal,
        changed_since=_time(parameters, "changes-since"),
        changed_before=_time(parameters, "changes-before") if request.version >= (2, 66) else None,
        deleted=deleted or "DELETED" in statuses,
        # Whoever follows changes wants to hear of those that are gone.
        with_deleted="changes-since" in parameters and not deleted,
        matches=_all_of(_tests(request)),
        order=_order(parameters, by_host=is_admin),
        marker=parameters.last("marker"),
    )


def _project(request: Request, compute: Compute) -> str | None:
    """The only project whose servers are shown; None for all."""
    parameters, caller = request.parameters, request.known_caller
    named = parameters.last("project_id") or parameters.last("tenant_id")
    if "all_tenants" in parameters and boolean(parameters.last("all_tenants") or True, "all_tenants"):
        if not compute.allows(caller, ALL_TENANTS, None):
            raise forbidden(f"Policy doesn't allow {ALL_TENANTS} to be performed.")
        return named
    if named is not None and compute.allows(caller, ALL_FILTERS, None):
        return named
    return caller.project_id or ""


def _tests(request: Request) -> Iterable[Test]:
    """Conditions that no column has. Addresses are asked for in vain, since nobody knows any: they hide nothing."""
    parameters = request.parameters
    if name := parameters.last("name"):
        pattern = name_pattern(name)
        yield lambda server: pattern.search(server.name) is not None
    if request.version >= (2, 26):
        yield from _tag_tests(parameters)


def _tag_tests(parameters: Parameters) -> Iterable[Test]:
    def tags(name: str) -> frozenset[str] | None:
        text = parameters.last(name)
        return None if text is None else frozenset(text.split(","))

    if (every := tags("tags")) is not None:
        yield lambda server: every <= server.tags
    if (some := tags("tags-any")) is not None:
        yield lambda server: bool(some & server.tags)
    if (not_every := tags("not-tags")) is not None:
        yield lambda server: not not_every <= server.tags
    if (none := tags("not-tags-any")) is not None:
        yield lambda server: not none & server.tags


def _all_of(tests: Iterable[Test]) -> Test | None:
    listed = list(tests)
    return (lambda server: all(test(server) for test in listed)) if listed else None


def _order(parameters: Parameters, *, by_host: bool) -> list[tuple[str, bool]]:
    keys, directions = parameters.all("sort_key"), parameters.all("sort_dir")
    order = []
    for number, key in enumerate(keys):
        name = _SORT_NAMES.get(key, key)
        if name == "host" and not by_host:
            raise forbidden(f"Only administrators can sort servers by {key}")
        direction = directions[number] if number < len(directions) else (directions or ["desc"])[-1]
        if name not in SORTABLE or direction not in ("asc", "desc"):
            raise bad_request(
                f"Servers cannot be sorted by {key} {direction}; there is {', '.join(sorted(SORTABLE))}, asc or desc."
            )
        order.append((name, direction == "desc"))
    return order or [("created_at", (directions or ["desc"])[0] == "desc")]


def _time(parameters: Parameters, name: str) -> datetime | None:
    text = parameters.last(name)
    if text is None:
        return None
    # A plus sign that was not encoded has become a space.
    try:
        when = datetime.fromisoformat(re.sub(r" (?=\d\d:?\d\d$)", "+", text.strip()))
        return when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo is not None else when
    except (ValueError, OverflowError):
        raise bad_request(f"Invalid input for query parameters {name}. Value: {text}. It is no time.") from None

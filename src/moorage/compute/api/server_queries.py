"""Which servers a list shall show: the query string as conditions, an order and a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from moorage.compute.api.server_access import Zones
from moorage.compute.api.server_views import VM_STATES
from moorage.compute.api.values import boolean
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.servers.name_pattern import name_pattern
from moorage.compute.store.server_listing import SORTABLE, Listing
from moorage.web.errors import bad_request, forbidden
from moorage.web.request import Parameters, Request

ALL_TENANTS = "os_compute_api:servers:index:get_all_tenants"
ALL_FILTERS = "os_compute_api:servers:allow_all_filters"

_DELETED = "DELETED"
# What Nova's servers can be beside what ours can: nobody here is, but nobody is wrong to ask.
_ELSEWHERE = frozenset(
    {
        "HARD_REBOOT",
        "MIGRATING",
        "PASSWORD",
        "PAUSED",
        "REBOOT",
        "RESCUE",
        "SHELVED",
        "SHELVED_OFFLOADED",
        "SHUTOFF",
        "SOFT_DELETED",
        "SUSPENDED",
        "UNKNOWN",
    }
)
# By the names of the API; what an administrator alone may ask for is below.
_COLUMNS = {
    "flavor": "flavor_id",
    "image": "image_uuid",
    "user_id": "user_id",
    "uuid": "uuid",
    "task_state": "task_state",
}
# What no server here has, so that who asks for it finds none.
_OF_NOBODY = ("ip", "ip6", "key_name", "reservation_id")
# What is the same for every server here.
_OF_ALL = {"power_state": "0", "progress": "0"}
_FALSE_FOR_ALL = ("locked", "config_drive")
_COLUMNS_OF_ADMINISTRATORS = {"host": "host", "node": "host", "hypervisor_hostname": "host"}
SORT_NAMES = {"name": "display_name", "status": "vm_state", "id": "uuid", "node": "host"}

_DIRECTIONS = ("asc", "desc")
_NOBODY = [""]

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
    statuses = _statuses(request)
    if statuses is not None:
        equal["status"] = statuses or _NOBODY
    if _asks_for_nobody(parameters):
        equal["uuid"] = _NOBODY
    since = _time(parameters, "changes-since")
    before = _time(parameters, "changes-before") if request.version >= (2, 66) else None
    if since is not None and before is not None and since > before:
        raise bad_request("The value of changes-since must be less than or equal to changes-before.")
    deleted = is_admin and (statuses == [_DELETED] or boolean(parameters.last("deleted", "false"), "deleted"))
    if statuses == [_DELETED] and not deleted:
        raise forbidden("Only administrators may list deleted instances")
    return Listing(
        equal=equal,
        changed_since=since,
        changed_before=before,
        deleted=deleted,
        # Whoever follows changes wants to hear of those that are gone.
        with_deleted=(since or before) is not None and not deleted,
        matches=_all_of(_tests(request, compute)),
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


def _statuses(request: Request) -> list[str] | None:
    """The statuses that servers may have; None for any."""
    asked = [status.upper() for status in request.parameters.all("status")]
    found = [status for status in asked if status in VM_STATES]
    if asked and request.version >= (2, 38) and not found and not _ELSEWHERE.intersection(asked):
        raise bad_request("Invalid status value")
    states = request.parameters.all("vm_state")
    if not states:
        return found if asked else None
    return [status for status, state in VM_STATES.items() if state in states and (not asked or status in found)]


def _asks_for_nobody(parameters: Parameters) -> bool:
    """Whether some condition is on what is the same for all servers, and met by none."""
    # Each is read, whatever the others say.
    wanted_true = [boolean(parameters.last(name), name) for name in _FALSE_FOR_ALL if name in parameters]
    return (
        any(wanted_true)
        or any(parameters.last(name) for name in _OF_NOBODY)
        or any(value not in parameters.all(name) for name, value in _OF_ALL.items() if name in parameters)
    )


def _tests(request: Request, compute: Compute) -> Iterable[Test]:
    """Conditions that no column has."""
    parameters = request.parameters
    if name := parameters.last("name"):
        pattern = name_pattern(name)
        yield lambda server: pattern.search(server.name) is not None
    if wanted := parameters.all("availability_zone"):
        zones = Zones(compute)
        yield lambda server: zones.of(server) in wanted
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
    if wrong := [direction for direction in directions if direction not in _DIRECTIONS]:
        raise bad_request(f"Unknown sort direction {wrong[0]!r}, must be one of: {', '.join(_DIRECTIONS)}.")
    order = []
    for number, key in enumerate(keys):
        name = SORT_NAMES.get(key, key)
        if name == "host" and not by_host:
            raise forbidden(f"Only administrators can sort servers by {key}")
        direction = directions[number] if number < len(directions) else (directions or ["desc"])[-1]
        if name not in SORTABLE:
            raise bad_request(f"Servers cannot be sorted by {key}; there is {', '.join(sorted(SORTABLE))}.")
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

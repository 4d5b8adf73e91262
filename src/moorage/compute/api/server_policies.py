"""Who may do what with servers by default: the names of Nova's rules, and its defaults."""

from __future__ import annotations

from moorage.compute.api.server_actions import RULES as ACTIONS

_SERVERS = "os_compute_api:servers:"
_METADATA = "os_compute_api:server-metadata:"
_TAGS = "os_compute_api:os-server-tags:"

FOR_READERS = frozenset(
    {
        f"{_SERVERS}index",
        f"{_SERVERS}detail",
        f"{_SERVERS}show",
        f"{_METADATA}index",
        f"{_METADATA}show",
        f"{_TAGS}index",
        f"{_TAGS}show",
    }
)
"""For readers of a server's project."""

FOR_MEMBERS = frozenset(
    {
        *(f"{_SERVERS}{what}" for what in ("create", "update", "delete")),
        *(rule for rule in ACTIONS if not rule.startswith("os_compute_api:os-admin-actions:")),
        *(f"{_METADATA}{what}" for what in ("create", "update", "update_all", "delete")),
        *(f"{_TAGS}{what}" for what in ("update", "update_all", "delete", "delete_all")),
    }
)
"""For members of a server's project."""

BESIDE_ROUTES = {
    f"{_SERVERS}index:get_all_tenants": "List the servers of all projects.",
    f"{_SERVERS}allow_all_filters": "List servers by host or project, and deleted ones.",
    f"{_SERVERS}create:forced_host": "Name the host of a new server in its availability zone.",
    "compute:servers:create:requested_destination": "Name the host of a new server.",
    "os_compute_api:os-extended-server-attributes": "See the hosts of servers.",
    **dict.fromkeys(ACTIONS, "Guards an action of POST /v2.1/servers/{server_id}/action."),
}
"""Rules that no route has by itself, and what they are about."""

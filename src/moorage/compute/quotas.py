"""Which quotas a project has, how much of each it may have, and how much it has already."""

from __future__ import annotations

from collections.abc import Iterable

from oslo_config import cfg
from sqlalchemy import Connection

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.quota import UNLIMITED, excesses, separate_quota
from moorage.compute.store import flavors, quotas, server_groups, servers
from moorage.compute.store.errors import OverQuota

NETWORK = frozenset({"floating_ips", "fixed_ips", "security_groups", "security_group_rules"})
"""What older versions of the API list though networks have their own service."""

INJECTED_FILES = frozenset({"injected_files", "injected_file_content_bytes", "injected_file_path_bytes"})
"""What older versions of the API list though no files come with servers any more."""

# Clients read and set these; there is nothing here that they would limit.
_WITHOUT_EFFECT = {
    **dict.fromkeys(sorted(NETWORK), UNLIMITED),
    "injected_files": 5,
    "injected_file_content_bytes": 10240,
    "injected_file_path_bytes": 255,
    "key_pairs": 100,
}


def default_limits(connection: Connection, settings: cfg.ConfigOpts) -> dict[str, int]:
    """What a project may have for which nothing was set."""
    return _defaults(settings, flavors.all_flavors(connection))


def _defaults(settings: cfg.ConfigOpts, counted: Iterable[Flavor]) -> dict[str, int]:
    wanted = settings.quota
    return {
        **_WITHOUT_EFFECT,
        "instances": wanted.instances,
        "cores": wanted.cores,
        "ram": wanted.ram,
        "metadata_items": wanted.metadata_items,
        "server_groups": wanted.server_groups,
        "server_group_members": wanted.server_group_members,
        **dict.fromkeys(_separate_quotas(counted), wanted.separate_instances),
    }


def effective_limits(connection: Connection, settings: cfg.ConfigOpts, project_id: str) -> dict[str, int]:
    """What a project may have; -1 for no limit."""
    return _overruled(connection, project_id, default_limits(connection, settings))


def limits_for(connection: Connection, settings: cfg.ConfigOpts, project_id: str, *counted: Flavor) -> dict[str, int]:
    """What a project may have; of quotas that single flavors have for themselves, only those of some flavors."""
    return _overruled(connection, project_id, _defaults(settings, counted))


def _overruled(connection: Connection, project_id: str, defaults: dict[str, int]) -> dict[str, int]:
    return defaults | {name: limit for name, limit in quotas.limits(connection, project_id).items() if name in defaults}


def usage_of(connection: Connection, project_id: str) -> dict[str, int]:
    """What a project has of all that is counted."""
    return {**servers.usage(connection, project_id), "server_groups": server_groups.count(connection, project_id)}


def check_server_groups(connection: Connection, settings: cfg.ConfigOpts, project_id: str) -> None:
    """Refuse one more server group than a project may have; the caller has taken its turn."""
    limits = limits_for(connection, settings, project_id)
    used = {"server_groups": server_groups.count(connection, project_id)}
    if excesses(limits, used, {"server_groups": 1}):
        raise OverQuota("Quota exceeded, too many server groups.")


def _separate_quotas(all_flavors: Iterable[Flavor]) -> list[str]:
    return [name for flavor in all_flavors if (name := separate_quota(flavor)) is not None]

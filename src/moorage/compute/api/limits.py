"""Limits: the quotas of a project under the names that clients show, with what is in use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from moorage.compute import quotas as rules
from moorage.compute.context import Compute
from moorage.compute.model.quota import SEPARATE
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import forbidden
from moorage.web.request import Request

_OTHER_PROJECT = "os_compute_api:limits:other_project"

_LIMITS = {
    "maxTotalInstances": "instances",
    "maxTotalCores": "cores",
    "maxTotalRAMSize": "ram",
    "maxTotalKeypairs": "key_pairs",
    "maxServerMeta": "metadata_items",
    "maxImageMeta": "metadata_items",
    "maxServerGroups": "server_groups",
    "maxServerGroupMembers": "server_group_members",
    "maxTotalFloatingIps": "floating_ips",
    "maxSecurityGroups": "security_groups",
    "maxSecurityGroupRules": "security_group_rules",
    "maxPersonality": "injected_files",
    "maxPersonalitySize": "injected_file_content_bytes",
}
_USED = {
    "totalInstancesUsed": "instances",
    "totalCoresUsed": "cores",
    "totalRAMUsed": "ram",
    "totalServerGroupsUsed": "server_groups",
    "totalFloatingIpsUsed": "floating_ips",
    "totalSecurityGroupsUsed": "security_groups",
}


def index(request: Request, compute: Compute) -> Answer:
    """GET /limits"""
    caller = request.known_caller
    project_id = request.parameters.last("tenant_id")
    if project_id is not None and not compute.allows(caller, _OTHER_PROJECT, project_id):
        raise forbidden(f"Policy doesn't allow {_OTHER_PROJECT} to be performed.")

    def work(connection: Connection) -> tuple[dict[str, int], dict[str, int]]:
        whose = project_id or caller.project_id or ""
        return rules.effective_limits(connection, compute.settings, whose), rules.usage_of(connection, whose)

    limits, used = compute.read(work)
    hidden = _hidden(request)
    absolute: dict[str, Any] = {
        **{name: limits[quota] for name, quota in _LIMITS.items() if not {name, quota} & hidden},
        **{name: used.get(quota, 0) for name, quota in _USED.items() if quota not in hidden},
    }
    content: dict[str, Any] = {"rate": [], "absolute": absolute}
    if separate := _per_flavor(limits, used):
        content["absolutePerFlavor"] = separate
    return json_answer({"limits": content})


def _per_flavor(limits: Mapping[str, int], used: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """The quotas of flavors that have their own, as a Nova tells them that is patched to have such quotas."""
    return {
        name.removeprefix(SEPARATE): {"maxTotalInstances": limit, "totalInstancesUsed": used.get(name, 0)}
        for name, limit in sorted(limits.items())
        if name.startswith(SEPARATE)
    }


def _hidden(request: Request) -> frozenset[str]:
    hidden: frozenset[str] = frozenset()
    if request.version >= (2, 36):
        hidden |= rules.NETWORK
    if request.version >= (2, 39):
        hidden |= {"maxImageMeta"}
    if request.version >= (2, 57):
        hidden |= rules.INJECTED_FILES
    return hidden

"""Server groups: servers that shall share a host, or shall not."""

from __future__ import annotations

import uuid
from typing import Any

from moorage.compute.api import paging, values
from moorage.compute.context import Compute
from moorage.compute.model.server_group import ServerGroup
from moorage.compute.quotas import check_server_groups
from moorage.compute.store import quotas, server_groups
from moorage.db.database import Transaction
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request, forbidden
from moorage.web.request import Request

_RULE = "os_compute_api:os-server-groups:"


def index(request: Request, compute: Compute) -> Answer:
    """GET /os-server-groups"""
    caller = request.known_caller
    everything = "all_projects" in request.parameters and compute.allows(caller, f"{_RULE}index:all_projects", None)
    found = compute.read(server_groups.groups, None if everything else caller.project_id or "")
    offset = values.whole_number(request.parameters.last("offset", "0"), "offset")
    # openstacksdk asks for the next page with a marker, which Nova does not know: it never comes to an end there.
    shown = paging.page(request, found, lambda group: group.uuid, offset)
    return json_answer({"server_groups": [_rendered(request, group) for group in shown]})


def create(request: Request, compute: Compute) -> Answer:
    """POST /os-server-groups"""
    new, caller = request.content["server_group"], request.known_caller
    if caller.project_id is None:
        raise forbidden("A server group belongs to a project, and the caller has none.")
    policy = new["policy"] if request.version >= (2, 64) else new["policies"][0]
    rules = new.get("rules") or {}
    if rules and policy != "anti-affinity":
        raise bad_request("Only anti-affinity policy supports rules.")
    most = rules.get("max_server_per_host")
    group = ServerGroup(
        uuid=str(uuid.uuid4()),
        name=values.name(new["name"]),
        project_id=caller.project_id,
        user_id=caller.user_id,
        policy=policy,
        max_server_per_host=None if most is None else values.whole_number(most, "max_server_per_host", 1),
    )

    def work(tx: Transaction) -> ServerGroup:
        quotas.take_turn(tx, group.project_id)
        check_server_groups(tx.connection, compute.settings, group.project_id)
        return server_groups.create(tx, group)

    return _answer(request, compute.write(work))


def show(request: Request, compute: Compute) -> Answer:
    """GET /os-server-groups/{group_id}"""
    return _answer(request, _own(request, compute, "show"))


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /os-server-groups/{group_id}"""
    compute.write(server_groups.remove, _own(request, compute, "delete").uuid)
    return empty_answer()


def _own(request: Request, compute: Compute, what: str) -> ServerGroup:
    """The group in question, if the policy lets the caller do this in its project; others are not there for them."""
    group = compute.read(server_groups.find, request.path["group_id"])
    if compute.allows(request.known_caller, f"{_RULE}{what}", group.project_id):
        return group
    if request.known_caller.project_id != group.project_id:
        raise server_groups.not_found(group.uuid)
    raise forbidden(f"Policy doesn't allow {_RULE}{what} to be performed.")


def _answer(request: Request, group: ServerGroup) -> Answer:
    return json_answer({"server_group": _rendered(request, group)})


def _rendered(request: Request, group: ServerGroup) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": group.uuid, "name": group.name, "members": list(group.members)}
    if request.version >= (2, 64):
        most = group.max_server_per_host
        shown |= {"policy": group.policy, "rules": {} if most is None else {"max_server_per_host": most}}
    else:
        shown |= {"policies": [group.policy], "metadata": {}}
    if request.version >= (2, 13):
        shown |= {"project_id": group.project_id, "user_id": group.user_id}
    return shown

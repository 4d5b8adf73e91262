"""Quotas of projects."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from sqlalchemy import Connection

from moorage.compute import quotas as rules
from moorage.compute.api import values
from moorage.compute.context import Compute
from moorage.compute.model.quota import UNLIMITED
from moorage.compute.store import quotas
from moorage.db.database import Transaction
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request, forbidden
from moorage.web.request import Request

_RULE = "os_compute_api:os-quota-sets:"

LONGEST_PROJECT = 255


def show(request: Request, compute: Compute) -> Answer:
    """GET /os-quota-sets/{project_id}"""
    project_id = _project(request, compute, "show")
    limits = compute.read(rules.effective_limits, compute.settings, project_id)
    return json_answer({"quota_set": {"id": project_id, **_known(request, limits)}})


def defaults(request: Request, compute: Compute) -> Answer:
    """GET /os-quota-sets/{project_id}/defaults"""
    project_id = _project(request, compute, "defaults")
    limits = compute.read(rules.default_limits, compute.settings)
    return json_answer({"quota_set": {"id": project_id, **_known(request, limits)}})


def detail(request: Request, compute: Compute) -> Answer:
    """GET /os-quota-sets/{project_id}/detail"""
    project_id = _project(request, compute, "detail")

    def work(connection: Connection) -> tuple[dict[str, int], dict[str, int]]:
        return rules.effective_limits(connection, compute.settings, project_id), rules.usage_of(connection, project_id)

    limits, used = compute.read(work)
    shown = {
        name: {"limit": limit, "in_use": used.get(name, 0), "reserved": 0}
        for name, limit in _known(request, limits).items()
    }
    return json_answer({"quota_set": {"id": project_id, **shown}})


def update(request: Request, compute: Compute) -> Answer:
    """PUT /os-quota-sets/{project_id}"""
    project_id = _project(request, compute, "update")
    if len(project_id) > LONGEST_PROJECT:
        raise bad_request(f"The id of a project may have {LONGEST_PROJECT} characters; this one has {len(project_id)}.")
    given: dict[str, Any] = dict(request.content["quota_set"])
    forced = values.boolean(given.pop("force", False), "force")
    wanted = {name: values.whole_number(value, name, UNLIMITED) for name, value in given.items()}

    def work(tx: Transaction) -> dict[str, int]:
        _check_names(request, wanted, rules.default_limits(tx.connection, compute.settings))
        quotas.take_turn(tx, project_id)
        if not forced:
            _check_usage(wanted, rules.usage_of(tx.connection, project_id))
        quotas.set_limits(tx, project_id, wanted)
        return rules.effective_limits(tx.connection, compute.settings, project_id)

    return json_answer({"quota_set": _known(request, compute.write(work))})


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /os-quota-sets/{project_id}"""
    compute.write(quotas.reset, _project(request, compute, "delete"))
    return empty_answer(HTTPStatus.ACCEPTED)


def _project(request: Request, compute: Compute, what: str) -> str:
    """The project in question, if the policy lets the caller do this there."""
    project_id = request.path["project_id"]
    if not compute.allows(request.known_caller, f"{_RULE}{what}", project_id):
        raise forbidden(f"Policy doesn't allow {_RULE}{what} to be performed.")
    return project_id


def _known(request: Request, limits: Mapping[str, int]) -> dict[str, int]:
    """What the version of the request has a name for."""
    hidden: frozenset[str] = frozenset()
    if request.version >= (2, 36):
        hidden |= rules.NETWORK
    if request.version >= (2, 57):
        hidden |= rules.INJECTED_FILES
    return {name: limit for name, limit in limits.items() if name not in hidden}


def _check_names(request: Request, wanted: Mapping[str, int], limits: Mapping[str, int]) -> None:
    known = _known(request, limits)
    if unknown := sorted(wanted.keys() - known.keys()):
        raise bad_request(
            f"There is no quota named {', '.join(unknown)}; there is {', '.join(sorted(known))}. A quota"
            " instances_NAME is there for each flavor with the extra spec quota:separate=true."
        )


def _check_usage(wanted: Mapping[str, int], used: Mapping[str, int]) -> None:
    for name, limit in sorted(wanted.items()):
        if limit != UNLIMITED and limit < used.get(name, 0):
            raise bad_request(
                f"Quota limit {limit} for {name} must be greater than or equal to already used {used[name]}."
            )

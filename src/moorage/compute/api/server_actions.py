"""What can be done to a server: POST /servers/{server_id}/action, with the action's name as the only key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from moorage.compute.api import values
from moorage.compute.api.schemas.servers import ACTIONS
from moorage.compute.api.server_access import answered, server_of
from moorage.compute.api.server_orders import usable_flavor, usable_image
from moorage.compute.api.servers import shown
from moorage.compute.context import Compute
from moorage.compute.model.server import Server
from moorage.compute.servers import deletion, resize_outcomes
from moorage.compute.servers.rebuilding import Rebuild, rebuild
from moorage.compute.servers.resetting import reset
from moorage.compute.servers.resizing import resize
from moorage.web.answer import Answer, empty_answer
from moorage.web.errors import bad_request
from moorage.web.request import Request

Action = Callable[[Request, Compute, Server, Any], Answer]


@answered
def act(request: Request, compute: Compute) -> Answer:
    """POST /servers/{server_id}/action"""
    [(name, content)] = request.content.items()
    if name not in _ACTIONS:
        raise bad_request(f"There is no such action: {name}. There is {', '.join(sorted(_ACTIONS))}.")
    rule, action = _ACTIONS[name]
    server = server_of(request, compute, rule)
    ACTIONS[name].check(content)
    return action(request, compute, server, content)


def _rebuild(request: Request, compute: Compute, server: Server, wanted: Mapping[str, Any]) -> Answer:
    image = usable_image(compute, request.known_caller, wanted["imageRef"])
    changes = Rebuild(
        image=image,
        name=values.name(wanted["name"]) if "name" in wanted else None,
        metadata=wanted.get("metadata"),
        description=wanted.get("description"),
        changes_description="description" in wanted,
    )
    return shown(request, compute, rebuild(compute, server, changes), HTTPStatus.ACCEPTED)


def _resize(request: Request, compute: Compute, server: Server, wanted: Mapping[str, Any]) -> Answer:
    catalogue = compute.catalogue()
    flavor = usable_flavor(compute, catalogue, request.known_caller, wanted["flavorRef"])
    resize(compute, catalogue, server, flavor)
    return empty_answer(HTTPStatus.ACCEPTED)


def _confirm(_request: Request, compute: Compute, server: Server, _content: object) -> Answer:
    resize_outcomes.confirm(compute, server)
    return empty_answer()


def _revert(_request: Request, compute: Compute, server: Server, _content: object) -> Answer:
    resize_outcomes.revert(compute, server)
    return empty_answer(HTTPStatus.ACCEPTED)


def _force_delete(_request: Request, compute: Compute, server: Server, _content: object) -> Answer:
    """Nova knows deletions that can be taken back, and this one that cannot; here every deletion is of this kind."""
    deletion.delete(compute, server.uuid)
    return empty_answer(HTTPStatus.ACCEPTED)


def _reset_state(_request: Request, compute: Compute, server: Server, wanted: Mapping[str, Any]) -> Answer:
    reset(compute, server.uuid, wanted["state"])
    return empty_answer(HTTPStatus.ACCEPTED)


_ACTIONS: Mapping[str, tuple[str, Action]] = {
    "rebuild": ("os_compute_api:servers:rebuild", _rebuild),
    "resize": ("os_compute_api:servers:resize", _resize),
    "confirmResize": ("os_compute_api:servers:confirm_resize", _confirm),
    "revertResize": ("os_compute_api:servers:revert_resize", _revert),
    "forceDelete": ("os_compute_api:os-deferred-delete:force", _force_delete),
    "os-resetState": ("os_compute_api:os-admin-actions:reset_state", _reset_state),
}

RULES = tuple(rule for rule, _ in _ACTIONS.values())
"""The policy's rules for actions."""

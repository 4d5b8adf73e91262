"""How each thing that the audit finds is put right. Every repair looks again before it acts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import SystemRandom

from moorage.compute.context import Compute
from moorage.compute.model.server import CONFIRMING, NO_VALID_HOST, REVERTING, Fault, Server
from moorage.compute.placing.candidates import Candidate
from moorage.compute.placing.refusals import Refusal
from moorage.compute.placing.request import placement_request
from moorage.compute.placing.settings import placing_settings
from moorage.compute.servers import deletion, resize_outcomes
from moorage.compute.servers.choosing import Rules
from moorage.compute.servers.claiming import Place, find_and_claim
from moorage.compute.servers.consumers import (
    give_back,
    holding,
    host_among,
    host_name,
    is_held_for,
    release,
    resize_consumer,
)
from moorage.compute.servers.errors import NoPlace
from moorage.compute.store import servers as server_store
from moorage.db.database import Transaction

Repair = Callable[[Compute, Server], str]


def _release(compute: Compute, server: Server) -> str:
    release(compute.placement, server.uuid)
    return "What it held was given back."


def _release_left_over(compute: Compute, server: Server) -> str:
    if server.host is None:
        give_back(compute.placement, server.uuid)
    if server.resize_origin is None:
        return _end_of_resize(compute, server)
    return "What it should not hold was given back."


def _end_of_resize(compute: Compute, server: Server) -> str:
    """Of the two that a resize has left, keep what the server's flavor asks for: it may have been reset meanwhile."""
    second = resize_consumer(server.uuid)
    now, before = (compute.placement.allocations(consumer) for consumer in (server.uuid, second))
    if is_held_for(server.flavor, before) and not is_held_for(server.flavor, now):
        resize_outcomes.take_back(compute, server)
        return "It holds again what it had before the resize."
    give_back(compute.placement, second)
    return "What it should not hold was given back."


def _finish_delete(compute: Compute, server: Server) -> str:
    deletion.finish(compute, server.uuid)
    return "It was deleted."


def _finish_build(compute: Compute, server: Server) -> str:
    """A claim that was made is kept; without one, the owner is told to try again."""
    place = _place_of(compute, server.uuid)
    if place is None:
        _fail(compute, server, "The server was being placed when the service was interrupted; make it anew.")
        return "It holds nothing, so it is in the status ERROR now."

    def placed(tx: Transaction) -> Server | None:
        def with_place(now: Server) -> Server | None:
            if now.status != "BUILD" or now.task_state != server.task_state:
                return None
            return replace(
                now,
                status="ACTIVE",
                task_state=None,
                host=place.host,
                provider_uuid=place.provider_uuid,
                launched_at=tx.now,
            )

        return server_store.change(tx, server.uuid, with_place)

    compute.database.write(placed)
    return f"It holds its place on {place.host}, so it is in the status ACTIVE now."


def _finish_resize(compute: Compute, server: Server) -> str:
    if server.task_state == CONFIRMING:
        resize_outcomes.finish_confirm(compute, server.uuid)
        return "Its resize was confirmed."
    if server.task_state == REVERTING:
        resize_outcomes.finish_revert(compute, server)
        return "Its resize was reverted."
    place = _place_of(compute, server.uuid)
    if place is None or compute.placement.allocations(resize_consumer(server.uuid)) is None:
        resize_outcomes.undo_resize(compute, server.uuid)
        return "It had not been moved yet, so it is what it was."
    if not resize_outcomes.finish_resize(compute, server.uuid, place):
        resize_outcomes.take_back(compute, server)
        resize_outcomes.undo_resize(compute, server.uuid)
        return "Its group does not allow its new place, so it is what it was."
    return "It holds its new place, so it waits to be confirmed now."


def _claim(compute: Compute, server: Server) -> str:
    """What a server should hold is claimed where it is; if that is not to be had, its owner hears of it."""
    if compute.placement.allocations(server.uuid) is not None or server.provider_uuid is None:
        return "It holds something by now."

    def claim(chosen: Sequence[Candidate]) -> None:
        compute.placement.put_allocations(server.uuid, holding(server, chosen[0].allocations))

    settings = placing_settings(compute.settings)
    try:
        request = placement_request(
            server.flavor, server.boot_image, compute.catalogue().aggregates, settings, server.project_id
        ).at_host(server.provider_uuid)
        rules = Rules(weigher=settings.weigher, chance=SystemRandom())
        find_and_claim(compute.placement, request, 1, rules, claim)
    except (NoPlace, Refusal) as reason:
        _fail(compute, server, f"The server held nothing, and its host cannot take it: {reason}")
        return "Its host cannot take it, so it is in the status ERROR now."
    if compute.read(server_store.find, server.uuid) is None:
        release(compute.placement, server.uuid)
        return "It was deleted meanwhile."
    return f"It holds its resources on {server.host} again."


def _fail(compute: Compute, server: Server, message: str) -> None:
    def work(tx: Transaction) -> Server | None:
        fault = Fault(code=NO_VALID_HOST, message=message, created_at=tx.now)

        def failed(now: Server) -> Server | None:
            if (now.status, now.task_state) != (server.status, server.task_state):
                return None
            return replace(now, status="ERROR", task_state=None, fault=fault)

        return server_store.change(tx, server.uuid, failed)

    compute.database.write(work)


def _place_of(compute: Compute, consumer_uuid: str) -> Place | None:
    """The host that a consumer holds something of; None if it holds nothing."""
    held = compute.placement.allocations(consumer_uuid)
    provider = None if held is None else host_among(compute.placement, held.allocations)
    return None if provider is None else Place(provider, host_name(compute.placement, provider))


REPAIRS: Mapping[str, Repair] = {
    "claim": _claim,
    "release": _release,
    "finish_build": _finish_build,
    "finish_delete": _finish_delete,
    "finish_resize": _finish_resize,
    "release_left_over": _release_left_over,
}

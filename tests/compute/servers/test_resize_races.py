"""A resize and whatever comes in between: deletions, rebuilds, other resizes, an administrator's word, quotas, groups.

Whatever the order, and wherever somebody is killed, nothing is held twice or for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from moorage.compute.api import server_actions
from moorage.compute.audit import audit, holders
from moorage.compute.servers import resetting, resize_outcomes, resizing
from moorage.compute.servers.consumers import resize_consumer
from tests.compute.servers.test_resize import Killed, die, resize, vcpus
from tests.compute.servers.yard import ADMIN, PROJECT, Yard

pytestmark = pytest.mark.every_database

NOW = timedelta()


@pytest.fixture
def server(yard: Yard) -> str:
    """A server with a flavor of 1 VCPU on one of two hosts with 4 of them; there is a flavor of 3, too."""
    for host in ("dock1", "dock2"):
        yard.host(host, {"VCPU": 4, "MEMORY_MB": 8192})
    yard.flavor("large", id="large", vcpus=3, disk=0)
    return yard.server(yard.flavor("small", id="small", disk=0))


def just_before(patched: pytest.MonkeyPatch, module: Any, name: str, happens: Callable[[], object]) -> None:
    """Let something happen just before a step, once."""
    step = getattr(module, name)

    def first(*arguments: Any) -> Any:
        patched.setattr(module, name, step)
        happens()
        return step(*arguments)

    patched.setattr(module, name, first)


def agrees(yard: Yard, server: str, flavor: str) -> None:
    """A server is settled with a flavor, holds that and nothing else, where its record says."""
    shown = yard.shown(server)
    assert shown["flavor"]["original_name"] == flavor
    assert shown["OS-EXT-STS:task_state"] is None
    [(provider, amounts)] = yard.held(server).items()
    assert amounts["VCPU"] == {"small": 1, "large": 3}[flavor]
    found = yard.placement.provider(provider)
    assert found is not None
    assert found.name == shown["OS-EXT-SRV-ATTR:host"]
    assert yard.held(resize_consumer(server)) == {}
    assert audit(yard.compute, fix=False, age=NOW) == []


MOMENTS = [(resizing, "find_and_claim"), (resizing, "finish_resize")]


@pytest.mark.parametrize(("module", "moment"), MOMENTS)
def test_a_deletion_comes_in_between(
    yard: Yard, server: str, module: Any, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    just_before(monkeypatch, module, moment, lambda: yard.send("DELETE", f"/servers/{server}"))
    assert yard.act(server, "resize", {"flavorRef": "large"}).status in (400, 404)
    assert yard.send("GET", f"/servers/{server}").status == 404
    assert holders(yard.placement) == frozenset()
    assert audit(yard.compute, fix=False, age=NOW) == []


def test_a_deletion_comes_between_the_steps_of_a_revert(
    yard: Yard, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resize(yard, server, "large")
    just_before(monkeypatch, resize_outcomes, "take_back", lambda: yard.send("DELETE", f"/servers/{server}"))
    yard.act(server, "revertResize")
    assert yard.send("GET", f"/servers/{server}").status == 404
    assert holders(yard.placement) == frozenset()


@pytest.mark.parametrize("state", ["active", "error"])
@pytest.mark.parametrize(("module", "moment"), MOMENTS)
def test_a_reset_comes_in_between(
    yard: Yard, server: str, module: Any, moment: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    just_before(monkeypatch, module, moment, lambda: yard.by(ADMIN).act(server, "os-resetState", {"state": state}))
    assert yard.act(server, "resize", {"flavorRef": "large"}).status == 404
    assert yard.shown(server)["status"] == state.upper()
    agrees(yard, server, "small")


def test_whoever_is_killed_after_a_reset_is_repaired(yard: Yard, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The resize has claimed its place after the reset has looked, and did not live to give it back."""
    with monkeypatch.context() as patched:
        patched.setattr(resetting, "take_back", lambda *_: None)
        patched.setattr(resize_outcomes, "abandon", die)
        just_before(
            patched, resizing, "finish_resize", lambda: yard.by(ADMIN).act(server, "os-resetState", {"state": "active"})
        )
        with pytest.raises(Killed):
            yard.act(server, "resize", {"flavorRef": "large"})
    assert (vcpus(yard, server), vcpus(yard, resize_consumer(server))) == ([3], [1])
    [finding] = audit(yard.compute, fix=True, age=NOW)
    assert finding.repair == "It holds again what it had before the resize."
    agrees(yard, server, "small")


def test_a_reset_ends_a_resize_that_waits_to_be_confirmed(yard: Yard, server: str) -> None:
    resize(yard, server, "large")
    assert yard.by(ADMIN).act(server, "os-resetState", {"state": "active"}).status == 202
    agrees(yard, server, "large")


def test_a_rebuild_that_comes_first_counts(yard: Yard, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new place has the traits of the image that the server has by then."""
    yard.host("dock3", {"VCPU": 8, "MEMORY_MB": 8192}, traits=["CUSTOM_TRUSTED_HOST"])
    trusted = yard.image("trusted", {"trait:CUSTOM_TRUSTED_HOST": "required"})
    host = yard.placement.provider_named(yard.place_of(server) or "")
    assert host is not None
    yard.placement.put_traits(host.uuid, {"COMPUTE_NODE", "CUSTOM_TRUSTED_HOST"}, host.generation)

    def rebuilt() -> None:
        assert yard.act(server, "rebuild", {"imageRef": trusted}).status == 202

    just_before(monkeypatch, server_actions, "resize", rebuilt)
    resize(yard, server, "large")
    assert yard.place_of(server) in ("dock3", host.name)


def test_of_two_resizes_one_is_refused(yard: Yard, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = []
    just_before(
        monkeypatch,
        resizing,
        "find_and_claim",
        lambda: replies.append(yard.act(server, "resize", {"flavorRef": "large"}).status),
    )
    resize(yard, server, "large")
    assert replies == [409]
    assert yard.act(server, "confirmResize").status == 204
    agrees(yard, server, "large")


# --- quotas


def limit(yard: Yard, **limits: int) -> None:
    reply = yard.by(ADMIN).send("PUT", f"/os-quota-sets/{PROJECT}", {"quota_set": {**limits, "force": True}})
    assert reply.status == 200, reply.body


def test_a_revert_that_needs_more_than_the_quota_is_refused(yard: Yard, server: str) -> None:
    resize(yard, server, "large")
    yard.act(server, "confirmResize")
    resize(yard, server, "small")
    limit(yard, cores=2)
    held = yard.held(server)
    reply = yard.act(server, "revertResize")
    assert (reply.status, reply.message) == (
        403,
        "Quota exceeded for cores: Requested 2, but already used 1 of 2 cores",
    )
    assert (yard.shown(server)["status"], yard.held(server)) == ("VERIFY_RESIZE", held)
    assert yard.act(server, "confirmResize").status == 204
    agrees(yard, server, "small")


def test_a_confirmation_needs_no_quota_and_a_revert_to_less_neither(yard: Yard, server: str) -> None:
    resize(yard, server, "large")
    limit(yard, cores=0, ram=0, instances=0)
    assert yard.act(server, "revertResize").status == 202
    agrees(yard, server, "small")
    limit(yard, cores=-1, ram=-1, instances=-1)
    resize(yard, server, "large")
    limit(yard, cores=0, ram=0, instances=0)
    assert yard.act(server, "confirmResize").status == 204
    agrees(yard, server, "large")


def test_a_server_counts_as_what_it_goes_back_to_from_the_first_step_on(
    yard: Yard, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resize(yard, server, "large")
    yard.act(server, "confirmResize")
    resize(yard, server, "small")
    limit(yard, cores=3)
    orders = []
    just_before(monkeypatch, resize_outcomes, "take_back", lambda: orders.append(yard.order("small").status))
    assert yard.act(server, "revertResize").status == 202
    assert orders == [403]


def test_a_server_counts_as_the_larger_of_both_until_it_has_a_place(
    yard: Yard, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resize(yard, server, "large")
    yard.act(server, "confirmResize")
    limit(yard, cores=3)
    orders = []
    just_before(monkeypatch, resizing, "find_and_claim", lambda: orders.append(yard.order("small").status))
    resize(yard, server, "small")
    assert (orders, yard.order("small").status) == ([403], 202)


# --- groups


def grouped(yard: Yard, policy: str, count: int = 1) -> tuple[str, list[str]]:
    """A group with servers of the flavor small."""
    content = {"server_group": {"name": "fleet", "policy": policy}}
    group: str = yard.send("POST", "/os-server-groups", content).json["server_group"]["id"]
    return group, [yard.server("small", hints={"group": group}) for _ in range(count)]


@pytest.mark.usefixtures("server")
def test_apart_also_after_a_resize(yard: Yard) -> None:
    yard.host("dock3", {"VCPU": 2, "MEMORY_MB": 8192})
    _, members = grouped(yard, "anti-affinity", 3)
    place = {uuid: yard.place_of(uuid) for uuid in members}
    moving = next(uuid for uuid in members if place[uuid] == "dock3")
    reply = yard.act(moving, "resize", {"flavorRef": "large"})
    assert reply.status == 400
    assert 'a host may have 1 of the servers of the group "fleet"' in reply.message
    assert yard.place_of(moving) == "dock3"


@pytest.mark.usefixtures("server")
def test_those_that_keep_apart_keep_the_way_back_free(yard: Yard) -> None:
    group, [moving] = grouped(yard, "anti-affinity")
    origin = yard.place_of(moving)
    other = next(host for host in ("dock1", "dock2") if host != origin)
    yard.by(ADMIN).server("large", availability_zone=f"nova:{origin}")
    resize(yard, moving, "large")
    assert yard.place_of(moving) == other
    assert yard.shown(yard.server("small", hints={"group": group}))["status"] == "ERROR"
    assert yard.act(moving, "revertResize").status == 202
    assert yard.place_of(moving) == origin


def test_together_also_after_a_resize(yard: Yard, server: str) -> None:
    group, members = grouped(yard, "affinity", 2)
    reply = yard.act(members[0], "resize", {"flavorRef": "large"})
    assert reply.status == 400
    assert "share a host" in reply.message
    assert len({yard.place_of(uuid) for uuid in members}) == 1
    assert server not in yard.get(f"/os-server-groups/{group}")["server_group"]["members"]


def test_a_revert_does_not_part_what_belongs_together(yard: Yard, server: str) -> None:
    yard.send("DELETE", f"/servers/{server}")
    group, [moving] = grouped(yard, "affinity")
    origin = yard.place_of(moving)
    yard.by(ADMIN).server("small", availability_zone=f"nova:{origin}")
    resize(yard, moving, "large")
    assert yard.place_of(moving) != origin
    assert yard.shown(yard.server("small", hints={"group": group}))["status"] == "ACTIVE"
    reply = yard.act(moving, "revertResize")
    assert reply.status == 409
    assert 'The policy affinity of the group "fleet"' in reply.message
    assert yard.act(moving, "confirmResize").status == 204


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("policy", ["soft-affinity", "soft-anti-affinity"])
def test_soft_policies_are_wishes_also_in_a_resize(yard: Yard, policy: str) -> None:
    for host in ("dock3", "dock4"):
        yard.host(host, {"VCPU": 16, "MEMORY_MB": 16384})
    group, _ = grouped(yard, policy, 0)
    first = yard.by(ADMIN).server("small", hints={"group": group}, availability_zone="nova:dock3")
    second = yard.by(ADMIN).server("small", hints={"group": group}, availability_zone="nova:dock1")
    resize(yard, second, "large")
    assert (yard.place_of(second) == yard.place_of(first)) is (policy == "soft-affinity")

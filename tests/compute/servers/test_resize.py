"""Servers change their flavor; until it is confirmed there is a way back, and the room for it is held."""

from __future__ import annotations

from datetime import timedelta

import pytest

from moorage.compute.audit import audit, holders
from moorage.compute.servers import resize_outcomes, resizing
from moorage.compute.servers.consumers import resize_consumer
from tests.compute.servers.yard import Yard


@pytest.fixture
def server(yard: Yard) -> str:
    """A server with a flavor of 1 VCPU on one of two hosts with 4 of them."""
    for host in ("dock1", "dock2"):
        yard.host(host, {"VCPU": 4, "MEMORY_MB": 8192})
    return yard.server(yard.flavor("small", id="small", disk=0))


def vcpus(yard: Yard, consumer: str) -> list[int]:
    return [amounts["VCPU"] for amounts in yard.held(consumer).values()]


def resize(yard: Yard, server: str, flavor: str) -> None:
    reply = yard.act(server, "resize", {"flavorRef": flavor})
    assert reply.status == 202, reply.body


def test_what_was_held_before_is_held_until_it_is_confirmed(yard: Yard, server: str) -> None:
    before = yard.held(server)
    resize(yard, server, yard.flavor("large", vcpus=4, disk=0))
    shown = yard.shown(server)
    assert (shown["status"], shown["OS-EXT-STS:vm_state"]) == ("VERIFY_RESIZE", "resized")
    assert shown["flavor"]["original_name"] == "large"
    assert vcpus(yard, server) == [4]
    assert yard.held(resize_consumer(server)) == before
    assert yard.act(server, "confirmResize").status == 204
    assert yard.shown(server)["status"] == "ACTIVE"
    assert (vcpus(yard, server), yard.held(resize_consumer(server))) == ([4], {})


def test_a_resize_is_reverted(yard: Yard, server: str) -> None:
    before, host = yard.held(server), yard.place_of(server)
    resize(yard, server, yard.flavor("large", vcpus=4, disk=0))
    assert yard.place_of(server) != host
    assert yard.act(server, "revertResize").status == 202
    shown = yard.shown(server)
    assert (shown["status"], shown["flavor"]["original_name"]) == ("ACTIVE", "small")
    assert (yard.place_of(server), yard.held(server)) == (host, before)
    assert holders(yard.placement) == {server}


def test_what_fits_nowhere_is_refused_and_the_server_stays_as_it_is(yard: Yard, server: str) -> None:
    before, held = yard.shown(server), yard.held(server)
    reply = yard.act(server, "resize", {"flavorRef": yard.flavor("huge", vcpus=5, disk=0)})
    assert reply.status == 400
    assert "VCPU:5" in reply.message
    after = yard.shown(server)
    assert {**after, "updated": None} == {**before, "updated": None}
    assert yard.held(server) == held
    assert holders(yard.placement) == {server}


def test_bad_input(yard: Yard, server: str) -> None:
    large = yard.flavor("large", vcpus=4, disk=0)
    private = yard.flavor("private", disk=0, public=False)
    assert "must change flavor" in yard.act(server, "resize", {"flavorRef": "small"}).message
    for flavor in ("nobody's", private, "", None):
        assert yard.act(server, "resize", {"flavorRef": flavor}).status == 400
    assert yard.act(server, "resize", {}).status == 400
    assert "Cannot 'confirmResize'" in yard.refused(409, "POST", f"/servers/{server}/action", {"confirmResize": None})
    assert yard.act(server, "revertResize").status == 409
    resize(yard, server, large)
    assert yard.act(server, "resize", {"flavorRef": "small"}).status == 409
    assert yard.act(server, "rebuild", {"imageRef": yard.image("plain")}).status == 409


def test_a_flavor_that_is_too_small_for_the_image_is_refused(yard: Yard) -> None:
    yard.host("dock1")
    image = yard.image("hungry", min_ram_mb=512, min_disk_gb=5)
    server = yard.server(yard.flavor("right"), image)
    before = yard.shown(server)
    for flavor, word in (
        (yard.flavor("short", ram=256), "memory is too small"),
        (yard.flavor("narrow", disk=4), "disk is too small"),
        (yard.flavor("flat", disk=0), "zero disk"),
    ):
        reply = yard.act(server, "resize", {"flavorRef": flavor})
        assert (reply.status, word in reply.message) == (400, True)
    assert yard.shown(server) == before
    # What counts is what it is made from by now.
    assert yard.act(server, "rebuild", {"imageRef": yard.image("modest")}).status == 202
    resize(yard, server, yard.flavor("low", ram=128, disk=1))


def test_a_server_is_deleted_in_the_middle_of_it(yard: Yard, server: str) -> None:
    resize(yard, server, yard.flavor("large", vcpus=4, disk=0))
    assert yard.send("DELETE", f"/servers/{server}").status == 204
    assert holders(yard.placement) == frozenset()


class Killed(BaseException):
    """The process ends here."""


def die(*_arguments: object) -> None:
    raise Killed


@pytest.mark.parametrize("moment", ["find_and_claim", "finish_resize"])
def test_a_resize_that_was_interrupted_is_ended_by_the_audit(
    yard: Yard, server: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = yard.flavor("large", vcpus=4, disk=0)

    with monkeypatch.context() as patched:
        patched.setattr(resizing, moment, die)
        with pytest.raises(Killed):
            yard.act(server, "resize", {"flavorRef": large})
    [finding] = audit(yard.compute, fix=True, age=timedelta())
    assert finding.kind.value == "stuck_resize"
    if moment == "find_and_claim":
        assert yard.shown(server)["status"] == "ACTIVE"
        assert (vcpus(yard, server), yard.held(resize_consumer(server))) == ([1], {})
    else:
        assert yard.shown(server)["status"] == "VERIFY_RESIZE"
        assert (vcpus(yard, server), vcpus(yard, resize_consumer(server))) == ([4], [1])
        assert yard.act(server, "revertResize").status == 202
        assert vcpus(yard, server) == [1]
    assert audit(yard.compute, fix=False, age=timedelta()) == []


@pytest.mark.parametrize("action", ["confirmResize", "revertResize"])
def test_the_end_of_a_resize_that_was_interrupted_is_ended_by_the_audit(
    yard: Yard, server: str, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resize(yard, server, yard.flavor("large", vcpus=4, disk=0))

    with monkeypatch.context() as patched:
        patched.setattr(resize_outcomes, "finish_confirm", die)
        patched.setattr(resize_outcomes, "finish_revert", die)
        with pytest.raises(Killed):
            yard.act(server, action)
    assert yard.shown(server)["OS-EXT-STS:task_state"] in ("resize_confirming", "resize_reverting")
    [finding] = audit(yard.compute, fix=True, age=timedelta())
    assert finding.repair is not None
    assert yard.shown(server)["status"] == "ACTIVE"
    assert vcpus(yard, server) == [4 if action == "confirmResize" else 1]
    assert holders(yard.placement) == {server}

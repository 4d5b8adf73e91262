"""Servers get another image where they are, or keep theirs: nothing in between."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from moorage.compute.store import images
from moorage.db.database import Database, Transaction
from tests.compute.servers.yard import ADMIN, Yard, open_yard

OFFLOAD = "CUSTOM_NIC_OFFLOAD"


def rebuild(yard: Yard, server: str, image: str, **more: object) -> int:
    return yard.act(server, "rebuild", {"imageRef": image, **more}).status


def refusal(yard: Yard, server: str, image: str, status: int = 409) -> str:
    """Why a rebuild is refused; the server is as it was."""
    before, held = yard.shown(server), yard.held(server)
    reply = yard.act(server, "rebuild", {"imageRef": image})
    assert reply.status == status, reply.body
    assert (yard.shown(server), yard.held(server)) == (before, held)
    return reply.message


def test_host_and_flavor_stay_and_the_image_changes(yard: Yard) -> None:
    yard.host("dock1", traits=["CUSTOM_TRUSTED_HOST"])
    flavor = yard.flavor("small", {"trait:COMPUTE_NODE": "required"})
    server = yard.server(flavor, yard.image("plain"))
    held = yard.held(server)
    trusted = yard.image("trusted", {"trait:CUSTOM_TRUSTED_HOST": "required"})
    reply = yard.act(
        server, "rebuild", {"imageRef": trusted, "name": "new", "metadata": {"a": "b"}, "description": "d"}
    )
    assert reply.status == 202
    shown = reply.json["server"]
    assert (shown["image"]["id"], shown["name"], shown["metadata"]) == (trusted, "new", {"a": "b"})
    assert (shown["description"], shown["status"]) == ("d", "ACTIVE")
    assert yard.place_of(server) == "dock1"
    assert yard.held(server) == held
    [view] = yard.by(ADMIN).get("/moorage/hosts/dock1/servers")["servers"]
    assert view["instance_info"] == {"traits": ["COMPUTE_NODE", "CUSTOM_TRUSTED_HOST"]}


def test_an_image_that_needs_more_than_the_flavor_has_is_refused(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.server(yard.flavor("small"), yard.image("plain"))
    assert "memory" in refusal(yard, server, yard.image("hungry", min_ram_mb=4096), 400)
    assert "disk" in refusal(yard, server, yard.image("wide", min_disk_gb=50), 400)


def test_metadata_have_a_quota_also_then(database: Database) -> None:
    yard = open_yard(database, settings={"quota.metadata_items": 1})
    yard.host("dock1")
    image = yard.image("plain")
    server = yard.server(yard.flavor("small"), image, metadata={"a": "b"})
    reply = yard.act(server, "rebuild", {"imageRef": image, "metadata": {"c": "d", "e": "f"}})
    assert (reply.status, reply.message) == (403, "Maximum number of metadata items exceeds 1")
    assert yard.shown(server)["metadata"] == {"a": "b"}


def test_missing_traits_are_named(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.server(yard.flavor("small"), yard.image("plain"))
    picky = yard.image("picky", {"trait:CUSTOM_TRUSTED_HOST": "required", "trait:HW_CPU_X86_AVX2": "required"})
    assert "CUSTOM_TRUSTED_HOST, HW_CPU_X86_AVX2" in refusal(yard, server, picky)


def test_a_full_host_is_no_obstacle(yard: Yard) -> None:
    yard.host("dock1", {"VCPU": 1, "MEMORY_MB": 1024, "DISK_GB": 10}, traits=["CUSTOM_TRUSTED_HOST"])
    server = yard.server(yard.flavor("small"), yard.image("plain"))
    assert rebuild(yard, server, yard.image("trusted", {"trait:CUSTOM_TRUSTED_HOST": "required"})) == 202


def test_a_trait_of_a_provider_that_the_server_holds_nothing_of_does_not_count(yard: Yard) -> None:
    host = yard.host("dock1")
    plain = yard.host("dock1_plain_nic", {"SRIOV_NET_VF": 8}, parent=host)
    flavor = yard.flavor("with a virtual function", {"resources:SRIOV_NET_VF": "1"})
    server = yard.server(flavor, yard.image("plain"))
    assert plain in yard.held(server)
    yard.host("dock1_offload_nic", {"SRIOV_NET_VF": 8}, traits=[OFFLOAD], parent=host)
    offloading = yard.image("offloading", {f"trait:{OFFLOAD}": "required"})
    assert OFFLOAD in refusal(yard, server, offloading)


def test_a_trait_of_a_provider_that_it_holds_something_of_does(yard: Yard) -> None:
    host = yard.host("dock1")
    yard.host("dock1_offload_nic", {"SRIOV_NET_VF": 8}, traits=[OFFLOAD], parent=host)
    flavor = yard.flavor("with a virtual function", {"resources:SRIOV_NET_VF": "1"})
    server = yard.server(flavor, yard.image("plain"))
    assert rebuild(yard, server, yard.image("offloading", {f"trait:{OFFLOAD}": "required"})) == 202


def test_the_same_image_with_changed_properties_is_checked_too(yard: Yard) -> None:
    yard.host("dock1")
    image = yard.image("plain")
    server = yard.server(yard.flavor("small"), image)
    assert rebuild(yard, server, image) == 202

    def change(tx: Transaction) -> None:
        images.replace(tx, replace(images.lock(tx, image), properties={"trait:CUSTOM_TRUSTED_HOST": "required"}))

    yard.compute.database.write(change)
    assert "CUSTOM_TRUSTED_HOST" in refusal(yard, server, image)


def test_what_the_flavor_forbids_is_refused(yard: Yard) -> None:
    yard.host("dock1", traits=[])
    flavor = yard.flavor("no avx", {"trait:HW_CPU_X86_AVX": "forbidden"})
    server = yard.server(flavor, yard.image("plain"))
    message = refusal(yard, server, yard.image("avx", {"trait:HW_CPU_X86_AVX": "required"}), 400)
    assert "HW_CPU_X86_AVX" in message
    assert "no avx" in message


def test_a_linux_image_does_not_come_to_a_licensed_windows_host(database: Database) -> None:
    yard = open_yard(
        database,
        settings={
            "scheduler.placement_req_required_member_prefix": "license:",
            "scheduler.placement_req_default_forbidden_member_prefix": ["license:"],
        },
    )
    yard.host("licensed")
    yard.host("plain")
    yard.aggregate("windows hosts", {"license:windows": "true"}, "licensed")
    flavor = yard.flavor("small")
    windows, linux = yard.image("windows", {"license:windows": "true"}), yard.image("linux")
    server = yard.server(flavor, windows)
    assert yard.place_of(server) == "licensed"
    assert yard.place_of(yard.server(flavor, linux)) == "plain"
    assert '"windows hosts"' in refusal(yard, server, linux)
    assert rebuild(yard, server, yard.image("windows 2", {"license:windows": "true"})) == 202


@pytest.mark.parametrize(
    "content",
    [{}, {"imageRef": ""}, {"imageRef": "x", "color": "red"}, {"imageRef": 1}, [], None, {"imageRef": "no image"}],
)
def test_bad_input(yard: Yard, content: object) -> None:
    yard.host("dock1")
    server = yard.server(yard.flavor("small"))
    before = yard.shown(server)
    assert yard.act(server, "rebuild", content).status == 400
    assert yard.shown(server) == before


def test_only_a_server_with_a_place_is_rebuilt(yard: Yard) -> None:
    server = yard.server(yard.flavor("small"))
    assert "Cannot 'rebuild'" in refusal(yard, server, yard.image("plain"))
    assert yard.act(str(uuid4()), "rebuild", {"imageRef": "x"}).status == 404


def test_unknown_actions_are_refused(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.server(yard.flavor("small"))
    assert "sink" in yard.refused(400, "POST", f"/servers/{server}/action", {"sink": None})
    assert yard.refused(400, "POST", f"/servers/{server}/action", {"rebuild": {}, "resize": {}})
    assert yard.refused(400, "POST", f"/servers/{server}/action", {})


def test_an_administrator_resets_the_state(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.server(yard.flavor("small"))
    assert yard.act(server, "os-resetState", {"state": "error"}).status == 403
    admin = yard.by(ADMIN)
    assert admin.act(server, "os-resetState", {"state": "error"}).status == 202
    assert yard.shown(server)["status"] == "ERROR"
    assert admin.act(server, "os-resetState", {"state": "active"}).status == 202
    assert yard.shown(server)["status"] == "ACTIVE"
    assert admin.act(server, "os-resetState", {"state": "sunk"}).status == 400

"""Servers are ordered: placed where they fit, or an ERROR that says why; refused with nothing left behind."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from moorage.compute.audit import holders
from tests.compute.servers.yard import ADMIN, READER, STRANGER, Yard


def nothing_is_left(yard: Yard) -> bool:
    everybody = yard.by(ADMIN).get("/servers", all_tenants=1)["servers"]
    return everybody == [] and holders(yard.placement) == frozenset()


def test_a_server_gets_a_place_and_holds_it(yard: Yard) -> None:
    host = yard.host("dock1")
    flavor = yard.flavor("small", vcpus=2, ram=2048, disk=20)
    reply = yard.order(flavor, metadata={"tide": "high"}, tags=["blue"], description="for grain")
    assert reply.status == 202
    order = reply.json["server"]
    assert set(order) == {"id", "links", "OS-DCF:diskConfig", "security_groups", "adminPass"}
    assert reply.headers["location"].endswith(f"/v2.1/servers/{order['id']}")
    server = yard.shown(order["id"])
    assert (server["status"], server["OS-EXT-STS:vm_state"]) == ("ACTIVE", "active")
    assert server["OS-EXT-STS:task_state"] is None
    assert server["OS-EXT-SRV-ATTR:host"] == server["OS-EXT-SRV-ATTR:hypervisor_hostname"] == "dock1"
    assert (server["metadata"], server["tags"], server["description"]) == ({"tide": "high"}, ["blue"], "for grain")
    assert server["flavor"]["original_name"] == "small"
    assert server["image"] == ""
    assert yard.held(order["id"]) == {host: {"VCPU": 2, "MEMORY_MB": 2048, "DISK_GB": 20}}
    held = yard.placement.allocations(order["id"])
    assert held is not None
    assert (held.project_id, held.user_id, held.consumer_type) == ("harbour", "mate", "INSTANCE")


def test_members_do_not_see_hosts(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.get(f"/servers/{yard.server(yard.flavor('small'))}")["server"]
    assert not [key for key in server if key.startswith("OS-EXT-SRV-ATTR:host") and server[key] == "dock1"]
    assert "dock1" not in str(server)
    assert server["hostId"]


@pytest.mark.parametrize(("version", "flavor_key"), [("2.1", "id"), ("2.46", "id"), ("2.47", "original_name")])
def test_fields_follow_the_microversion(yard: Yard, version: str, flavor_key: str) -> None:
    yard.host("dock1")
    uuid = yard.server(yard.flavor("small"))
    server = yard.at(version).get(f"/servers/{uuid}")["server"]
    assert flavor_key in server["flavor"]
    brought = {"locked": "2.9", "description": "2.19", "tags": "2.26", "server_groups": "2.71", "locked_reason": "2.73"}
    for field, since in brought.items():
        assert (field in server) == (float(version.replace("2.", "")) >= float(since.replace("2.", "")))


def test_traits_of_flavor_and_image_are_joined(yard: Yard) -> None:
    yard.host("plain")
    yard.host("fast", traits=["HW_CPU_X86_AVX2"])
    both = yard.host("fast and trusted", traits=["HW_CPU_X86_AVX2", "CUSTOM_TRUSTED_HOST"])
    flavor = yard.flavor("avx", {"trait:HW_CPU_X86_AVX2": "required"})
    image = yard.image("private data", {"trait:CUSTOM_TRUSTED_HOST": "required"})
    server = yard.server(flavor, image)
    assert yard.place_of(server) == "fast and trusted"
    assert list(yard.held(server)) == [both]
    [view] = yard.by(ADMIN).get("/moorage/hosts/fast and trusted/servers")["servers"]
    assert view["instance_info"] == {"traits": ["CUSTOM_TRUSTED_HOST", "HW_CPU_X86_AVX2"]}
    assert view["allocations"] == yard.held(server)


def test_what_fits_nowhere_is_an_error_that_says_why(yard: Yard) -> None:
    yard.host("dock1")
    server = yard.shown(yard.server(yard.flavor("huge", vcpus=64)))
    assert (server["status"], server["OS-EXT-SRV-ATTR:host"]) == ("ERROR", None)
    assert server["fault"]["code"] == 500
    message = server["fault"]["message"]
    assert message.startswith("No valid host was found.")
    assert "VCPU:64" in message
    assert "dock1" not in message
    assert "free 8 on dock1" in server["fault"]["details"]
    assert "dock1" not in str(yard.get(f"/servers/{server['id']}"))
    assert holders(yard.placement) == frozenset()


def test_an_unknown_trait_is_no_place_either(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("odd", {"trait:CUSTOM_NEVER_HEARD_OF": "required"})
    assert "CUSTOM_NEVER_HEARD_OF" in yard.shown(yard.server(flavor))["fault"]["message"]


def test_several_servers_are_placed_together_or_not_at_all(yard: Yard) -> None:
    yard.host("dock1", {"VCPU": 2, "MEMORY_MB": 8192})
    yard.host("dock2", {"VCPU": 1, "MEMORY_MB": 8192})
    flavor = yard.flavor("small", disk=0)
    yard.server(flavor, min_count=3)
    assert sorted(yard.servers()) == ["barge-1", "barge-2", "barge-3"]
    assert len(holders(yard.placement)) == 3
    for server in yard.get("/servers")["servers"]:
        yard.send("DELETE", f"/servers/{server['id']}")
    yard.server(flavor, min_count=4)
    lost = yard.by(ADMIN).get("/servers/detail")["servers"]
    assert {server["status"] for server in lost} == {"ERROR"}
    assert "not all 4 together" in lost[0]["fault"]["message"]
    assert holders(yard.placement) == frozenset()


def test_an_availability_zone_is_kept(yard: Yard) -> None:
    for host in ("dock1", "dock2"):
        yard.host(host)
    yard.aggregate("north", {"availability_zone": "north"}, "dock2")
    flavor = yard.flavor("small")
    server = yard.server(flavor, availability_zone="north")
    assert yard.place_of(server) == "dock2"
    assert yard.shown(server)["OS-EXT-AZ:availability_zone"] == "north"
    assert yard.shown(server)["pinned_availability_zone"] == "north"
    assert yard.place_of(yard.server(flavor, availability_zone="nova")) == "dock1"
    assert "south" in yard.refused(400, "POST", "/servers", body(flavor, availability_zone="south"))


def test_an_administrator_names_the_host(yard: Yard) -> None:
    for host in ("dock1", "dock2"):
        yard.host(host)
    flavor = yard.flavor("small")
    admin = yard.by(ADMIN)
    for zone in (":dock2", "nova:dock2", "nova:dock2:dock2", "nova::dock2"):
        assert yard.place_of(admin.server(flavor, availability_zone=zone)) == "dock2"
    assert yard.place_of(admin.server(flavor, host="dock2")) == "dock2"
    assert "dock9" in admin.refused(400, "POST", "/servers", body(flavor, availability_zone=":dock9"))
    admin.refused(400, "POST", "/servers", body(flavor, availability_zone=":dock1:dock2"))
    # A part of a host is none, nor is a storage that hosts share.
    yard.host("dock1_card", {"SRIOV_NET_VF": 1}, parent=yard.host("dock3"))
    yard.placement.create_provider(str(uuid4()), "storage")
    for name in ("dock1_card", "storage"):
        assert name in admin.refused(400, "POST", "/servers", body(flavor, host=name))
    yard.refused(403, "POST", "/servers", body(flavor, availability_zone=":dock2"))
    yard.refused(403, "POST", "/servers", body(flavor, host="dock2"))


def test_same_host_and_different_host(yard: Yard) -> None:
    for host in ("dock1", "dock2"):
        yard.host(host)
    flavor = yard.flavor("small")
    first = yard.server(flavor)
    assert yard.place_of(yard.server(flavor, hints={"same_host": first})) == yard.place_of(first)
    assert yard.place_of(yard.server(flavor, hints={"different_host": [first]})) != yard.place_of(first)


def group(yard: Yard, policy: str) -> str:
    reply = yard.send("POST", "/os-server-groups", {"server_group": {"name": "fleet", "policy": policy}})
    assert reply.status == 200, reply.body
    uuid: str = reply.json["server_group"]["id"]
    return uuid


def test_affinity_keeps_servers_together(yard: Yard) -> None:
    for host in ("dock1", "dock2", "dock3"):
        yard.host(host, {"VCPU": 3, "MEMORY_MB": 8192})
    flavor, fleet = yard.flavor("small", disk=0), group(yard, "affinity")
    yard.server(flavor, hints={"group": fleet}, min_count=2)
    yard.server(flavor, hints={"group": fleet})
    servers = yard.by(ADMIN).get("/servers/detail")["servers"]
    assert len({server["OS-EXT-SRV-ATTR:host"] for server in servers}) == 1
    lost = yard.shown(yard.server(flavor, hints={"group": fleet}))
    assert lost["server_groups"] == [fleet]
    assert "share a host" in lost["fault"]["message"]
    assert len(yard.get(f"/os-server-groups/{fleet}")["server_group"]["members"]) == 4


def test_anti_affinity_keeps_servers_apart(yard: Yard) -> None:
    for host in ("dock1", "dock2"):
        yard.host(host)
    flavor, fleet = yard.flavor("small"), group(yard, "anti-affinity")
    places = {yard.place_of(yard.server(flavor, hints={"group": fleet})) for _ in range(2)}
    assert places == {"dock1", "dock2"}
    lost = yard.shown(yard.server(flavor, hints={"group": fleet}))
    assert lost["status"] == "ERROR"
    assert 'a host may have 1 of the servers of the group "fleet"' in lost["fault"]["message"]


@pytest.mark.parametrize(("policy", "hosts"), [("anti-affinity", 2), ("affinity", 1)])
def test_groups_are_kept_when_their_servers_come_at_the_same_moment(yard: Yard, policy: str, hosts: int) -> None:
    for host in ("dock1", "dock2"):
        yard.host(host)
    flavor, fleet = yard.flavor("small"), group(yard, policy)
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: yard.server(flavor, hints={"group": fleet}), range(6)))
    servers = yard.by(ADMIN).get("/servers/detail")["servers"]
    placed = [server["OS-EXT-SRV-ATTR:host"] for server in servers if server["status"] == "ACTIVE"]
    assert len(set(placed)) == hosts
    assert len(placed) == (2 if policy == "anti-affinity" else 6)
    assert len(holders(yard.placement)) == len(placed)


def test_soft_policies_are_wishes(yard: Yard) -> None:
    for host in ("dock1", "dock2"):
        yard.host(host, {"VCPU": 2, "MEMORY_MB": 8192})
    flavor = yard.flavor("small", disk=0)
    together, apart = group(yard, "soft-affinity"), group(yard, "soft-anti-affinity")
    first, second = (yard.server(flavor, hints={"group": together}) for _ in range(2))
    assert yard.place_of(first) == yard.place_of(second)
    assert yard.shown(yard.server(flavor, hints={"group": apart}))["status"] == "ACTIVE"


# --- refusals


def body(flavor: str, image: str = "", **more: object) -> dict[str, object]:
    return {"server": {"name": "barge", "flavorRef": flavor, "imageRef": image, **more}}


def test_bad_input_has_the_statuses_of_nova_and_leaves_nothing(yard: Yard) -> None:
    yard.host("dock1")
    small = yard.flavor("small")
    private = yard.flavor("private", public=False)
    avx = yard.flavor("no avx", {"trait:HW_CPU_X86_AVX": "forbidden"})
    wants_avx = yard.image("avx", {"trait:HW_CPU_X86_AVX": "required"})
    forbids = yard.image("forbids", {"trait:HW_CPU_X86_AVX": "forbidden"})
    numbered = yard.image("numbered", {"trait1:HW_CPU_X86_AVX": "required"})
    hungry = yard.image("hungry", min_ram_mb=4096)
    wide = yard.image("wide", min_disk_gb=50)
    foreign = yard.image("foreign", visibility="private")
    queued = yard.image("queued", status="queued")
    bad = [
        (body("nobody's flavor"), "nobody's flavor"),
        (body(private), private),
        (body(small, str(uuid4())), "image"),
        (body(small, "no uuid"), "image"),
        (body(avx, wants_avx), "HW_CPU_X86_AVX"),
        (body(small, forbids), "forbids"),
        (body(small, numbered), "numbered"),
        (body(small, hungry), "memory"),
        (body(small, wide), "disk"),
        (body(small, queued), "not active"),
        (body(small, name="x" * 256), "name"),
        (body(small, name=" "), "name"),
        (body(small, name=""), "name"),
        (body(small, min_count=-1), "min_count"),
        (body(small, min_count=3, max_count=2), "min_count"),
        (body(small, max_count=10**6), "1000"),
        (body(small, name="x" * 254, max_count=2), "name"),
        (body(small, metadata={"k": "v" * 256}), "metadata"),
        (body(small, metadata={"k": 1}), "metadata"),
        (body(small, tags=["a,b"]), "tags"),
        (body(small, description="x" * 256), "description"),
        (body(small, user_data="cm0gLXJmIC8="), "user_data"),
        (body(small, key_name="mine"), "key_name"),
        ({"server": {"name": "barge"}}, "flavorRef"),
        ({"server": {"flavorRef": small}}, "name"),
        ({"server": []}, "server"),
        ({}, "server"),
        ([], ""),
    ]
    for content, word in bad:
        assert word in yard.refused(400, "POST", "/servers", content)
    assert "image" in yard.by(STRANGER).refused(400, "POST", "/servers", body(small, foreign))
    with_hint = {**body(small), "os:scheduler_hints": {"group": str(uuid4())}}
    assert "could not be found" in yard.refused(400, "POST", "/servers", with_hint)
    assert nothing_is_left(yard)


def test_a_body_that_is_no_json_is_refused(yard: Yard) -> None:
    assert yard.send("POST", "/servers").status == 400


def test_older_versions_know_less(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    yard.at("2.18").refused(400, "POST", "/servers", body(flavor, description="x"))
    yard.at("2.51").refused(400, "POST", "/servers", body(flavor, tags=["x"]))
    yard.at("2.73").by(ADMIN).refused(400, "POST", "/servers", body(flavor, host="dock1"))


def test_a_readers_order_is_refused(yard: Yard) -> None:
    yard.host("dock1")
    flavor = yard.flavor("small")
    assert yard.by(READER).order(flavor).status == 403

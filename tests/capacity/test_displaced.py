"""Where servers go whose hypervisors are taken away, and what then still fits."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from moorage.capacity.displaced import Displaced, resettled
from moorage.capacity.fit import how_many_more
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.hypervisor import Hypervisor
from moorage.capacity.what_if import without
from moorage.client.compute import FlavorOfServer, Server
from tests.capacity.small_cloud import host, snapshot


def servers(count: int, vcpus: int, on: str, zone: str = "north", **extra_specs: str) -> list[Server]:
    specs = {key.replace("__", ":"): value for key, value in extra_specs.items()}
    flavor = FlavorOfServer(f"of-{vcpus}", vcpus, vcpus, 10, extra_specs=specs)
    return [
        Server(str(number), "s", "ACTIVE", "p", "u", flavor, availability_zone=zone, hypervisor_name=on)
        for number in range(count)
    ]


def north(*hosts: Hypervisor) -> Snapshot:
    return snapshot({"north": hosts, "south": (host("elsewhere"),)}, {})


def drain(given: Snapshot, running: list[Server], *names: str) -> tuple[int, tuple[Displaced, ...]]:
    """How many more small servers, of four cores, fit in the north, and what became of those that were displaced."""
    settled, told = resettled(given, replace(given, cloud=without(given.cloud, names)), running)
    [fit] = how_many_more(settled, ["small"])
    return fit.by_zone.get("north", 0), told


def test_less_fits_by_what_the_displaced_servers_take() -> None:
    given = north(host("a", used=40), host("b", used=20), host("c"))
    running = servers(10, 4, "a") + servers(5, 4, "b")
    # 300 cores less 60 are 60 small servers; without a, 200 less 60 are 35.
    assert drain(given, running) == (60, ())
    assert drain(given, running, "a") == (35, (Displaced("of-4", "north", 10, 0),))


def test_who_finds_no_place_is_told() -> None:
    given = north(host("a", used=100), host("b", used=80))
    running = servers(10, 8, "a") + servers(5, 4, "a")
    # Two of eight cores fit on b, then one of four.
    assert drain(given, running, "a") == (
        0,
        (Displaced("of-8", "north", 10, 8), Displaced("of-4", "north", 5, 4)),
    )


def test_servers_stay_in_their_zone_and_go_where_their_traits_are() -> None:
    given = north(host("a", used=8), host("b"), host("fast", "CUSTOM_FAST", used=92))
    running = servers(2, 4, "a", trait__CUSTOM_FAST="required")
    assert drain(given, running, "a") == (25, (Displaced("of-4", "north", 2, 0),))
    assert drain(given, servers(1, 4, "a"), "a", "b", "fast") == (0, (Displaced("of-4", "north", 1, 1),))


def test_where_there_is_least_room_is_filled_first() -> None:
    given = north(host("a", used=4), host("b", used=96), host("c"))
    settled, _ = resettled(given, replace(given, cloud=without(given.cloud, ["a"])), servers(1, 4, "a"))
    assert {each.hostname: each.usages["VCPU"] for each in settled.cloud.hypervisors} == {
        "b": 100,
        "c": 0,
        "elsewhere": 0,
    }


def test_servers_of_one_name_may_be_of_several_sizes() -> None:
    given = north(host("a", used=12), host("b"))
    [small] = servers(1, 4, "a")
    large = msgspec.structs.replace(small, flavor=msgspec.structs.replace(small.flavor, vcpus=8))
    assert drain(given, [small, large], "a")[0] == (100 - 12) // 4


def test_machines_of_bare_metal_need_no_other_host() -> None:
    given = north(host("a"), host("b"))
    assert drain(given, servers(1, 4, "a", capabilities__hypervisor_type="ironic"), "a") == (25, ())

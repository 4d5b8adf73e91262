"""How many more of a flavor fit on which host, and that every host where none fits is counted with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from moorage.capacity.fit import Fit, how_many_more
from moorage.capacity.model.cloud import Cloud, Snapshot
from moorage.capacity.model.configuration import Configuration, HypervisorSelection
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.model.hypervisor import Aggregate, Hypervisor, Inventory

SIZES = {"VCPU": Inventory(16, 0, 16), "MEMORY_MB": Inventory(64, 0, 64), "DISK_GB": Inventory(100, 0, 100)}
HOST = Hypervisor(id="h", hostname="h", service_host="h", inventories=SIZES, traits=("FAST",))
SMALL = Flavor(id="1", name="small", vcpus=4, ram_mib=8, disk_gib=10)
ZONE = Aggregate(name="z", availability_zone="z", hosts=("h",))


def fit(
    host: Hypervisor = HOST,
    extra_specs: Mapping[str, str] | None = None,
    *,
    aggregates: tuple[Aggregate, ...] = (ZONE,),
    selection: HypervisorSelection | None = None,
) -> Fit:
    flavor = replace(SMALL, extra_specs=extra_specs or {})
    cloud = Cloud(flavors=(flavor,), hypervisors=(host,), aggregates=aggregates)
    configuration = Configuration(hypervisor_selection=selection or HypervisorSelection())
    [found] = how_many_more(Snapshot(cloud=cloud, request=CapacityRequest(), configuration=configuration), ["small"])
    return found


def without(*names: str) -> dict[str, Inventory]:
    return {name: inventory for name, inventory in SIZES.items() if name not in names}


def test_a_host_need_not_be_made_of_equal_nodes() -> None:
    # 56 of 64 cores are 0.875 nodes, which a report could not make anything of.
    inventories = {"VCPU": Inventory(64, 8, 64), "MEMORY_MB": Inventory(999, 0, 999), "DISK_GB": Inventory(999, 0, 999)}
    found = fit(replace(HOST, inventories=inventories))
    assert (found.total, found.limits) == (14, {"cores": 1})


@pytest.mark.parametrize(
    ("cores", "total"),
    [
        (Inventory(16, 0, 16, min_unit=4, step_size=2), 4),
        (Inventory(16, 0, 3), 0),
        (Inventory(16, 0, 16, min_unit=5), 0),
        (Inventory(16, 0, 16, step_size=3), 0),
    ],
)
def test_a_server_takes_only_amounts_that_an_inventory_gives_away(cores: Inventory, total: int) -> None:
    found = fit(replace(HOST, inventories={**SIZES, "VCPU": cores}))
    assert (found.total, found.limits) == (total, {"cores": 1})


def test_disks_may_be_elsewhere() -> None:
    found = fit(replace(HOST, inventories=without("DISK_GB")))
    assert (found.total, found.limits) == (4, {"cores": 1})


@pytest.mark.parametrize(
    ("host", "limit"),
    [
        (replace(HOST, problem="Nobody knows it."), "having no resource provider"),
        (replace(HOST, inventories={}), "having no inventories"),
        (replace(HOST, service_host="elsewhere"), "having no aggregate or zone"),
        (replace(HOST, traits=("OLD",)), "being shadowed"),
        (replace(HOST, traits=("COMPUTE_STATUS_DISABLED",)), "being disabled"),
        (replace(HOST, inventories=without("MEMORY_MB")), "no RAM of their own"),
        (
            replace(HOST, inventories={**without("VCPU"), "PCPU": Inventory(16, 0, 16)}),
            "no cores of their own",
        ),
        (replace(HOST, inventories={**SIZES, "VCPU": Inventory(0)}), "cores"),
    ],
)
def test_no_host_is_left_out_without_a_word(host: Hypervisor, limit: str) -> None:
    found = fit(host, selection=HypervisorSelection(shadowing_traits=("OLD",)))
    assert (found.total, found.limits) == (0, {limit: 1})


def test_a_host_may_be_in_several_aggregates_and_not_in_several_zones() -> None:
    other = Aggregate(name="disks", hosts=("h",))
    assert fit(aggregates=(ZONE, other)).by_zone == {"z": 4}
    found = fit(aggregates=(ZONE, replace(other, availability_zone="y")))
    assert (found.total, found.limits) == (0, {"being in several zones": 1})


@pytest.mark.parametrize(
    ("extra_specs", "total", "limit"),
    [
        ({"resources1:VGPU": "1"}, 0, "no VGPU of their own"),
        ({"resources_GPU:VGPU": "1", "trait_GPU:LARGE": "required"}, 0, "no VGPU of their own"),
        # Dedicated processors come in place of shared ones, whichever group asks for them.
        ({"resources1:PCPU": "4"}, 2, "PCPU"),
        ({"resources1:VCPU": "8"}, 2, "cores"),
        # Of several groups the host serves all.
        ({"resources1:PCPU": "2", "resources2:PCPU": "3", "group_policy": "none"}, 1, "PCPU"),
        (
            {"resources1:PCPU": "2", "resources2:PCPU": "3", "group_policy": "isolate"},
            0,
            "groups that must not share a provider",
        ),
        ({"resources1:VCPU": "8", "trait1:FAST": "required"}, 2, "cores"),
        ({"resources1:VCPU": "8", "trait1:SLOW": "required"}, 0, "traits"),
        ({"resources1:VCPU": "8", "trait1:FAST": "forbidden"}, 0, "traits"),
        ({"trait:FAST": "forbidden"}, 0, "traits"),
        # Nova ignores what it cannot read.
        ({"resources:VCPU": "many", "resources:GPUS": "1", "trait:FAST": "perhaps"}, 4, "cores"),
    ],
)
def test_numbered_groups_are_asked_for_too(extra_specs: Mapping[str, str], total: int, limit: str) -> None:
    found = fit(replace(HOST, inventories={**SIZES, "PCPU": Inventory(8, 0, 8)}), extra_specs)
    assert (found.total, found.limits) == (total, {limit: 1})

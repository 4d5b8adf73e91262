"""What a project uses, spread over zones: the rules, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from moorage.capacity.declaration import declare
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.protocol.reports import ResourceUsage
from moorage.capacity.usage.limits import Limit, ProjectLimits
from moorage.capacity.usage.report import ProjectUsage, usage_report
from moorage.capacity.usage.server import ProjectServer, ServerFlavor

ZONES = ("a", "b")
POOLED = ServerFlavor(name="pooled", vcpus=2, ram_mib=1024, disk_gib=10)
SPLIT = ServerFlavor(name="split", vcpus=16, ram_mib=65536, disk_gib=10)
METAL = ServerFlavor(name="metal", vcpus=99, ram_mib=99, disk_gib=99)
KVM = ServerFlavor(name="kvm", vcpus=4, ram_mib=4096, disk_gib=10, extra_specs={"quota:hw_version": "kvm"})

HARDWARE = {f"hw_version_kvm_{base}": 0 for base in ("cores", "instances", "ram")}
FLAVORS = [
    Flavor(id="s", name="split", vcpus=16, ram_mib=65536, disk_gib=10, extra_specs={"quota:separate": "true"}),
    Flavor(
        id="m", name="metal", vcpus=9, ram_mib=9, disk_gib=9, extra_specs={"capabilities:hypervisor_type": "ironic"}
    ),
    Flavor(id="o", name="old", vcpus=1, ram_mib=1, disk_gib=1, extra_specs={"quota:separate": "true", "old": "yes"}),
]


def server(flavor: ServerFlavor, zone: str = "a") -> ProjectServer:
    return ProjectServer(id=f"{flavor.name}-{zone}", name="", status="ACTIVE", flavor=flavor, zone=zone)


def limits(cores: int, instances: int, ram: int, **per_flavor: Limit) -> ProjectLimits:
    return ProjectLimits(
        cores=Limit(100, cores),
        instances=Limit(10, instances),
        ram=Limit(99999, ram),
        server_groups=Limit(5, 0),
        server_group_members=7,
        per_flavor=per_flavor,
    )


def report(
    counted: ProjectLimits, *servers: ProjectServer, with_hardware: bool = False, **settings: object
) -> Mapping[str, ResourceUsage]:
    configuration = Configuration(with_hw_version_resources=with_hardware, **settings)  # type: ignore[arg-type]
    declaration = declare(FLAVORS, configuration, HARDWARE)
    usage = ProjectUsage(limits=counted, servers=servers)
    return usage_report(declaration, usage, ZONES, with_hardware=with_hardware).resources


def used(resource: ResourceUsage) -> dict[str, int]:
    return {zone: usage.usage for zone, usage in resource.per_zone.items()}


def test_what_servers_account_for_is_in_their_zones_and_the_rest_is_unknown() -> None:
    found = report(limits(9, 4, 4096), server(POOLED, "a"), server(POOLED, "b"))
    assert used(found["cores"]) == {"a": 2, "b": 2, "unknown": 5}
    assert used(found["instances"]) == {"a": 1, "b": 1, "unknown": 2}
    assert used(found["ram"]) == {"a": 1024, "b": 1024, "unknown": 2048}


def test_a_stock_nova_counts_split_servers_in_the_pool_and_they_are_taken_out_of_it() -> None:
    found = report(limits(18, 2, 66560), server(POOLED), server(SPLIT))
    assert used(found["cores"]) == {"a": 2, "b": 0}
    assert used(found["ram"]) == {"a": 1024, "b": 0}
    assert used(found["instances"]) == {"a": 1, "b": 0}
    assert used(found["instances_split"]) == {"a": 1, "b": 0}
    assert found["instances_split"].quota == -1


def test_a_patched_nova_counts_them_by_themselves() -> None:
    found = report(limits(2, 1, 1024, split=Limit(4, 2)), server(POOLED), server(SPLIT))
    assert used(found["cores"]) == {"a": 2, "b": 0}
    assert used(found["instances_split"]) == {"a": 1, "b": 0, "unknown": 1}
    assert found["instances_split"].quota == 4


@pytest.mark.parametrize(
    "counted",
    [
        pytest.param(limits(0, 0, 0, split=Limit(4, 1)), id="as the flavor of the lease"),
        pytest.param(limits(0, 0, 0, **{"reservation:1": Limit(4, 1)}), id="by itself"),
        pytest.param(limits(16, 1, 65536), id="in the pool"),
    ],
)
def test_servers_of_a_lease_count_as_those_of_its_flavor_however_nova_counts_them(counted: ProjectLimits) -> None:
    specs = {"quota:separate": "true", "quota:flavor": "split"}
    leased = ServerFlavor(name="reservation:1", vcpus=16, ram_mib=65536, disk_gib=10, extra_specs=specs)
    found = report(counted, server(leased))
    assert used(found["instances_split"]) == {"a": 1, "b": 0}
    assert used(found["instances"]) == {"a": 0, "b": 0}
    assert used(found["cores"]) == {"a": 0, "b": 0}


def test_bare_metal_is_not_counted() -> None:
    assert used(report(limits(0, 0, 0), server(METAL))["instances"]) == {"a": 0, "b": 0}


def test_split_flavors_without_a_resource_are_counted_where_nova_counts_them() -> None:
    from moorage.capacity.model.configuration import FlavorSelection

    old = ServerFlavor(name="old", vcpus=1, ram_mib=1, disk_gib=1)
    selection = FlavorSelection(excluded_extra_specs={"old": "yes"})
    patched = report(limits(0, 0, 0, old=Limit(1, 1)), server(old), flavor_selection=selection)
    assert "instances_old" not in patched
    assert used(patched["cores"]) == {"a": 0, "b": 0}
    stock = report(limits(1, 1, 1), server(old), flavor_selection=selection)
    assert used(stock["cores"]) == {"a": 1, "b": 0}


def test_versions_of_hardware_are_counted_by_themselves_where_they_are_declared() -> None:
    found = report(limits(0, 0, 0), server(KVM, "b"), with_hardware=True)
    assert used(found["hw_version_kvm_cores"]) == {"a": 0, "b": 4}
    assert used(found["hw_version_kvm_ram"]) == {"a": 0, "b": 4096}
    assert used(found["hw_version_kvm_instances"]) == {"a": 0, "b": 1}
    assert found["hw_version_kvm_cores"].quota is None
    assert used(found["cores"]) == {"a": 0, "b": 0}


def test_a_nova_that_does_not_tell_versions_of_hardware_apart_has_counted_their_servers_with_all_others() -> None:
    servers = (server(KVM, "b"), server(POOLED, "a"))
    stock = report(limits(6, 2, 5120), *servers, with_hardware=True)
    assert used(stock["hw_version_kvm_cores"]) == {"a": 0, "b": 4}
    assert used(stock["cores"]) == {"a": 2, "b": 0}
    assert used(stock["instances"]) == {"a": 1, "b": 0}
    assert used(stock["ram"]) == {"a": 1024, "b": 0}
    apart = {base: Limit(-1, amount) for base, amount in (("cores", 4), ("instances", 1), ("ram", 4096))}
    patched = report(replace(limits(3, 1, 1024), per_hardware={"kvm": apart}), *servers, with_hardware=True)
    assert used(patched["hw_version_kvm_cores"]) == {"a": 0, "b": 4}
    assert used(patched["cores"]) == {"a": 2, "b": 0, "unknown": 1}


def test_without_such_resources_only_their_number_counts() -> None:
    found = report(limits(0, 1, 0), server(KVM))
    assert used(found["instances"]) == {"a": 1, "b": 0}
    assert used(found["cores"]) == {"a": 0, "b": 0}


@pytest.mark.parametrize(
    ("text", "amount"), [("64", 64), ("0", 0), ("-1", None), ("", None), ("1.5", None), ("²", None), ("9" * 30, None)]
)
def test_video_ram_is_an_unsigned_number_or_not_told(text: str, amount: int | None) -> None:
    flavor = ServerFlavor(name="f", vcpus=1, ram_mib=1, disk_gib=1, extra_specs={"hw_video:ram_max_mb": text})
    assert flavor.video_ram_mib == amount

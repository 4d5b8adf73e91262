"""What holds for every driver: one module of tests for the interface, run over all of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath

import os_resource_classes
import os_traits
import pytest

from moorage.hosts.drivers.driver import Driver, NativeProviders
from moorage.hosts.drivers.libvirt.driver import LibvirtDriver
from moorage.hosts.drivers.linux.driver import LinuxDriver
from moorage.hosts.drivers.machine.pci_pattern import parse_pci_pattern
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.drivers.static.driver import StaticDriver, sample
from moorage.placement.model.inventory import MAX_AMOUNT
from tests.hosts.drivers import kernels
from tests.hosts.drivers.libvirt.recordings import AMD, DEVICES, THREADS, Recording, opens

PLAIN = Policy(reserved_memory_mb=512, cpu_ratio=4.0, disk_path=PurePosixPath("/"))
EVERYTHING = replace(
    PLAIN,
    numa=True,
    dedicated_cpus=frozenset({1, 2}),
    reserved_cpus=1,
    pci_patterns=tuple(map(parse_pci_pattern, ("::03=PGPU", "8086:*"))),
)


def linux(make: Callable[[Path], Path], policy: Policy, architecture: str = "x86_64") -> Callable[[Path], Driver]:
    def driver(directory: Path) -> Driver:
        return LinuxDriver(
            "host",
            directory / "state",
            policy,
            root=make(directory / "root"),
            status_of=kernels.status_of,
            architecture=architecture,
        )

    return driver


def static(directory: Path) -> Driver:
    (directory / "static.yaml").write_text(sample())
    return StaticDriver(directory / "static.yaml")


def libvirt(recording: Recording, policy: Policy) -> Callable[[Path], Driver]:
    def driver(directory: Path) -> Driver:
        return LibvirtDriver(
            "qemu:///system",
            None,
            directory / "state",
            policy,
            open_hypervisor=opens(recording),
            status_of=kernels.status_of,
        )

    return driver


DRIVERS: dict[str, Callable[[Path], Driver]] = {
    "linux: this machine": lambda directory: LinuxDriver("host", directory, replace(PLAIN, reserved_memory_mb=0)),
    "linux: intel": linux(kernels.intel, PLAIN),
    "linux: intel, everything": linux(lambda root: kernels.add_devices(kernels.intel(root)), EVERYTHING),
    "linux: amd": linux(kernels.amd, EVERYTHING),
    "linux: arm": linux(kernels.arm, EVERYTHING, "aarch64"),
    "libvirt: amd": libvirt(AMD, PLAIN),
    "libvirt: intel, everything": libvirt(replace(THREADS, devices=DEVICES), EVERYTHING),
    "static: the sample": static,
}


@pytest.fixture(params=DRIVERS.values(), ids=list(DRIVERS))
def driver(request: pytest.FixtureRequest, tmp_path: Path) -> Driver:
    make: Callable[[Path], Driver] = request.param
    return make(tmp_path)


@pytest.fixture
def found(driver: Driver) -> NativeProviders:
    return driver.read()


def test_two_readings_agree(driver: Driver, found: NativeProviders) -> None:
    again = driver.read()
    assert again.tree == found.tree
    assert again.nodes == found.nodes


def test_it_has_a_name(driver: Driver) -> None:
    assert driver.name in {"linux", "libvirt", "static"}


def test_nodes_are_roots_and_have_the_trait(found: NativeProviders) -> None:
    assert found.nodes
    for uuid in found.nodes:
        assert found.tree[uuid].parent_uuid is None
        assert "COMPUTE_NODE" in found.tree[uuid].traits


def test_placement_accepts_the_names_and_uuids(found: NativeProviders) -> None:
    for provider in found.tree:
        assert 1 <= len(provider.name) <= 200
        assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", provider.uuid)
        assert provider.generation is None


def test_placement_accepts_the_inventories(found: NativeProviders) -> None:
    inventories = [entry for provider in found.tree for entry in provider.inventories.items()]
    assert inventories
    for name, inventory in inventories:
        assert name in os_resource_classes.STANDARDS or re.fullmatch(r"CUSTOM_[A-Z0-9_]+", name)
        assert 1 <= inventory.total <= MAX_AMOUNT
        assert 0 <= inventory.reserved <= inventory.total
        assert 1 <= inventory.min_unit <= inventory.max_unit <= MAX_AMOUNT
        assert inventory.step_size == 1
        assert inventory.allocation_ratio > 0


def test_all_traits_are_standard_ones_or_custom(found: NativeProviders) -> None:
    standard = set(os_traits.get_traits())
    for provider in found.tree:
        assert {trait for trait in provider.traits - standard if not trait.startswith("CUSTOM_")} == set()

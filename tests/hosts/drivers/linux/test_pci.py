"""PCI devices as the kernel shows them, and the providers they become."""

from __future__ import annotations

from errno import ENODEV
from pathlib import Path

import pytest

from moorage.hosts.drivers.machine.pci_pattern import parse_pci_pattern
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.provider_tree import ProviderTree
from moorage.placement.model.inventory import Inventory
from tests.hosts.drivers import kernels
from tests.hosts.drivers.trees import Examine, named, totals


@pytest.fixture(autouse=True)
def machine(root: Path) -> None:
    kernels.add_devices(kernels.intel(root))


def selecting(*patterns: str, numa: bool = False) -> Policy:
    return Policy(numa=numa, pci_patterns=tuple(map(parse_pci_pattern, patterns)))


def devices(tree: ProviderTree) -> dict[str, dict[str, int]]:
    """The amounts of all devices by name, without that of the host."""
    return {
        provider.name.removeprefix("host_"): totals(provider)
        for provider in tree
        if provider.parent_uuid and "numa" not in provider.name
    }


def test_none_is_offered_unless_asked_for(examine: Examine) -> None:
    assert len(examine()) == 1


def test_gpus_by_vendor_and_product(examine: Examine) -> None:
    tree = examine(selecting("10de:20b0=PGPU", "10de:*"))
    assert devices(tree) == {"0000:17:00.0": {"PGPU": 1}, "0000:65:00.0": {"CUSTOM_PCI_10DE_1EB8": 1}}
    gpu = named(tree, "host_0000:17:00.0")
    assert gpu.inventories["PGPU"] == Inventory(1, max_unit=1)
    assert gpu.parent_uuid == named(tree, "host").uuid
    assert gpu.traits == frozenset()


def test_gpus_by_class(examine: Examine) -> None:
    assert devices(examine(selecting("::03=PGPU"))) == {"0000:17:00.0": {"PGPU": 1}, "0000:65:00.0": {"PGPU": 1}}


def test_addresses_are_written_as_nova_does(root: Path, examine: Examine) -> None:
    kernels.add_pci_device(root, "0000:af:1c.7", "abcd:ef01", "120000")
    assert devices(examine(selecting("abcd:*"))) == {"0000:AF:1C.7": {"CUSTOM_PCI_ABCD_EF01": 1}}


def test_devices_are_below_their_numa_nodes(examine: Examine) -> None:
    tree = examine(selecting("10de:*", numa=True))
    assert named(tree, "host_0000:17:00.0").parent_uuid == named(tree, "host_numa0").uuid
    assert named(tree, "host_0000:65:00.0").parent_uuid == named(tree, "host_numa1").uuid


@pytest.mark.parametrize("numa_node", ["-1", "7"])
def test_a_device_whose_numa_node_is_unknown_is_below_the_host(root: Path, examine: Examine, numa_node: str) -> None:
    kernels.write(root / "sys/bus/pci/devices/0000:17:00.0/numa_node", numa_node)
    tree = examine(selecting("10de:20b0", numa=True))
    assert named(tree, "host_0000:17:00.0").parent_uuid == named(tree, "host").uuid


def test_the_uuid_of_a_device_does_not_depend_on_numa(examine: Examine) -> None:
    uuids = {named(examine(selecting("10de:20b0", numa=numa)), "host_0000:17:00.0").uuid for numa in (False, True)}
    assert len(uuids) == 1


def test_virtual_functions_are_counted_at_their_physical_function(examine: Examine) -> None:
    tree = examine(selecting("8086:154c=SRIOV_NET_VF", numa=True))
    assert devices(tree) == {"0000:3B:00.0": {"SRIOV_NET_VF": 3}}
    card = named(tree, "host_0000:3B:00.0")
    assert card.inventories["SRIOV_NET_VF"] == Inventory(3, max_unit=3)
    assert card.traits == {"HW_NIC_SRIOV"}
    assert card.parent_uuid == named(tree, "host_numa1").uuid


def test_a_physical_function_may_be_offered_as_a_whole(examine: Examine) -> None:
    assert devices(examine(selecting("8086:1572"))) == {
        "0000:3B:00.0": {"CUSTOM_PCI_8086_1572": 1},
        "0000:3B:00.1": {"CUSTOM_PCI_8086_1572": 1},
    }


def test_where_both_are_selected_the_virtual_functions_are_offered(examine: Examine) -> None:
    assert devices(examine(selecting("8086:*:02"))) == {
        "0000:3B:00.0": {"CUSTOM_PCI_8086_154C": 3},
        "0000:3B:00.1": {"CUSTOM_PCI_8086_1572": 1},
    }


def test_virtual_functions_of_several_kinds(root: Path, examine: Examine) -> None:
    kernels.add_pci_device(root, "0000:3b:01.0", "8086:1889", "020000", 1, "0000:3b:00.0")
    assert devices(examine(selecting("8086:154c", "8086:1889=CUSTOM_FAST_VF"))) == {
        "0000:3B:00.0": {"CUSTOM_PCI_8086_154C": 3, "CUSTOM_FAST_VF": 1}
    }


def test_virtual_functions_of_an_accelerator_are_no_network_card(root: Path, examine: Examine) -> None:
    kernels.add_pci_device(root, "0000:70:00.0", "8086:4940", "0b4000")
    kernels.add_pci_device(root, "0000:70:00.1", "8086:4941", "0b4000", physical="0000:70:00.0")
    assert named(examine(selecting("8086:4941")), "host_0000:70:00.0").traits == frozenset()


def test_a_device_that_is_just_being_taken_away_is_passed_over(root: Path, examine: Examine) -> None:
    (root / "sys/bus/pci/devices/0000:17:00.0/device").unlink()
    assert devices(examine(selecting("10de:*"))).keys() == {"0000:65:00.0"}


def test_other_entries_are_passed_over(root: Path, examine: Examine) -> None:
    kernels.write(root / "sys/bus/pci/devices/not-a-device/vendor", "?")
    assert devices(examine(selecting("10de:*"))).keys() == {"0000:17:00.0", "0000:65:00.0"}


def test_a_device_that_goes_while_it_is_read_is_not_there(
    root: Path, examine: Examine, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = root / "sys/bus/pci/devices/0000:17:00.0/class"
    read_text = Path.read_text

    def read(file: Path, *arguments: str, **options: str) -> str:
        if file == gone:
            raise OSError(ENODEV, "No such device")
        return read_text(file, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", read)
    assert devices(examine(selecting("::03"))) == {"0000:65:00.0": {"CUSTOM_PCI_10DE_1EB8": 1}}

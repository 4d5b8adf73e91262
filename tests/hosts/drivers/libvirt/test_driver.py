"""Hosts as libvirt describes them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.libvirt.connection import open_connection
from moorage.hosts.drivers.machine.pci_pattern import parse_pci_pattern
from moorage.hosts.drivers.machine.policy import Policy
from tests.hosts.drivers.libvirt import recordings
from tests.hosts.drivers.libvirt.conftest import Ask
from tests.hosts.drivers.libvirt.recordings import AMD, DEVICES, TEST_DEFAULT, THREADS
from tests.hosts.drivers.trees import named, totals

NUMA = Policy(numa=True)


def test_processors_memory_and_disk(ask: Ask) -> None:
    (node,) = ask(AMD, Policy(disk_path=PurePosixPath("/")))
    assert totals(node) == {"VCPU": 2, "MEMORY_MB": 8152, "DISK_GB": 500}


def test_the_node_has_libvirts_name_unless_the_settings_have_one(ask: Ask) -> None:
    assert [node.name for node in ask(AMD, name=None)] == ["hypervisor.example.org"]
    assert [node.name for node in ask(AMD)] == ["host"]


def test_traits_are_those_of_the_model_and_the_further_features(ask: Ask) -> None:
    (node,) = ask(AMD)
    assert {
        "HW_CPU_X86_SSE2",
        "HW_CPU_X86_SSE3",
        "HW_CPU_X86_SSE42",
        "HW_CPU_X86_AVX2",
        "HW_ARCH_X86_64",
    } <= node.traits
    # What the model has and the processor has not; and a feature that Intel's processors are known for.
    assert not {"HW_CPU_X86_SVM", "HW_CPU_X86_INTEL_PCID", "HW_CPU_X86_AVX512VAES"} & node.traits


def test_traits_of_a_hypervisor_that_knows_no_models(ask: Ask) -> None:
    (node,) = ask(replace(AMD, expanded=None))
    assert "HW_CPU_X86_AVX2" in node.traits
    assert "HW_CPU_X86_SSE2" not in node.traits


def test_a_processor_without_a_model(ask: Ask) -> None:
    (node,) = ask(TEST_DEFAULT)
    assert node.traits == {"COMPUTE_NODE", "HW_ARCH_I686"}
    assert totals(node) == {"VCPU": 16, "MEMORY_MB": 3072}


def test_cells_are_numa_nodes(ask: Ask) -> None:
    tree = ask(TEST_DEFAULT, NUMA)
    assert totals(named(tree, "host")) == {}
    # Its cells have 2048 and 4096 MiB, but all of it together 3072.
    assert totals(named(tree, "host_numa0")) == {"VCPU": 8, "MEMORY_MB": 1024}
    assert totals(named(tree, "host_numa1")) == {"VCPU": 8, "MEMORY_MB": 2048}


def test_threads_and_processors_that_are_offline(ask: Ask) -> None:
    tree = ask(THREADS, replace(NUMA, dedicated_cpus=frozenset({2, 5})))
    assert {"HW_CPU_HYPERTHREADING", "HW_CPU_X86_AVX512GFNI", "HW_CPU_X86_INTEL_VMX"} <= named(tree, "host").traits
    assert totals(named(tree, "host_numa0")) == {"VCPU": 3, "PCPU": 1, "MEMORY_MB": 49 * 1024}
    assert totals(named(tree, "host_numa1")) == {"VCPU": 1, "PCPU": 1, "MEMORY_MB": 47 * 1024}
    with pytest.raises(DriverError, match="names the processors 3,7, but online are only 0-2,4-6"):
        ask(THREADS, Policy(dedicated_cpus=frozenset({3, 7})))


def test_a_hypervisor_that_shows_no_topology(ask: Ask) -> None:
    plain = recordings.Recording("<capabilities><host><cpu><arch>aarch64</arch></cpu></host></capabilities>", cpus=4)
    assert totals(named(ask(plain), "host")) == {"VCPU": 4, "MEMORY_MB": 98304}
    assert totals(named(ask(plain, NUMA), "host_numa0")) == {"VCPU": 4, "MEMORY_MB": 98304}


def test_devices(ask: Ask) -> None:
    patterns = tuple(map(parse_pci_pattern, ("::03=PGPU", "8086:154c=SRIOV_NET_VF", "10de:*")))
    tree = ask(replace(THREADS, devices=DEVICES), replace(NUMA, pci_patterns=patterns))
    gpu, card, old = (named(tree, f"host_{address}") for address in ("0000:17:00.0", "0000:3B:00.0", "0000:AF:1F.7"))
    assert [totals(device) for device in (gpu, card, old)] == [
        {"PGPU": 1},
        {"SRIOV_NET_VF": 2},
        {"CUSTOM_PCI_10DE_1EB8": 1},
    ]
    parents = [tree[device.parent_uuid or ""].name for device in (gpu, card, old)]
    assert parents == ["host_numa0", "host_numa1", "host"]


def test_devices_are_not_asked_for_unless_some_are_selected(ask: Ask) -> None:
    assert len(ask(replace(AMD, devices=["<broken"]))) == 1


def cells(document: str) -> str:
    return recordings.capabilities("<arch>x86_64</arch>", document)


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ("", "What libvirt calls its capabilities is no XML"),
        ("<capabilities>", "What libvirt calls its capabilities is no XML"),
        ("<domain/>", "What libvirt calls its capabilities is a document called domain"),
        ("<capabilities/>", "says nothing about the host's processor"),
        (cells("<cell/>"), "libvirt's cell id = '' cannot be understood"),
        (cells("<cell id='0'><memory unit='MiB'>5</memory></cell>"), "in MiB instead of KiB"),
        (cells("<cell id='0'><memory unit='KiB'>lots</memory></cell>"), "memory of a NUMA cell = 'lots'"),
        (cells("<cell id='0'><cpus><cpu id='x' siblings='0'/></cpus></cell>"), "cpu id = 'x' cannot be understood"),
        (
            cells("<cell id='0'><cpus><cpu id='0' siblings='a'/></cpus></cell>"),
            "cpu siblings = 'a' cannot be understood",
        ),
    ],
)
def test_capabilities_that_cannot_be_understood(ask: Ask, document: str, complaint: str) -> None:
    with pytest.raises(DriverError, match=complaint):
        ask(recordings.Recording(document))


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ("<device", "device is no XML"),
        ("<device><name>computer</name></device>", "libvirt's device 'computer' has no vendor and product"),
        (DEVICES[0].replace("0x20b0", "20b0"), "product id = '20b0' cannot be understood"),
        (DEVICES[0].replace("0x030200", "display"), "class of a device = 'display' cannot be understood"),
        (DEVICES[0].replace("<bus>23</bus>", ""), "bus of a device = '' cannot be understood"),
        (DEVICES[0].replace("node='0'", "node='?'"), "numa node = '\\?' cannot be understood"),
        (DEVICES[2].replace("bus='0x3b'", "bus='3x'"), "address of a device = '3x' cannot be understood"),
    ],
)
def test_devices_that_cannot_be_understood(ask: Ask, document: str, complaint: str) -> None:
    with pytest.raises(DriverError, match=complaint):
        ask(replace(AMD, devices=[document]), Policy(pci_patterns=(parse_pci_pattern("10de:*"),)))


def test_without_the_library_the_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in place of a module is how Python is told that there is none.
    monkeypatch.setitem(sys.modules, "libvirt", None)
    with pytest.raises(DriverError, match=r"needs libvirt-python, .* install moorage\[libvirt\]"), open_connection("x"):
        pass

"""What the kernel does not show, or not as expected: a sentence for the operator, never a traceback."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.machine.pci_pattern import parse_pci_pattern
from moorage.hosts.drivers.machine.policy import Policy
from tests.hosts.drivers import kernels
from tests.hosts.drivers.trees import Examine

EVERYTHING = Policy(
    numa=True, disk_path=PurePosixPath("/"), pci_patterns=(parse_pci_pattern("::03"), parse_pci_pattern("::02"))
)

DEVICE = "sys/bus/pci/devices/0000:17:00.0"


@pytest.fixture(autouse=True)
def machine(root: Path) -> None:
    kernels.add_devices(kernels.intel(root))


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("sys/devices/system/cpu/online", "0-fifteen"),
        ("sys/devices/system/cpu/online", "0-4000000000"),
        ("sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0;8"),
        ("proc/meminfo", ""),
        ("proc/meminfo", "MemTotal: lots kB"),
        ("proc/meminfo", "MemTotal: 98304 MB"),
        ("sys/devices/system/node/node1/cpulist", "4-"),
        ("sys/devices/system/node/node1/meminfo", "Node 1 MemFree: 5 kB"),
        (f"{DEVICE}/vendor", "10de"),
        (f"{DEVICE}/device", "0x20b"),
        (f"{DEVICE}/class", "0xdisplay"),
        (f"{DEVICE}/numa_node", "none"),
    ],
)
def test_contents_that_cannot_be_understood(root: Path, examine: Examine, file: str, content: str) -> None:
    examine(EVERYTHING)
    kernels.write(root / file, content)
    with pytest.raises(DriverError, match="cannot be understood") as caught:
        examine(EVERYTHING)
    assert str(root / file) in str(caught.value)


@pytest.mark.parametrize("file", ["proc/meminfo", "sys/devices/system/node/node0/meminfo"])
def test_memory_that_is_not_told(root: Path, examine: Examine, file: str) -> None:
    (root / file).unlink()
    with pytest.raises(DriverError, match=f"How much memory .* no {root / file}"):
        examine(EVERYTHING)


def test_no_processors_at_all(root: Path, examine: Examine) -> None:
    (root / "sys/devices/system/cpu/online").unlink()
    (root / "proc/cpuinfo").unlink()
    with pytest.raises(DriverError, match=r"Neither .*online nor .*cpuinfo tells of any processor"):
        examine()


@pytest.mark.parametrize("file", ["proc/meminfo", "proc/cpuinfo", "sys/devices/system/cpu/online", f"{DEVICE}/vendor"])
def test_a_file_that_cannot_be_read(root: Path, examine: Examine, file: str) -> None:
    """A directory in its place: root may read everything else."""
    (root / file).unlink()
    (root / file).mkdir()
    with pytest.raises(DriverError, match=f"{root / file} cannot be read: Is a directory"):
        examine(EVERYTHING)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x00" * 100, b":::\n\n:\n\n\n"])
def test_a_description_of_processors_that_is_none(root: Path, examine: Examine, content: bytes) -> None:
    (root / "proc/cpuinfo").write_bytes(content)
    (node,) = examine(Policy())
    assert node.inventories["VCPU"].total == 16
    assert node.traits == {"COMPUTE_NODE", "HW_ARCH_X86_64", "HW_CPU_HYPERTHREADING"}


def test_a_physical_function_that_leads_astray(root: Path, examine: Examine) -> None:
    (root / DEVICE / "physfn").symlink_to("../../elsewhere")
    with pytest.raises(DriverError, match="physfn leads to 'elsewhere', which is no PCI address"):
        examine(EVERYTHING)


def test_a_physical_function_that_is_no_link(root: Path, examine: Examine) -> None:
    (root / DEVICE / "physfn").mkdir()
    with pytest.raises(DriverError, match="physfn cannot be read"):
        examine(EVERYTHING)


def test_a_container_without_sys(root: Path, examine: Examine) -> None:
    shutil.rmtree(root / "sys")
    tree = examine(EVERYTHING)
    assert {provider.name for provider in tree} == {"host", "host_numa0"}


def test_a_disk_that_is_not_mounted(root: Path, examine: Examine) -> None:
    path = root / "var/lib/nova/instances"
    policy = Policy(disk_path=PurePosixPath("/var/lib/nova/instances"))
    with pytest.raises(DriverError, match=rf"{path} \(\[compute\] instances_path\) is unknown: No such file"):
        examine(policy)
    path.mkdir(parents=True)
    (node,) = examine(policy)
    assert node.inventories["DISK_GB"].total == 500

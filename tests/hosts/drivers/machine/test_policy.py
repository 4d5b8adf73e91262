"""The settings of `[compute]`, as a policy."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.machine.pci_pattern import PciPattern
from moorage.hosts.drivers.machine.policy import Policy, policy_from_settings
from moorage.service.settings import load_settings

pytestmark = pytest.mark.usefixtures("installation")


def policy(**options: object) -> Policy:
    return policy_from_settings(load_settings({f"compute.{name}": value for name, value in options.items()}))


def test_the_defaults_are_those_of_nova() -> None:
    """Its initial allocation ratios, and what it reserves."""
    assert policy() == Policy(
        reserved_cpus=0,
        reserved_memory_mb=512,
        reserved_disk_mb=0,
        cpu_ratio=4.0,
        memory_ratio=1.0,
        disk_ratio=1.0,
        disk_path=PurePosixPath("/"),
    )


def test_everything_set() -> None:
    assert policy(
        cpu_dedicated_set="4-7,^6",
        cpu_shared_set="1-3",
        reserved_host_cpus=1,
        reserved_host_memory_mb=2048,
        reserved_host_disk_mb=10240,
        cpu_allocation_ratio=2.5,
        ram_allocation_ratio=1.1,
        disk_allocation_ratio=0.9,
        instances_path="/var/lib/nova/instances",
        numa_nodes=True,
        pci_devices=["10de:*=PGPU", "8086:154c"],
    ) == Policy(
        dedicated_cpus=frozenset({4, 5, 7}),
        shared_cpus=frozenset({1, 2, 3}),
        reserved_cpus=1,
        reserved_memory_mb=2048,
        reserved_disk_mb=10240,
        cpu_ratio=2.5,
        memory_ratio=1.1,
        disk_ratio=0.9,
        disk_path=PurePosixPath("/var/lib/nova/instances"),
        numa=True,
        pci_patterns=(PciPattern("10de", None, None, "PGPU"), PciPattern("8086", "154c", None, None)),
    )


def test_patterns_of_devices_in_a_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("settings") / "moorage.conf"
    file.write_text("[compute]\npci_devices = 10de:20b0=PGPU, 10de::03,8086:154c=SRIOV_NET_VF\n")
    classes = [pattern.resource_class for pattern in policy_from_settings(load_settings({}, [str(file)])).pci_patterns]
    assert classes == ["PGPU", None, "SRIOV_NET_VF"]


def test_no_shared_processors_is_not_the_same_as_none_named() -> None:
    assert policy(cpu_shared_set="").shared_cpus == frozenset()
    assert policy().shared_cpus is None


def test_no_path_means_no_disk() -> None:
    assert policy(instances_path="").disk_path is None


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"cpu_dedicated_set": "4-x"},
            r"\[compute\] cpu_dedicated_set = 4-x is no list of processors: '4-x' is neither",
        ),
        ({"cpu_shared_set": "7-4"}, r"\[compute\] cpu_shared_set = 7-4 is no list of processors: .* ends before"),
        ({"cpu_dedicated_set": "1-4", "cpu_shared_set": "3-6"}, "The processors 3-4 are in .* each may be in one"),
        ({"pci_devices": ["10de:20b0", "gpu"]}, r"\[compute\] pci_devices selects no devices: 'gpu' is not VENDOR"),
        ({"cpu_allocation_ratio": float("nan")}, r"\[compute\] cpu_allocation_ratio = nan is no ratio"),
        ({"ram_allocation_ratio": float("inf")}, r"\[compute\] ram_allocation_ratio = inf is no ratio"),
        ({"disk_allocation_ratio": 1e39}, r"\[compute\] disk_allocation_ratio = 1e\+39 is no ratio; .* 3\.40282e\+38"),
        ({"instances_path": "srv/instances"}, r"\[compute\] instances_path = srv/instances has to be an absolute path"),
    ],
)
def test_settings_that_cannot_be_used(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(DriverError, match=complaint):
        policy(**options)

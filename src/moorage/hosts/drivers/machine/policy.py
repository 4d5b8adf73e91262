"""What of a machine is offered: reserved amounts, ratios, which processors and devices, read from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from oslo_config import cfg

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.machine.cpu_list import format_cpu_list, parse_cpu_list
from moorage.hosts.drivers.machine.pci_pattern import PciPattern, parse_pci_pattern
from moorage.placement.model.inventory import MAX_RATIO


@dataclass(frozen=True, slots=True)
class Policy:
    """How a machine becomes inventories; the defaults offer everything once, and no devices."""

    dedicated_cpus: frozenset[int] = frozenset()
    # None: all that are not dedicated.
    shared_cpus: frozenset[int] | None = None
    reserved_cpus: int = 0
    reserved_memory_mb: int = 0
    reserved_disk_mb: int = 0
    cpu_ratio: float = 1.0
    memory_ratio: float = 1.0
    disk_ratio: float = 1.0
    # None: no disk is offered.
    disk_path: PurePosixPath | None = None
    numa: bool = False
    pci_patterns: tuple[PciPattern, ...] = ()


def policy_from_settings(settings: cfg.ConfigOpts) -> Policy:
    """The policy of `[compute]`; DriverError names the setting that cannot be used."""
    compute = settings.compute
    dedicated = _cpus("cpu_dedicated_set", compute.cpu_dedicated_set) or frozenset()
    shared = _cpus("cpu_shared_set", compute.cpu_shared_set)
    if both := dedicated & (shared or frozenset()):
        raise DriverError(
            f"The processors {format_cpu_list(both)} are in [compute] cpu_dedicated_set and in cpu_shared_set;"
            " each may be in one of them."
        )
    return Policy(
        dedicated_cpus=dedicated,
        shared_cpus=shared,
        reserved_cpus=compute.reserved_host_cpus,
        reserved_memory_mb=compute.reserved_host_memory_mb,
        reserved_disk_mb=compute.reserved_host_disk_mb,
        cpu_ratio=_ratio("cpu_allocation_ratio", compute.cpu_allocation_ratio),
        memory_ratio=_ratio("ram_allocation_ratio", compute.ram_allocation_ratio),
        disk_ratio=_ratio("disk_allocation_ratio", compute.disk_allocation_ratio),
        disk_path=_absolute("instances_path", compute.instances_path),
        numa=compute.numa_nodes,
        pci_patterns=tuple(_pattern(text) for text in compute.pci_devices or ()),
    )


def _cpus(option: str, text: str | None) -> frozenset[int] | None:
    if text is None:
        return None
    try:
        return parse_cpu_list(text)
    except ValueError as error:
        raise DriverError(f"[compute] {option} = {text} is no list of processors: {error}.") from error


def _ratio(option: str, value: float) -> float:
    # That it is more than nothing, the settings check; "not a number" is neither more nor less.
    if not value <= MAX_RATIO:
        raise DriverError(f"[compute] {option} = {value} is no ratio; it has to be a number, at most {MAX_RATIO}.")
    return value


def _pattern(text: str) -> PciPattern:
    try:
        return parse_pci_pattern(text)
    except ValueError as error:
        raise DriverError(f"[compute] pci_devices selects no devices: {error}.") from error


def _absolute(option: str, text: str) -> PurePosixPath | None:
    path = PurePosixPath(text)
    if text and not path.is_absolute():
        raise DriverError(f"[compute] {option} = {text} has to be an absolute path, or empty.")
    return path if text else None

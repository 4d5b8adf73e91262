"""The processors: which are online, whether they share cores, and what they can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.linux.files import text_of, value_of
from moorage.hosts.drivers.machine.cpu_list import parse_cpu_list
from moorage.hosts.drivers.machine.cpu_traits import HYPERTHREADING, processor_traits

_CPUS = "sys/devices/system/cpu"
_CPUINFO = "proc/cpuinfo"


@dataclass(frozen=True, slots=True)
class Description:
    """What /proc/cpuinfo says of all processors."""

    numbers: frozenset[int]
    vendor: str
    # Those that every processor has: servers may land on any of them.
    flags: frozenset[str]


def online_cpus(root: Path) -> frozenset[int]:
    """The numbers of the processors that run; where /sys is missing, as in some containers, those in /proc/cpuinfo."""
    cpus = value_of(root / _CPUS / "online", parse_cpu_list)
    if cpus is None:
        cpus = _described(root).numbers
    if not cpus:
        raise DriverError(f"Neither {root / _CPUS / 'online'} nor {root / _CPUINFO} tells of any processor.")
    return cpus


def traits(root: Path, architecture: str, online: frozenset[int]) -> frozenset[str]:
    """The traits of the processors, by /proc/cpuinfo; if that is missing, the architecture alone."""
    described = _described(root)
    found = processor_traits(architecture, described.vendor, described.flags)
    return found | {HYPERTHREADING} if _threads_share_cores(root, online) else found


def _threads_share_cores(root: Path, online: frozenset[int]) -> bool:
    """Whether a core has two threads or more that are online."""
    for cpu in online:
        siblings = value_of(root / _CPUS / f"cpu{cpu}" / "topology" / "thread_siblings_list", parse_cpu_list)
        if siblings and len(siblings & online) > 1:
            return True
    return False


def _described(root: Path) -> Description:
    text = text_of(root / _CPUINFO) or ""
    blocks = [_fields(block) for block in text.split("\n\n")]
    numbers = frozenset(int(block["processor"]) for block in blocks if block.get("processor", "").isdecimal())
    # The vendor and the flags may stand with every processor (x86, ARM) or once for all of them (s390).
    flags = [_flags(block) for block in blocks if _flags(block)]
    vendors = [block["vendor_id"] for block in blocks if block.get("vendor_id")]
    return Description(numbers, vendors[0] if vendors else "", frozenset.intersection(*flags) if flags else frozenset())


def _fields(block: str) -> Mapping[str, str]:
    pairs = (line.partition(":") for line in block.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _flags(block: Mapping[str, str]) -> frozenset[str]:
    """The flags on x86, the features on ARM and s390; POWER has the name of its generation instead."""
    listed = block.get("flags") or block.get("Features") or block.get("features")
    if listed is not None:
        return frozenset(listed.split())
    return frozenset(block.get("cpu", "").lower().split()[:1])

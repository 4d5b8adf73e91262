"""From amounts to inventories: what is reserved, how often it is offered, and how both are spread over NUMA nodes."""

from __future__ import annotations

from collections.abc import Sequence

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.machine.cpu_list import format_cpu_list
from moorage.hosts.drivers.machine.facts import Machine, NumaNode
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.drivers.machine.shares import shares
from moorage.placement.model.inventory import MAX_AMOUNT, Inventory

Inventories = dict[str, Inventory]

_MB_PER_GB = 1024


def of_part(cpus: frozenset[int], memory_mb: int, policy: Policy, reserved_cpus: int, reserved_mb: int) -> Inventories:
    """VCPU, PCPU and MEMORY_MB of a machine or of one of its NUMA nodes; a class that it has none of is left out."""
    shared, dedicated = shared_among(cpus, policy), policy.dedicated_cpus & cpus
    inventories = {
        "VCPU": _inventory(len(shared), reserved_cpus, policy.cpu_ratio),
        "PCPU": _inventory(len(dedicated)),
        "MEMORY_MB": _inventory(memory_mb, reserved_mb, policy.memory_ratio),
    }
    return {name: inventory for name, inventory in inventories.items() if inventory.total}


def of_machine(machine: Machine, policy: Policy) -> Inventories:
    """What a machine has that is not divided into NUMA nodes."""
    return of_part(machine.cpus, machine.memory_mb, policy, policy.reserved_cpus, policy.reserved_memory_mb)


def of_numa_nodes(nodes: Sequence[NumaNode], policy: Policy) -> list[Inventories]:
    """What each NUMA node has, with its share of what is reserved."""
    cpus = shares(policy.reserved_cpus, [len(shared_among(node.cpus, policy)) for node in nodes])
    memory = shares(policy.reserved_memory_mb, [node.memory_mb for node in nodes])
    return [
        of_part(node.cpus, node.memory_mb, policy, *reserved)
        for node, *reserved in zip(nodes, cpus, memory, strict=True)
    ]


def of_disk(machine: Machine, policy: Policy) -> Inventories:
    """The disk; what is reserved is rounded up to whole GiB."""
    if not machine.disk_gb:
        return {}
    return {"DISK_GB": _inventory(machine.disk_gb, -(-policy.reserved_disk_mb // _MB_PER_GB), policy.disk_ratio)}


def shared_among(cpus: frozenset[int], policy: Policy) -> frozenset[int]:
    """Those of the processors that servers share."""
    return cpus - policy.dedicated_cpus if policy.shared_cpus is None else cpus & policy.shared_cpus


def check(machine: Machine, policy: Policy) -> None:
    """Refuse a policy that this machine cannot follow."""
    named = {"cpu_dedicated_set": policy.dedicated_cpus, "cpu_shared_set": policy.shared_cpus or frozenset()}
    for option, cpus in named.items():
        if missing := cpus - machine.cpus:
            raise DriverError(
                f"[compute] {option} names the processors {format_cpu_list(missing)}, but online are only"
                f" {format_cpu_list(machine.cpus)}."
            )
    # What is reserved is spread over the NUMA nodes, whose memory is not exactly that of the machine.
    parts = machine.numa_nodes if policy.numa else (machine,)
    shared = sum(len(shared_among(part.cpus, policy)) for part in parts)
    available = {
        "reserved_host_cpus": (policy.reserved_cpus, shared, "shared processors"),
        "reserved_host_memory_mb": (policy.reserved_memory_mb, sum(part.memory_mb for part in parts), "MiB of memory"),
    }
    if machine.disk_gb is not None:
        disk_mb = machine.disk_gb * _MB_PER_GB
        available["reserved_host_disk_mb"] = (policy.reserved_disk_mb, disk_mb, f"MiB on {policy.disk_path}")
    for option, (reserved, total, what) in available.items():
        if reserved > total:
            raise DriverError(f"[compute] {option} = {reserved} is more than the {total} {what} that there are.")


def _inventory(total: int, reserved: int = 0, ratio: float = 1.0) -> Inventory:
    # File systems in a network claim to have more than Placement can count.
    total = min(total, MAX_AMOUNT)
    # Nobody can have more of it than there physically is, however often it is offered.
    return Inventory(total, min(reserved, total), max_unit=total, allocation_ratio=ratio)

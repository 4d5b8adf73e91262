"""The driver that asks libvirt what the machine has."""

from __future__ import annotations

import os
from pathlib import Path

from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.drivers.identity import node_uuid
from moorage.hosts.drivers.libvirt.capabilities import parse_capabilities, traits_of
from moorage.hosts.drivers.libvirt.connection import open_connection
from moorage.hosts.drivers.libvirt.hypervisor import Hypervisor, Open
from moorage.hosts.drivers.libvirt.node_devices import parse_pci_device
from moorage.hosts.drivers.machine.disk import StatusOf, disk_gb
from moorage.hosts.drivers.machine.facts import Machine, NumaNode
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.drivers.machine.providers import native_providers


class LibvirtDriver:
    """Reports the host of a libvirt connection as one node.

    Without a name of its own, the node is called what libvirt calls the host. The disk is the only thing that is not
    libvirt's to say: where servers have their disks, the settings do.
    """

    name = "libvirt"

    def __init__(
        self,
        uri: str,
        node_name: str | None,
        state_directory: Path,
        policy: Policy,
        *,
        open_hypervisor: Open = open_connection,
        status_of: StatusOf = os.statvfs,
    ) -> None:
        self._uri = uri
        self._node_name = node_name
        self._state_directory = state_directory
        self._policy = policy
        self._open = open_hypervisor
        self._status_of = status_of

    def read(self) -> NativeProviders:
        """The host as it is now."""
        with self._open(self._uri) as hypervisor:
            name = self._node_name or hypervisor.host_name()
            found = examine(hypervisor, self._policy, self._status_of)
        return native_providers(found, self._policy, node_uuid(self._state_directory), name)


def examine(hypervisor: Hypervisor, policy: Policy, status_of: StatusOf) -> Machine:
    """All that the policy needs to know of the host."""
    capabilities = parse_capabilities(hypervisor.capabilities())
    expandable = capabilities.cpu.expandable
    memory_mb = hypervisor.memory_mb()
    cpus = frozenset(cpu for cell in capabilities.cells for cpu in cell.cpus)
    if not cpus:
        # Some hypervisors show no topology.
        cpus = frozenset(range(hypervisor.cpu_count()))
    documents = hypervisor.pci_devices() if policy.pci_patterns else ()
    return Machine(
        cpus=cpus,
        memory_mb=memory_mb,
        disk_gb=None if policy.disk_path is None else disk_gb(Path(policy.disk_path), status_of),
        processor_traits=traits_of(capabilities, hypervisor.expanded_cpu(expandable) if expandable else None),
        numa_nodes=capabilities.cells or (NumaNode(0, cpus, memory_mb),),
        pci_devices=tuple(parse_pci_device(document) for document in documents),
    )

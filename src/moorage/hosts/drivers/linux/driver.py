"""The driver that examines the machine it runs on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.drivers.identity import node_uuid
from moorage.hosts.drivers.linux import memory, numa, pci, processors
from moorage.hosts.drivers.machine.disk import StatusOf, disk_gb
from moorage.hosts.drivers.machine.facts import Machine
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.drivers.machine.providers import native_providers


class LinuxDriver:
    """Reports this machine as one node.

    Everything it looks at is below `root`; what the kernel says elsewhere, the size of a file system and the
    architecture (as by `uname -m`), comes in as an argument.
    """

    name = "linux"

    def __init__(
        self,
        node_name: str,
        state_directory: Path,
        policy: Policy,
        *,
        root: Path = Path("/"),
        status_of: StatusOf = os.statvfs,
        architecture: str | None = None,
    ) -> None:
        self._node_name = node_name
        self._state_directory = state_directory
        self._policy = policy
        self._root = root
        self._status_of = status_of
        self._architecture = architecture or platform.machine()

    def read(self) -> NativeProviders:
        """The machine as it is now."""
        found = examine(self._root, self._policy, self._status_of, self._architecture)
        return native_providers(found, self._policy, node_uuid(self._state_directory), self._node_name)


def examine(root: Path, policy: Policy, status_of: StatusOf, architecture: str) -> Machine:
    """All that the policy needs to know of the machine."""
    cpus = processors.online_cpus(root)
    memory_mb = memory.memory_mb(root)
    path = policy.disk_path
    return Machine(
        cpus=cpus,
        memory_mb=memory_mb,
        disk_gb=None if path is None else disk_gb(root / path.relative_to("/"), status_of),
        processor_traits=processors.traits(root, architecture, cpus),
        numa_nodes=numa.numa_nodes(root, cpus, memory_mb) if policy.numa else (),
        pci_devices=pci.pci_devices(root) if policy.pci_patterns else (),
    )

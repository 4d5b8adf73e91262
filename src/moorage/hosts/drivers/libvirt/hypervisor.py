"""What the driver asks of libvirt, in libvirt's own words: XML documents and plain figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol


class Hypervisor(Protocol):
    """An open connection; DriverError from any of these if libvirt does not answer."""

    def host_name(self) -> str:
        """The host's name as libvirt sees it, which is what Nova calls the node."""
        ...

    def memory_mb(self) -> int:
        """The memory of the host, in MiB."""
        ...

    def cpu_count(self) -> int:
        """The number of processors that are online."""
        ...

    def capabilities(self) -> str:
        """The capabilities of the host."""
        ...

    def expanded_cpu(self, cpu: str) -> str | None:
        """A description of a CPU with the features of its model written out; None if the hypervisor cannot do that."""
        ...

    def pci_devices(self) -> Sequence[str]:
        """The node devices on the PCI bus."""
        ...


Open = Callable[[str], AbstractContextManager[Hypervisor]]
"""Opens a connection by its URI, for reading."""

"""Talks to libvirt through libvirt-python, which is imported only when the driver is used."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Any, TypeVar

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.libvirt.hypervisor import Hypervisor

Value = TypeVar("Value")

# Positions in what getInfo() returns.
_MEMORY_MB = 1
_CPUS = 2


@contextmanager
def open_connection(uri: str) -> Iterator[Hypervisor]:
    """A connection for reading, closed at the end; each reading has its own, so restarts of libvirt do no harm."""
    libvirt = _library()
    connection = _asked(libvirt, lambda: libvirt.openReadOnly(uri), f"There is no connection to libvirt at {uri}")
    try:
        yield Connection(libvirt, connection)
    finally:
        # What was to be asked has been asked; a connection that broke since then needs no closing.
        with suppress(libvirt.libvirtError):
            connection.close()


class Connection:
    """A Hypervisor over a connection of libvirt-python."""

    def __init__(self, libvirt: ModuleType, connection: Any) -> None:
        self._libvirt = libvirt
        self._connection = connection

    def host_name(self) -> str:
        """See Hypervisor."""
        return str(self._ask(self._connection.getHostname))

    def memory_mb(self) -> int:
        """See Hypervisor."""
        return int(self._ask(self._connection.getInfo)[_MEMORY_MB])

    def cpu_count(self) -> int:
        """See Hypervisor."""
        return int(self._ask(self._connection.getInfo)[_CPUS])

    def capabilities(self) -> str:
        """See Hypervisor."""
        return str(self._ask(self._connection.getCapabilities))

    def expanded_cpu(self, cpu: str) -> str | None:
        """See Hypervisor."""
        libvirt = self._libvirt
        try:
            expanded: str = self._connection.baselineCPU([cpu], libvirt.VIR_CONNECT_BASELINE_CPU_EXPAND_FEATURES)
        except libvirt.libvirtError as error:
            # Only what is so every time: traits shall not come and go with passing faults.
            if error.get_error_code() in {libvirt.VIR_ERR_NO_SUPPORT, libvirt.VIR_ERR_CONFIG_UNSUPPORTED}:
                return None
            raise _refusal("libvirt does not say what the processor can do", error) from error
        return expanded

    def pci_devices(self) -> Sequence[str]:
        """See Hypervisor."""
        flag = self._libvirt.VIR_CONNECT_LIST_NODE_DEVICES_CAP_PCI_DEV
        return [self._ask(device.XMLDesc) for device in self._ask(lambda: self._connection.listAllDevices(flag))]

    def _ask(self, question: Callable[[], Value]) -> Value:
        return _asked(self._libvirt, question, "libvirt does not answer")


def _library() -> ModuleType:
    try:
        libvirt = importlib.import_module("libvirt")
    except ImportError as error:
        raise DriverError(
            f"The driver libvirt needs libvirt-python, which cannot be loaded ({error}); install moorage[libvirt], or"
            " choose another [agent] driver."
        ) from error
    # Otherwise the library also prints every error to standard error.
    libvirt.registerErrorHandler(lambda *_: None, None)
    return libvirt


def _asked(libvirt: ModuleType, question: Callable[[], Value], complaint: str) -> Value:
    try:
        return question()
    except libvirt.libvirtError as error:
        raise _refusal(complaint, error) from error


def _refusal(complaint: str, error: Exception) -> DriverError:
    return DriverError(f"{complaint}: {str(error).rstrip('.')}.")

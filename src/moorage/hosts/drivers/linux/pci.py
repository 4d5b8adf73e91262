"""The PCI devices, with what is needed to select them and to place them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.linux.files import entries_of, value_of
from moorage.hosts.drivers.machine.facts import PciDevice

_DEVICES = "sys/bus/pci/devices"
_ADDRESS = re.compile(r"[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


def pci_devices(root: Path) -> tuple[PciDevice, ...]:
    """Every PCI function; none where /sys does not show any."""
    found = (_device(entry) for entry in entries_of(root / _DEVICES) if _ADDRESS.fullmatch(entry.name))
    return tuple(device for device in found if device)


def _device(directory: Path) -> PciDevice | None:
    """A device, or None if it has just been taken away."""
    vendor = value_of(directory / "vendor", _digits(4))
    product = value_of(directory / "device", _digits(4))
    class_code = value_of(directory / "class", _digits(6))
    if vendor is None or product is None or class_code is None:
        return None
    numa_node = value_of(directory / "numa_node", int)
    return PciDevice(
        directory.name,
        vendor,
        product,
        class_code,
        # The kernel says -1 where the firmware does not say.
        None if numa_node is None or numa_node < 0 else numa_node,
        _physical_function(directory),
    )


def _digits(count: int) -> Callable[[str], str]:
    def digits(text: str) -> str:
        if not re.fullmatch(rf"0x[0-9a-f]{{{count}}}", text):
            raise ValueError(f"{text[:30]!r} is not 0x and {count} hexadecimal digits")
        return text.removeprefix("0x")

    return digits


def _physical_function(directory: Path) -> str | None:
    """The address that the link to the physical function leads to; only virtual functions have one."""
    link = directory / "physfn"
    try:
        address = link.readlink().name
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DriverError(f"{link} cannot be read: {error.strerror}.") from error
    if not _ADDRESS.fullmatch(address):
        raise DriverError(f"{link} leads to {address!r}, which is no PCI address.")
    return address

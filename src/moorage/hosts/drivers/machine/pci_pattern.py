"""Which PCI devices are offered, and as which resource class: the notation of `[compute] pci_devices`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import os_resource_classes

from moorage.hosts.drivers.machine.facts import PciDevice

NOTATION = "VENDOR:PRODUCT[:CLASS][=RESOURCE_CLASS] with hexadecimal numbers, such as 10de:20b0=PGPU or 10de:*:03"

_PATTERN = re.compile(
    r"(?P<vendor>[0-9a-f]{4}|\*|):(?P<product>[0-9a-f]{4}|\*|)(:(?P<class>([0-9a-f]{2}){1,3}|\*|))?(=(?P<name>.*))?",
    re.IGNORECASE,
)
_CUSTOM = re.compile(r"CUSTOM_[A-Z0-9_]{1,248}")


@dataclass(frozen=True, slots=True)
class PciPattern:
    """Devices by vendor, product and the beginning of their class (None: any), and the resource class they become."""

    vendor_id: str | None
    product_id: str | None
    class_prefix: str | None
    # None: a class named after vendor and product.
    resource_class: str | None

    def matches(self, device: PciDevice) -> bool:
        """Whether the device is meant."""
        return (
            self.vendor_id in {None, device.vendor_id}
            and self.product_id in {None, device.product_id}
            and device.class_code.startswith(self.class_prefix or "")
        )


def parse_pci_pattern(text: str) -> PciPattern:
    """Read one pattern; ValueError tells what is wrong with it."""
    match = _PATTERN.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text.strip()!r} is not {NOTATION}")
    vendor, product, class_prefix = (_identifier(match[part]) for part in ("vendor", "product", "class"))
    if vendor is product is class_prefix is None:
        raise ValueError(f"{text.strip()!r} would offer every device, bridges included; say which vendor or class")
    name = match["name"]
    if name is not None and name not in os_resource_classes.STANDARDS and not _CUSTOM.fullmatch(name):
        raise ValueError(f"{name!r} is neither a standard resource class nor CUSTOM_ followed by A-Z, 0-9 and _")
    return PciPattern(vendor, product, class_prefix, name)


def offered_as(device: PciDevice, patterns: Iterable[PciPattern]) -> str | None:
    """The resource class of a device by the first pattern that fits, or None if it is not offered."""
    for pattern in patterns:
        if pattern.matches(device):
            return pattern.resource_class or f"CUSTOM_PCI_{device.vendor_id}_{device.product_id}".upper()
    return None


def _identifier(text: str | None) -> str | None:
    return None if text in {None, "", "*"} else text.lower()

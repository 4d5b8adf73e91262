"""The node devices on the PCI bus."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.libvirt.documents import attribute, hexadecimal, parse, text_at, understood
from moorage.hosts.drivers.machine.facts import PciDevice

_CAPABILITY = "capability[@type='pci']"
# A class that libvirt does not know is none that a pattern can mean.
_UNCLASSIFIED = "0x000000"


def parse_pci_device(document: str) -> PciDevice:
    """Read the description of one device."""
    root = parse(document, "device")
    pci, vendor, product = (
        root.find(path) for path in (_CAPABILITY, f"{_CAPABILITY}/vendor", f"{_CAPABILITY}/product")
    )
    if pci is None or vendor is None or product is None:
        raise DriverError(f"libvirt's device {text_at(root, 'name')!r} has no vendor and product on the PCI bus.")
    owner = pci.find("capability[@type='phys_function']/address")
    numa = pci.find("numa")
    return PciDevice(
        address=_address_of(pci),
        vendor_id=attribute(vendor, "id", hexadecimal(4)),
        product_id=attribute(product, "id", hexadecimal(4)),
        class_code=understood("class of a device", text_at(pci, "class") or _UNCLASSIFIED, hexadecimal(6)),
        numa_node=None if numa is None else attribute(numa, "node", int),
        physical_function=None if owner is None else _address(*(owner.get(part, "") for part in _PARTS)),
    )


_PARTS = ("domain", "bus", "slot", "function")


def _address_of(pci: ET.Element) -> str:
    """The address of a device itself, whose parts libvirt writes as decimal numbers."""
    return _formatted(*(understood(f"{part} of a device", text_at(pci, part), int) for part in _PARTS))


def _address(*parts: str) -> str:
    """The address of another device, whose parts libvirt writes as hexadecimal numbers."""
    return _formatted(*(understood("address of a device", part, lambda text: int(text, 16)) for part in parts))


def _formatted(domain: int, bus: int, slot: int, function: int) -> str:
    return f"{domain:04x}:{bus:02x}:{slot:02x}.{function:x}"

"""What a machine is found to have, whoever looked: the values between the drivers and the providers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumaNode:
    """Processors (those online) and memory that are near each other."""

    number: int
    cpus: frozenset[int]
    memory_mb: int


@dataclass(frozen=True, slots=True)
class PciDevice:
    """A PCI function. Identifiers are hexadecimal digits in lower case: four, four, and six for the class."""

    address: str
    vendor_id: str
    product_id: str
    class_code: str
    numa_node: int | None = None
    # The address of the physical function that this one is a virtual function of.
    physical_function: str | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine, before anything is reserved or selected."""

    # Those online.
    cpus: frozenset[int]
    memory_mb: int
    # None if no disk is to be offered.
    disk_gb: int | None
    # What can be said of every processor.
    processor_traits: frozenset[str]
    numa_nodes: tuple[NumaNode, ...]
    pci_devices: tuple[PciDevice, ...]

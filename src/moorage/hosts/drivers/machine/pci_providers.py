"""PCI devices as providers: one for each device, which counts the virtual functions if it has selected ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import os_traits

from moorage.hosts.drivers.identity import nested_uuid
from moorage.hosts.drivers.machine.facts import PciDevice
from moorage.hosts.drivers.machine.pci_pattern import PciPattern, offered_as
from moorage.hosts.provider_tree import Provider
from moorage.placement.model.inventory import Inventory

_NETWORK_CONTROLLER = "02"


@dataclass(frozen=True, slots=True)
class _Offer:
    """What the provider of one address offers."""

    totals: Counter[str]
    traits: frozenset[str]
    numa_node: int | None


def pci_providers(
    node: Provider, devices: Sequence[PciDevice], patterns: Sequence[PciPattern], numa_nodes: Mapping[int, str]
) -> list[Provider]:
    """The providers of the selected devices, below the given NUMA nodes (UUIDs) or, where that is unknown, the node."""
    return [
        Provider(
            uuid=nested_uuid(node.uuid, address),
            # As Nova names them.
            name=f"{node.name}_{address.upper()}",
            parent_uuid=node.uuid if offer.numa_node is None else numa_nodes.get(offer.numa_node, node.uuid),
            inventories={name: Inventory(total, max_unit=total) for name, total in sorted(offer.totals.items())},
            traits=offer.traits,
        )
        for address, offer in sorted(_offers(devices, patterns).items())
    ]


def _offers(devices: Sequence[PciDevice], patterns: Sequence[PciPattern]) -> dict[str, _Offer]:
    """By address. Virtual functions go before the physical one: whoever got that would take them along."""
    by_address = {device.address: device for device in devices}
    offers: dict[str, _Offer] = {}
    for device in sorted(devices, key=lambda device: device.physical_function is None):
        resource_class = offered_as(device, patterns)
        if resource_class is None:
            continue
        if device.physical_function is None:
            offers.setdefault(device.address, _Offer(Counter([resource_class]), frozenset(), device.numa_node))
            continue
        owner = by_address.get(device.physical_function, device)
        offer = offers.setdefault(
            device.physical_function, _Offer(Counter(), _traits_of_functions(device), owner.numa_node)
        )
        offer.totals[resource_class] += 1
    return offers


def _traits_of_functions(device: PciDevice) -> frozenset[str]:
    is_network = device.class_code.startswith(_NETWORK_CONTROLLER)
    return frozenset({os_traits.HW_NIC_SRIOV}) if is_network else frozenset()

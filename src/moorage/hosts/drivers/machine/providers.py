"""The providers that a machine comes to: the node, its NUMA nodes if they are wanted, and the selected devices."""

from __future__ import annotations

from dataclasses import replace

import os_traits

from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.drivers.identity import nested_uuid
from moorage.hosts.drivers.machine.facts import Machine
from moorage.hosts.drivers.machine.inventories import check, of_disk, of_machine, of_numa_nodes
from moorage.hosts.drivers.machine.numa_memory import disagreement, within
from moorage.hosts.drivers.machine.pci_providers import pci_providers
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.provider_tree import Provider, ProviderTree


def native_providers(machine: Machine, policy: Policy, uuid: str, name: str) -> NativeProviders:
    """A machine as the one node of this UUID and name; DriverError if the policy does not fit the machine."""
    remark = disagreement(machine.numa_nodes, machine.memory_mb) if policy.numa else None
    machine = replace(machine, numa_nodes=within(machine.numa_nodes, machine.memory_mb))
    check(machine, policy)
    # Where processors and memory are divided, the node keeps the processors' traits, for those who ask for the host.
    own = {} if policy.numa else of_machine(machine, policy)
    node = Provider(
        uuid,
        name,
        inventories=own | of_disk(machine, policy),
        traits=machine.processor_traits | {os_traits.COMPUTE_NODE},
    )
    numa = _numa_providers(node, machine, policy) if policy.numa else {}
    places = {number: provider.uuid for number, provider in numa.items()}
    devices = pci_providers(node, machine.pci_devices, policy.pci_patterns, places)
    tree = ProviderTree([node, *numa.values(), *devices])
    return NativeProviders(tree, frozenset({uuid}), (remark,) if remark else ())


def _numa_providers(node: Provider, machine: Machine, policy: Policy) -> dict[int, Provider]:
    """By number. A NUMA node with neither processors nor memory is none: some machines keep spare ones for devices."""
    nodes = [numa_node for numa_node in machine.numa_nodes if numa_node.cpus or numa_node.memory_mb]
    return {
        numa_node.number: Provider(
            uuid=nested_uuid(node.uuid, f"numa{numa_node.number}"),
            name=f"{node.name}_numa{numa_node.number}",
            parent_uuid=node.uuid,
            inventories=inventories,
            # Also here, for those who ask for processors with a trait from one provider.
            traits=(machine.processor_traits if numa_node.cpus else frozenset()) | {os_traits.HW_NUMA_ROOT},
        )
        for numa_node, inventories in zip(nodes, of_numa_nodes(nodes, policy), strict=True)
    }

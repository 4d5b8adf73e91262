"""Which resources the service declares, made from the cloud's flavors and the settings.

A split flavor that the settings exclude is not declared, since nothing would be reported for it, and one whose name
cannot be part of a resource's name is not either, since then nobody would accept anything from the service.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from moorage.capacity.model.configuration import Category, Configuration
from moorage.capacity.model.demand import CORES, INSTANCES, POOLED_RESOURCES, RAM
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.protocol.info import MEBIBYTE, PIECE, CategoryInfo, ResourceInfo, ServiceInfo, Topology
from moorage.capacity.protocol.validation import is_resource_name
from moorage.capacity.selection.flavors import counts_alone

SERVER_GROUPS = "server_groups"
SERVER_GROUP_MEMBERS = "server_group_members"

_HARDWARE = re.compile(r"(hw_version_(.+))_(cores|instances|ram)")
# What is written in capitals in the name of a category.
_CAPITALS = frozenset({"hdd", "iscsi", "nfs", "vmdk", "kvm", "ssd"})


class Declaration(Struct, frozen=True):
    """What the service says about itself, and which flavors have no part in it."""

    info: ServiceInfo
    # Their servers are machines of bare metal, which are counted nowhere.
    ironic_flavors: frozenset[str] = frozenset()
    # What split flavors count as for which there is no resource.
    undeclared_flavors: frozenset[str] = frozenset()

    def with_version(self, version: int) -> Declaration:
        """The same under a version."""
        info = ServiceInfo(version, self.info.display_name, self.info.categories, self.info.resources)
        return Declaration(info, self.ironic_flavors, self.undeclared_flavors)


def hardware_resource(version: str, base: str) -> str:
    """The resource for servers whose flavors name a version of hardware."""
    return f"hw_version_{version}_{base}"


def declare(
    flavors: Iterable[Flavor], configuration: Configuration, default_quotas: Mapping[str, object] | None = None
) -> Declaration:
    """The declaration, still without a version. The default quotas tell which versions of hardware there are."""
    known = list(flavors)
    selection = configuration.flavor_selection
    resources = dict(_standard_resources())
    categories: dict[str, CategoryInfo] = {}
    for flavor in known:
        if counts_alone(selection, flavor):
            category = category_of(flavor.resource_name, configuration)
            resources[flavor.resource_name] = _counted(f"{flavor.name} Instances", category.name if category else None)
            if category:
                categories[category.name] = CategoryInfo(category.display_name)
    if configuration.with_hw_version_resources:
        for name, match in _hardware(default_quotas or {}):
            resources[name] = _hardware_resource(match[1], match[3])
            categories[match[1]] = CategoryInfo(_label(match[1]))
    return Declaration(
        ServiceInfo(0, "Compute", categories, dict(sorted(resources.items()))),
        frozenset(flavor.name for flavor in known if flavor.is_ironic),
        frozenset(flavor.counted_as for flavor in known if flavor.is_split)
        - {flavor.name for flavor in known if counts_alone(selection, flavor)},
    )


def category_of(resource: str, configuration: Configuration) -> Category | None:
    """The category of a split flavor's resource: that of the first rule that matches from end to end."""
    rules = configuration.category_for_split_flavor
    return next((rule.value for rule in rules if re.fullmatch(rule.key, resource)), None)


def _standard_resources() -> Iterator[tuple[str, ResourceInfo]]:
    yield CORES, _counted("Cores")
    yield INSTANCES, _counted("Instances")
    yield RAM, _counted("RAM", unit=MEBIBYTE)
    yield SERVER_GROUPS, _flat("Server Groups")
    yield SERVER_GROUP_MEMBERS, _flat("Server Group Members")


def _counted(display_name: str, category: str | None = None, unit: str = PIECE) -> ResourceInfo:
    """What hypervisors have a capacity for."""
    return ResourceInfo(
        display_name=display_name,
        category_name=category,
        unit=unit,
        topology=Topology.AZ_AWARE,
        has_capacity=True,
        needs_resource_demand=True,
        has_quota=True,
    )


def _flat(display_name: str) -> ResourceInfo:
    return ResourceInfo(
        display_name=display_name,
        unit=PIECE,
        topology=Topology.FLAT,
        has_capacity=False,
        needs_resource_demand=False,
        has_quota=True,
    )


def _hardware(default_quotas: Mapping[str, object]) -> Iterator[tuple[str, re.Match[str]]]:
    for name in sorted(default_quotas):
        if (match := _HARDWARE.fullmatch(name)) and is_resource_name(name):
            yield name, match


def _hardware_resource(category: str, base: str) -> ResourceInfo:
    titles = dict(zip(POOLED_RESOURCES, ("Cores", "Instances", "RAM"), strict=True))
    return ResourceInfo(
        display_name=f"{_label(category)} {titles[base]}",
        category_name=category,
        unit=MEBIBYTE if base == RAM else PIECE,
        topology=Topology.AZ_AWARE,
        has_capacity=False,
        needs_resource_demand=False,
        has_quota=False,
    )


def _label(name: str) -> str:
    """hw_version_kvm_2101 as people read it: Hw Version KVM 2101"""
    return " ".join(
        word.upper() if word.lower() in _CAPITALS else word[:1].upper() + word[1:] for word in name.split("_") if word
    )

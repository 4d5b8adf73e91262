"""How much a server takes, by group: what the extra specs of its flavor say, and else what the flavor's sizes say."""

from __future__ import annotations

from collections.abc import Mapping

from moorage.compute.model.flavor import Flavor
from moorage.compute.placing.extra_specs import UNNUMBERED, ExtraSpecs

Amounts = Mapping[str, int]
"""Amounts by resource class."""


def resources_by_group(flavor: Flavor, specs: ExtraSpecs) -> Mapping[str, Amounts]:
    """What to ask for in each group that asks for anything.

    A class that any group names, if only to ask for 0 of it, is no longer taken from the sizes; whoever names PCPU
    wants dedicated processors instead of shared ones.
    """
    named = {name for group in specs.groups.values() for name in group.resources}
    sizes = {"VCPU": flavor.vcpus, "MEMORY_MB": flavor.ram_mb, "DISK_GB": flavor.total_disk_gb}
    if "PCPU" in named:
        del sizes["VCPU"]
    from_sizes = {name: amount for name, amount in sizes.items() if name not in named}
    groups = {UNNUMBERED: from_sizes} | {suffix: dict(group.resources) for suffix, group in specs.groups.items()}
    groups[UNNUMBERED] = from_sizes | groups[UNNUMBERED]
    wanted = {
        suffix: {name: amount for name, amount in sorted(group.items()) if amount} for suffix, group in groups.items()
    }
    return {suffix: amounts for suffix, amounts in wanted.items() if amounts}

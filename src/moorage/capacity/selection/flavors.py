"""Which flavors count, which of them are split, and what the pooled ones have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from moorage.capacity.errors import NoPooledFlavors, PooledTraitsDisagree
from moorage.capacity.model.configuration import Configuration, FlavorSelection
from moorage.capacity.model.flavor import TRAIT_PREFIX, Flavor
from moorage.capacity.protocol.validation import is_resource_name


@dataclass(frozen=True, slots=True)
class SelectedFlavors:
    """The split flavors, big ones first, and what all public pooled flavors together ask of a hypervisor."""

    split: tuple[Flavor, ...]
    pooled_traits: Mapping[str, str]
    max_root_disk_gib: int


def is_selected(selection: FlavorSelection, flavor: Flavor) -> bool:
    """Whether a flavor counts; an extra spec that it lacks compares as the empty string."""
    specs = flavor.extra_specs
    return all(specs.get(key, "") == value for key, value in selection.required_extra_specs.items()) and not any(
        specs.get(key, "") == value for key, value in selection.excluded_extra_specs.items()
    )


def counts_alone(selection: FlavorSelection, flavor: Flavor) -> bool:
    """Whether there is a resource for the instances of a flavor alone: for split ones that count and can name it."""
    return (
        flavor.is_split
        and flavor.counted_as == flavor.name
        and is_selected(selection, flavor)
        and is_resource_name(flavor.resource_name)
    )


def split_flavor_of(selection: FlavorSelection, flavors: Iterable[Flavor]) -> dict[str, Flavor]:
    """By the id of each flavor whose instances are counted alone, the flavor that they count as: mostly it itself."""
    known = tuple(flavors)
    alone = {flavor.name: flavor for flavor in known if counts_alone(selection, flavor)}
    return {flavor.id: alone[flavor.counted_as] for flavor in known if flavor.is_split and flavor.counted_as in alone}


def select_flavors(configuration: Configuration, flavors: Iterable[Flavor]) -> SelectedFlavors:
    """Sort the flavors of a cloud; refuses if the pooled ones disagree, or if there are none."""
    selection = configuration.flavor_selection
    all_flavors = tuple(flavors)
    # Private pooled flavors are left out: some clouds keep old ones with absurd disks.
    pooled = [
        flavor
        for flavor in all_flavors
        if flavor.is_public and not flavor.is_split and not flavor.is_ironic and is_selected(selection, flavor)
    ]
    max_root_disk = max((flavor.disk_gib for flavor in pooled), default=0)
    traits = _common_traits(pooled, frozenset(configuration.ignored_traits))
    if max_root_disk <= 0:
        raise NoPooledFlavors
    # Large blocks are placed first, because they find fewer places; among equals the cloud's order stays.
    split = [flavor for flavor in all_flavors if counts_alone(selection, flavor)]
    split.sort(key=lambda each: (-each.vcpus, -each.ram_mib, -each.disk_gib))
    return SelectedFlavors(tuple(split), traits, max_root_disk)


def trait_specs(flavor: Flavor) -> dict[str, str]:
    """What a flavor says of traits: `required`, `forbidden`, or something that means nothing."""
    return {
        key.removeprefix(TRAIT_PREFIX): value
        for key, value in flavor.extra_specs.items()
        if key.startswith(TRAIT_PREFIX)
    }


def traits_match(specs: Mapping[str, str], traits: frozenset[str]) -> bool:
    """Whether a hypervisor with these traits has what is required and lacks what is forbidden."""
    return all(
        (trait in traits) if verb == "required" else (trait not in traits)
        for trait, verb in specs.items()
        if verb in ("required", "forbidden")
    )


def _common_traits(pooled: Iterable[Flavor], ignored: frozenset[str]) -> dict[str, str]:
    """What all pooled flavors ask for together; one that does not speak of a trait contradicts nobody."""
    found: dict[str, tuple[str, str]] = {}
    for flavor in pooled:
        for trait, value in trait_specs(flavor).items():
            if trait in ignored:
                continue
            known, first = found.setdefault(trait, (value, flavor.name))
            if known != value:
                raise PooledTraitsDisagree(trait, (known, value), (first, flavor.name))
    return {trait: value for trait, (value, _) in found.items()}

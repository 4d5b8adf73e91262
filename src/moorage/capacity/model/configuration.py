"""The settings of the room under the names that the document gives them; a JSON object of this shape is the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Strategy(StrEnum):
    """How split instances are packed."""

    # As the existing service does it, choice for choice.
    COMPATIBLE = "compatible"
    # The same, then repaired: what did not fit is tried again by moving earlier choices.
    OPTIMIZED = "optimized"


@dataclass(frozen=True, slots=True, kw_only=True)
class BinpackBehavior:
    """How nodes are ranked when an instance of a split flavor is placed, and how hard it is tried."""

    score_ignores_cores: bool = False
    score_ignores_disk: bool = False
    score_ignores_ram: bool = False
    strategy: Strategy = Strategy.COMPATIBLE


@dataclass(frozen=True, slots=True, kw_only=True)
class FlavorSelection:
    """Which flavors count. A missing extra spec compares as the empty string."""

    excluded_extra_specs: Mapping[str, str] = field(default_factory=dict)
    required_extra_specs: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HypervisorSelection:
    """Which hypervisors count. Patterns are searched for, empty ones match everything; `!TRAIT` means without it."""

    aggregate_name_pattern: str = ""
    hypervisor_type_pattern: str = ""
    required_traits: tuple[str, ...] = ()
    shadowing_traits: tuple[str, ...] = ()
    # Leave out hypervisors that cannot be understood, and count them, instead of refusing the whole report.
    skip_failing: bool = False


@dataclass(frozen=True, slots=True)
class Category:
    """A category of resources."""

    name: str
    display_name: str


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """The category of the split flavors whose resource name the pattern in `key` matches from end to end."""

    key: str
    value: Category


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """All of them. `delegation_endpoint` is not here: nothing is delegated."""

    binpack_behavior: BinpackBehavior = BinpackBehavior()
    flavor_selection: FlavorSelection = FlavorSelection()
    hypervisor_selection: HypervisorSelection = HypervisorSelection()
    ignored_traits: tuple[str, ...] = ()
    with_subcapacities: bool = False
    with_subresources: bool = False
    with_hw_version_resources: bool = False
    category_for_split_flavor: tuple[CategoryRule, ...] = ()

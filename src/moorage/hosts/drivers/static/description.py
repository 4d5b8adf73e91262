"""What a file of the driver static says, as values: each description stands for one provider, or for many alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.hosts.provider_config.nodes import Place
from moorage.placement.model.inventory import Inventory


@dataclass(frozen=True, slots=True)
class Description:
    """Providers that differ in nothing but their names, and what each of them has below it."""

    name: str
    # None: made from the name.
    uuid: str | None
    # The numbers that take the place of {} in the name; a single 0 where the name has none.
    numbers: range
    inventories: Mapping[str, Inventory]
    traits: frozenset[str]
    aggregates: frozenset[str]
    children: tuple[Description, ...]
    # Where it stands in the file, for complaints.
    place: Place
    path: str

    @property
    def size(self) -> int:
        """How many providers it stands for, with all below them."""
        return len(self.numbers) * (1 + sum(child.size for child in self.children))


@dataclass(frozen=True, slots=True)
class File:
    """All of a file: descriptions of compute nodes, and of other providers beside them."""

    nodes: tuple[Description, ...]
    providers: tuple[Description, ...]

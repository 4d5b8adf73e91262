"""What the index knows of each provider: all that the API shows of it, allocations aside.

A record never changes; a changed provider gets a new one, and so does the root of its tree. Renderings of a provider
can therefore be kept with its record, and those of a whole tree with its root's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from moorage.placement.model.inventory import Stock
from moorage.placement.model.provider import Provider


@dataclass(frozen=True, slots=True)
class Record:
    """A provider with everything it has."""

    provider: Provider
    # Moves on every change of the provider; what the index is compared with the database by.
    revision: int
    parent_id: int | None
    root_id: int
    # By resource class, in the classes' order.
    stocks: Mapping[str, Stock]
    # In the order the traits were made.
    traits: tuple[str, ...]
    aggregates: tuple[str, ...]
    # Pieces of answers, by whatever they depend on besides the record: of candidates, and of lists.
    fragments: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)
    listings: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)

    def renewed(self) -> Record:
        """The same, for another version of the tree below it."""
        return replace(self, fragments={})

"""What a search finds: ways to place a request, and the providers they involve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Placed(NamedTuple):
    """An amount of one class on one provider."""

    provider_id: int
    resource_class: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to place the whole request."""

    # The root of the tree that it is about; sharing providers may belong to other trees.
    anchor_id: int
    amounts: dict[Placed, int]
    # Which providers serve the group of each suffix.
    mappings: dict[str, frozenset[int]]

    @property
    def provider_ids(self) -> set[int]:
        """The providers that resources are taken from."""
        return {placed.provider_id for placed in self.amounts}

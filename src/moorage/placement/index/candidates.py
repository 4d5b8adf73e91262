"""What a search finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from moorage.placement.index.matching import Part

# A way to place the whole request: for each part the slot of the provider that serves it.
Choice = tuple[int, ...]


_FIRST = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Ways to place a request."""

    parts: Sequence[Part]
    choices: Sequence[Choice]
    # Whether each choice is one provider, no two the same, that serves everything and has no tree.
    alone: bool = False

    def first_slots(self) -> list[int]:
        """The provider that serves the first part, of each choice."""
        return list(map(_FIRST, self.choices))

    def used_slots(self) -> set[int]:
        """The providers that resources are taken from."""
        columns = zip(*self.choices, strict=True)
        return {
            slot
            for part, column in zip(self.parts, columns, strict=False)  # no columns where there are no choices
            if part.resources
            for slot in column
        }

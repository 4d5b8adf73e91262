"""What a provider configuration file says, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.placement.model.inventory import Inventory

COMPUTE_NODE = "$COMPUTE_NODE"
"""In place of a UUID: every node that the host manages and that no other record names."""


@dataclass(frozen=True, slots=True)
class Record:
    """One provider of a file: which one is meant, and what it shall have on top of what it natively has.

    Exactly one of `uuid` (lower case, or COMPUTE_NODE) and `name` is there.
    """

    uuid: str | None
    name: str | None
    inventories: Mapping[str, Inventory]
    traits: frozenset[str]
    # The file's name without its directory, and the line where the record begins.
    file: str
    line: int

    @property
    def identification(self) -> str:
        """The provider as the file calls it."""
        return self.uuid or self.name or ""

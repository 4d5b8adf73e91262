"""What a request about many providers wants, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from moorage.placement.store.providers import Parent


class Keep(Enum):
    """What becomes of an origin that the request does not mention; None takes it away."""

    ORIGIN = "as it is"


class Absent(Enum):
    """What the client may believe of a provider instead of a generation."""

    PROVIDER = "is not there"


@dataclass(frozen=True, slots=True)
class WholeProvider:
    """A provider with all it shall have; None leaves the inventories, traits or aggregates of a known provider."""

    uuid: str
    name: str
    # None for a root.
    parent_uuid: str | Parent | None
    # What the client believes the provider's generation to be; None if it does not care, nor whether it is there.
    generation: int | Absent | None
    inventories: Mapping[str, Inventory] | None
    traits: frozenset[str] | None
    aggregates: frozenset[str] | None
    origin: Origin | Keep | None

    @property
    def first_parent(self) -> str | None:
        """The parent of a new provider, which is a root unless the request says otherwise."""
        return None if self.parent_uuid is Parent.UNCHANGED else self.parent_uuid


@dataclass(frozen=True, slots=True)
class Removal:
    """A provider that shall be gone."""

    uuid: str
    # What the client believes its generation to be; None if it does not care.
    generation: int | None


@dataclass(frozen=True, slots=True)
class BulkWrite:
    """A whole request: nobody is in it twice, and no name either."""

    providers: tuple[WholeProvider, ...]
    removals: tuple[Removal, ...] = ()
    # Whether custom resource classes and traits that do not exist are made.
    create_names: bool = False

    @property
    def subjects(self) -> tuple[WholeProvider | Removal, ...]:
        """Everybody who is written or removed."""
        return (*self.providers, *self.removals)


@dataclass(frozen=True, slots=True)
class Written:
    """What a request came to: generations of the providers written, and those removed that were there, by UUID."""

    generations: Mapping[str, int]
    removed: tuple[str, ...]

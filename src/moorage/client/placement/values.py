"""What Placement knows, as values. Their names in JSON are the API's, so that they are read and written as they are."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType, field

from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin

Amounts = Mapping[str, int]
"""Amounts by resource class."""


class ProviderSummary(Struct, frozen=True):
    """Who a provider is and where it stands in its tree."""

    uuid: str
    name: str
    generation: int
    root_uuid: str = field(name="root_provider_uuid")
    parent_uuid: str | None = field(name="parent_provider_uuid", default=None)


class ProviderInventories(Struct, frozen=True):
    """All that a provider offers, by resource class, as of a generation of the provider."""

    generation: int = field(name="resource_provider_generation")
    inventories: Mapping[str, Inventory]


class ProviderTraits(Struct, frozen=True):
    """The traits of a provider, as of a generation of it."""

    generation: int = field(name="resource_provider_generation")
    traits: frozenset[str]


class ProviderAggregates(Struct, frozen=True):
    """The aggregates that a provider is in, as of a generation of it."""

    generation: int = field(name="resource_provider_generation")
    aggregates: frozenset[str]


class ProviderFilter(Struct, frozen=True):
    """Which providers to list: those that meet all conditions.

    `member_of` and `required` are in the API's notation, one item for each parameter: "in:A,B", "!C", "A,B".
    """

    name: str | None = None
    uuid: str | None = None
    in_tree: str | None = None
    member_of: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    resources: Amounts = {}

    def pairs(self) -> list[tuple[str, str]]:
        """The conditions as a query."""
        single = (("name", self.name), ("uuid", self.uuid), ("in_tree", self.in_tree))
        pairs = [(name, value) for name, value in single if value is not None]
        pairs += [("member_of", value) for value in self.member_of]
        pairs += [("required", value) for value in self.required]
        if self.resources:
            pairs.append(("resources", ",".join(f"{name}:{amount}" for name, amount in self.resources.items())))
        return pairs


EVERYTHING = ProviderFilter()


class ConsumerAllocations(Struct, frozen=True):
    """All that a consumer holds: amounts by provider."""

    allocations: Mapping[str, Amounts]
    project_id: str
    user_id: str
    consumer_type: str
    # None for a consumer that is not there yet.
    generation: int | None = None


# --- Moorage's own


class ProviderDetails(Struct, frozen=True):
    """A provider with as much of what it has as was asked for; what was not is None."""

    uuid: str
    name: str
    generation: int
    root_uuid: str = field(name="root_provider_uuid")
    parent_uuid: str | None = field(name="parent_provider_uuid", default=None)
    inventories: Mapping[str, Inventory] | None = None
    usages: Amounts | None = None
    traits: frozenset[str] | None = None
    aggregates: frozenset[str] | None = None
    # Who added what; None also where nobody has said so.
    origin: Origin | None = None


class ProviderWrite(Struct, frozen=True):
    """A provider to create or change. What is left unset stays as it is, or is empty for a new provider."""

    uuid: str
    name: str
    # None makes the provider a root.
    parent_uuid: str | UnsetType | None = field(name="parent_provider_uuid", default=UNSET)
    # Where it is set, the write is refused (placement.concurrent_update) if the provider has another one by then; None
    # means that the provider is not there.
    generation: int | UnsetType | None = UNSET
    inventories: Mapping[str, Inventory] | UnsetType = UNSET
    traits: frozenset[str] | UnsetType = UNSET
    aggregates: frozenset[str] | UnsetType = UNSET
    # None takes the origin away.
    origin: Origin | UnsetType | None = UNSET


class Claimed(Struct, frozen=True):
    """A place that was found and taken: amounts by provider, and which providers serve which group of the query."""

    consumer_uuid: str
    allocations: Mapping[str, Amounts]
    mappings: Mapping[str, tuple[str, ...]]
    # The roots of the trees that it takes from: their names by UUID.
    roots: Mapping[str, str]


class AgentDetails(Struct, frozen=True):
    """An agent as it last told, and how it is by the clock of the service."""

    name: str
    state: str
    version: str
    # How often it looks, in seconds; None if it does not look again by itself.
    interval: float | None
    outcome: str
    reason: str | None
    providers: int | None
    seen_at: str
    age_seconds: int


class AgentsOverview(Struct, frozen=True):
    """How many agents there are in each state, and some of them, the most urgent first."""

    counts: Mapping[str, int]
    kept_providers: int
    hosts_without_agent: int
    agents: tuple[AgentDetails, ...]

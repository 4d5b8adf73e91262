"""The rules of the ledger, written to be read: what every write must answer, and what is true afterwards.

Each method is a request. It returns the status that the API must answer, and changes the model if that is a success.
Providers, consumers and everything else are known by short names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor

MOVES_FREELY = "1.37"

# Amounts by provider and resource class.
Holdings = Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class Inventory:
    total: int
    reserved: int = 0
    min_unit: int = 1
    max_unit: int = 12
    step_size: int = 1
    allocation_ratio: float = 1.0

    @property
    def capacity(self) -> int:
        return floor((self.total - self.reserved) * self.allocation_ratio)

    def allows(self, amount: int) -> bool:
        return self.min_unit <= amount <= self.max_unit and amount % self.step_size == 0


@dataclass
class Provider:
    parent: str | None = None
    generation: int = 0
    inventories: dict[str, Inventory] = field(default_factory=dict)
    traits: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()


@dataclass
class Consumer:
    generation: int
    consumer_type: str | None
    held: Holdings


@dataclass(frozen=True)
class Claim:
    """What a consumer shall hold from now on."""

    wanted: Holdings
    # None before versions asked for it.
    consumer_type: str | None
    # Whether the client says which generation it knows, and what it says (None: that there is no such consumer).
    has_generation: bool
    generation: int | None


@dataclass(frozen=True)
class Reshaping:
    """What a provider shall have from now on."""

    generation: int
    inventories: Mapping[str, Inventory]


class Ledger:
    def __init__(self, known_classes: frozenset[str], known_traits: frozenset[str]) -> None:
        self.known_classes = known_classes
        self.known_traits = known_traits
        self.providers: dict[str, Provider] = {}
        self.consumers: dict[str, Consumer] = {}
        # Inventories that were made smaller than what is used of them, and still are: all that may be over-full.
        self.shrunk: set[tuple[str, str]] = set()

    # --- what is true

    def usage(self, without: frozenset[str] = frozenset()) -> Counter[tuple[str, str]]:
        """How much of each inventory is held, leaving some consumers out."""
        usage: Counter[tuple[str, str]] = Counter()
        for name, consumer in self.consumers.items():
            if name not in without:
                usage.update(consumer.held)
        return usage

    def is_used(self, provider: str, resource_class: str) -> bool:
        return self.usage()[provider, resource_class] > 0

    def root_of(self, name: str) -> str:
        parent = self.providers[name].parent
        return name if parent is None else self.root_of(parent)

    def is_below(self, name: str | None, top: str) -> bool:
        """Whether a provider is another one or somewhere under it."""
        return name is not None and (name == top or self.is_below(self.providers[name].parent, top))

    # --- providers

    def create_provider(self, name: str, parent: str | None) -> int:
        if parent is not None and parent not in self.providers:
            return 400
        if name in self.providers:
            return 409
        self.providers[name] = Provider(parent)
        return 200

    def move_provider(self, name: str, parent: str | None, version: str) -> int:
        """Being moved, or having others move below it, is no change of a provider that its generation counts."""
        if name not in self.providers:
            return 404
        provider = self.providers[name]
        if parent != provider.parent:
            if parent is not None and parent not in self.providers:
                return 400
            if provider.parent is not None and version < MOVES_FREELY:
                return 400
            if self.is_below(parent, name):
                return 400
        provider.parent = parent
        return 200

    def delete_provider(self, name: str) -> int:
        if name not in self.providers:
            return 404
        if any(other.parent == name for other in self.providers.values()):
            return 409
        if any(provider == name for provider, _ in self.usage()):
            return 409
        del self.providers[name]
        return 204

    # --- what providers have

    def put_inventories(self, name: str, generation: int, wanted: Mapping[str, Inventory]) -> int:
        if name not in self.providers:
            return 404
        provider = self.providers[name]
        if generation != provider.generation:
            return 409
        if not self.known_classes.issuperset(wanted):
            return 400
        if any(self.is_used(name, removed) for removed in provider.inventories.keys() - wanted.keys()):
            return 409
        provider.inventories = dict(wanted)
        provider.generation += 1
        self._note_shrunk()
        return 200

    def post_inventory(self, name: str, resource_class: str, inventory: Inventory) -> int:
        if name not in self.providers:
            return 404
        provider = self.providers[name]
        if resource_class not in self.known_classes:
            return 400
        if resource_class in provider.inventories:
            return 409
        provider.inventories[resource_class] = inventory
        provider.generation += 1
        return 201

    def put_inventory(self, name: str, generation: int, resource_class: str, inventory: Inventory) -> int:
        if name not in self.providers:
            return 404
        provider = self.providers[name]
        if generation != provider.generation:
            return 409
        if resource_class not in self.known_classes:
            return 404
        if resource_class not in provider.inventories:
            return 400
        provider.inventories[resource_class] = inventory
        provider.generation += 1
        self._note_shrunk()
        return 200

    def delete_inventory(self, name: str, resource_class: str) -> int:
        if name not in self.providers or resource_class not in self.providers[name].inventories:
            return 404
        if self.is_used(name, resource_class):
            return 409
        del self.providers[name].inventories[resource_class]
        self.providers[name].generation += 1
        return 204

    def put_traits(self, name: str, generation: int, traits: frozenset[str]) -> int:
        """The generation moves only if the traits change."""
        if name not in self.providers:
            return 404
        provider = self.providers[name]
        if generation != provider.generation:
            return 409
        if not self.known_traits >= traits:
            return 400
        provider.generation += traits != provider.traits
        provider.traits = traits
        return 200

    def put_aggregates(self, name: str, generation: int | None, aggregates: frozenset[str]) -> int:
        """Until 1.18 a client gives no generation, and none moves."""
        if name not in self.providers:
            return 404
        provider = self.providers[name]
        if generation is not None:
            if generation != provider.generation:
                return 409
            provider.generation += 1
        provider.aggregates = aggregates
        return 200

    # --- who holds what

    def claim(self, claims: Mapping[str, Claim]) -> int:
        refusal = self._refuse_consumers(claims) or self._refuse_amounts(claims)
        if refusal:
            return refusal
        for name in self._named(claims):
            self.providers[name].generation += 1
        self._hold(claims)
        return 204

    def release(self, consumer: str) -> int:
        """The providers' generations do not move."""
        if consumer not in self.consumers:
            return 404
        del self.consumers[consumer]
        self._note_grown()
        return 204

    def reshape(self, reshapings: Mapping[str, Reshaping], claims: Mapping[str, Claim]) -> int:
        """Inventories are added and changed first, then allocations replaced, then the other inventories removed."""
        refusal = (
            self._refuse_knowledge(reshapings) or self._refuse_consumers(claims) or self._refuse_classes(reshapings)
        )
        if refusal:
            return refusal
        before = {name: self.providers[name].inventories for name in reshapings}
        for name, new in reshapings.items():
            self.providers[name].inventories = {**before[name], **new.inventories}
        refusal = self._refuse_amounts(claims)
        still_used = self.usage(without=frozenset(claims)) + sum(
            (Counter(dict(claim.wanted)) for claim in claims.values()), Counter()
        )
        removed = {
            (name, gone) for name, new in reshapings.items() for gone in before[name].keys() - new.inventories.keys()
        }
        if refusal or removed & still_used.keys():
            for name, inventories in before.items():
                self.providers[name].inventories = inventories
            return refusal or 409
        for name in self._named(claims):
            self.providers[name].generation += 1
        for name, new in reshapings.items():
            self.providers[name].inventories = dict(new.inventories)
            self.providers[name].generation += 2 if new.inventories else 1
        self._hold(claims)
        self._note_shrunk()
        return 204

    def _refuse_consumers(self, claims: Mapping[str, Claim]) -> int | None:
        for name, claim in claims.items():
            actual = self.consumers[name].generation if name in self.consumers else None
            if claim.has_generation and claim.generation != actual:
                return 409
        if any(provider not in self.providers for claim in claims.values() for provider, _ in claim.wanted):
            return 400
        return None

    def _refuse_knowledge(self, reshapings: Mapping[str, Reshaping]) -> int | None:
        for name, new in reshapings.items():
            if name not in self.providers:
                return 400
            if new.generation != self.providers[name].generation:
                return 409
        return None

    def _refuse_classes(self, reshapings: Mapping[str, Reshaping]) -> int | None:
        if any(not self.known_classes.issuperset(new.inventories) for new in reshapings.values()):
            return 400
        return None

    def _refuse_amounts(self, claims: Mapping[str, Claim]) -> int | None:
        """Units bind every amount, capacity binds the sum. What does not make an over-full provider worse is fine."""
        if any(name not in self.known_classes for claim in claims.values() for _, name in claim.wanted):
            return 400
        before, after = self.usage(), self.usage(without=frozenset(claims))
        for claim in claims.values():
            after.update(claim.wanted)
        for claim in claims.values():
            for (provider, resource_class), amount in claim.wanted.items():
                inventory = self.providers[provider].inventories.get(resource_class)
                if inventory is None or not inventory.allows(amount):
                    return 409
                slot = (provider, resource_class)
                if after[slot] > inventory.capacity and after[slot] > before[slot]:
                    return 409
        return None

    def _named(self, claims: Mapping[str, Claim]) -> set[str]:
        """The providers whose generations move: those a claim names or, if it gives everything back, those it held."""
        named: set[str] = set()
        for name, claim in claims.items():
            held = self.consumers[name].held if name in self.consumers else {}
            named.update(provider for provider, _ in claim.wanted or held)
        return named

    def _hold(self, claims: Mapping[str, Claim]) -> None:
        for name, claim in claims.items():
            before = self.consumers.pop(name, None)
            if claim.wanted:
                generation = before.generation if before else 0
                consumer_type = claim.consumer_type or (before.consumer_type if before else None)
                self.consumers[name] = Consumer(generation + 1, consumer_type, dict(claim.wanted))
        self._note_grown()

    # --- over-full inventories

    def _overfull(self) -> set[tuple[str, str]]:
        return {
            (provider, resource_class)
            for (provider, resource_class), used in self.usage().items()
            if used > self.providers[provider].inventories[resource_class].capacity
        }

    def _note_shrunk(self) -> None:
        self.shrunk = self._overfull()

    def _note_grown(self) -> None:
        """Claims can end that an inventory is over-full, and never begin it."""
        self.shrunk &= self._overfull()

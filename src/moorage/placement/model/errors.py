"""Everything the ledger can refuse, each with the sentence a client reads.

Clients and their tests match parts of these sentences, so they are part of the API's contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class LedgerError(Exception):
    """The ledger refuses; the text says why."""


class NotFound(LedgerError):
    """Something that was named does not exist."""


class ProviderNotFound(NotFound):
    """No resource provider has this UUID."""

    def __init__(self, uuid: str) -> None:
        super().__init__(f"No resource provider with uuid {uuid} found")
        self.uuid = uuid


class ResourceClassNotFound(NotFound):
    """No resource class has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"No such resource class {name}.")
        self.name = name


class TraitNotFound(NotFound):
    """None of the traits of these names exist."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = sorted(names)
        super().__init__(f"No such trait(s): {', '.join(self.names)}.")


class OriginNotFound(NotFound):
    """No agent has left a note with the provider."""

    def __init__(self, provider_uuid: str) -> None:
        super().__init__(f"Resource provider {provider_uuid} has no origin.")


class AgentNotFound(NotFound):
    """No agent of this name has left a sign of life."""

    def __init__(self, name: str) -> None:
        super().__init__(f"No agent {name} has left a sign of life.")


class InventoryNotFound(NotFound):
    """The provider has no inventory of this class."""

    def __init__(self, resource_class: str) -> None:
        super().__init__(f"No inventory of class {resource_class} found.")


class AllocationsNotFound(NotFound):
    """The consumer holds nothing."""

    def __init__(self, consumer_uuid: str) -> None:
        super().__init__(f"No allocations for consumer '{consumer_uuid}'")


class UnknownAllocationProvider(LedgerError):
    """An allocation names a provider that does not exist."""

    def __init__(self, provider_uuid: str) -> None:
        super().__init__(f"Allocation for resource provider '{provider_uuid}' that does not exist.")


class GenerationConflict(LedgerError):
    """Somebody else changed the provider since the client read it."""

    def __init__(self, provider_uuid: str, actual: int | None, given: int | None) -> None:
        # A provider that is not there has the generation null.
        known, believed = ("null" if number is None else number for number in (actual, given))
        super().__init__(
            f"resource provider generation conflict for provider {provider_uuid}: actual: {known}, given: {believed}"
        )


class ConsumerGenerationConflict(LedgerError):
    """Somebody else changed the consumer's allocations since the client read them."""

    def __init__(self, actual: int | None, given: int | None) -> None:
        expected = "null" if actual is None else actual
        super().__init__(f"consumer generation conflict - expected {expected} but got {given}")


class ProviderExists(LedgerError):
    """The name or the UUID is taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        super().__init__(f"Conflicting resource provider {', '.join(taken)} already exists.")


class ProviderRefused(LedgerError):
    """The provider cannot be placed where the request wants it in a tree."""

    def __init__(self, action: str, reason: str) -> None:
        super().__init__(f"Object action {action} failed because: {reason}")


class ProviderInUse(LedgerError):
    """The provider still has allocations."""

    def __init__(self) -> None:
        super().__init__("Resource provider has allocations.")


class ProviderHasChildren(LedgerError):
    """The provider still is the parent of others."""

    def __init__(self) -> None:
        super().__init__("Cannot delete resource provider that is a parent of another. Delete child providers first.")


class ProvidersRefused(LedgerError):
    """Some providers of a request about many cannot be written, so none is; each with the reason."""

    # So many are told in the sentence; a program reads them all.
    _TOLD = 5

    def __init__(self, refusals: Mapping[str, LedgerError]) -> None:
        self.refusals = dict(refusals)
        reasons = [f"{uuid}: {error}" for uuid, error in self.refusals.items()]
        more = f" And {len(reasons) - self._TOLD} more." if len(reasons) > self._TOLD else ""
        super().__init__(f"Nothing was written. {' '.join(reasons[: self._TOLD])}{more}")


class InvalidInventory(LedgerError):
    """An inventory is missing, or does not allow what was asked of it."""

    def __init__(self, resource_class: str, provider_uuid: str, reason: str | None = None) -> None:
        self.resource_class = resource_class
        self.provider_uuid = provider_uuid
        super().__init__(reason or f"Inventory for '{resource_class}' on resource provider '{provider_uuid}' invalid.")


class CapacityExceeded(InvalidInventory):
    """More was asked than is free."""

    def __init__(self, resource_class: str, provider_uuid: str) -> None:
        super().__init__(
            resource_class,
            provider_uuid,
            f"Unable to create allocation for '{resource_class}' on resource provider '{provider_uuid}'. "
            "The requested amount would exceed the capacity.",
        )


class ConstraintsViolated(InvalidInventory):
    """The amount breaks min_unit, max_unit or step_size."""

    def __init__(self, resource_class: str, provider_uuid: str) -> None:
        super().__init__(
            resource_class,
            provider_uuid,
            f"Unable to create allocation for '{resource_class}' on resource provider '{provider_uuid}'. "
            "The requested amount would violate inventory constraints.",
        )


class InvalidCapacity(InvalidInventory):
    """More is reserved than there is."""

    def __init__(self, resource_class: str, provider_uuid: str, *, may_reserve_all: bool) -> None:
        relation = "greater than" if may_reserve_all else "greater than or equal to"
        super().__init__(
            resource_class,
            provider_uuid,
            f"Invalid inventory for '{resource_class}' on resource provider '{provider_uuid}'. "
            f"The reserved value is {relation} total.",
        )


class InventoryInUse(InvalidInventory):
    """An inventory with allocations cannot be removed."""

    def __init__(self, resource_classes: Iterable[str], provider_uuid: str) -> None:
        self.resource_classes = list(resource_classes)
        names = ", ".join(self.resource_classes)
        super().__init__(
            names, provider_uuid, f"Inventory for '{names}' on resource provider '{provider_uuid}' in use."
        )


class InventoryExists(InvalidInventory):
    """The provider has an inventory of this class already."""

    def __init__(self, resource_class: str, provider_uuid: str) -> None:
        super().__init__(
            resource_class,
            provider_uuid,
            f"Inventory for '{resource_class}' on resource provider '{provider_uuid}' already exists.",
        )


class ResourceClassExists(LedgerError):
    """The name is taken."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Resource class {name} already exists.")


class ResourceClassInUse(LedgerError):
    """Some provider has an inventory of this class."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Cannot delete resource class {name}. Class is in use in inventory.")


class StandardResourceClass(LedgerError):
    """Standard resource classes can be neither changed nor deleted."""

    def __init__(self, action: str, name: str) -> None:
        super().__init__(f"Cannot {action} standard resource class {name}.")


class TraitInUse(LedgerError):
    """Some provider has the trait."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The trait {name} is in use by a resource provider.")


class StandardTrait(LedgerError):
    """Standard traits cannot be deleted."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Cannot delete standard trait {name}.")

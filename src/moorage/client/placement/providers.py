"""Providers and what belongs to them: inventories, traits, aggregates; and the names that those are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from moorage.client.calls import Calls, path_of
from moorage.client.errors import NotFound
from moorage.client.placement.values import (
    EVERYTHING,
    Amounts,
    ProviderAggregates,
    ProviderFilter,
    ProviderInventories,
    ProviderSummary,
    ProviderTraits,
)
from moorage.placement.model.inventory import Inventory

# So many names are asked for at once: the address of a request must not grow beyond what servers and proxies take.
_NAMES_AT_ONCE = 100


class ProviderCalls:
    """The part of the client that is about providers."""

    _calls: Calls

    # --- the providers themselves

    def provider(self, uuid: str) -> ProviderSummary | None:
        """The provider with this UUID, if there is one."""
        try:
            return self._calls.read(ProviderSummary, _path(uuid))
        except NotFound:
            return None

    def provider_named(self, name: str) -> ProviderSummary | None:
        """The provider with this name, if there is one."""
        return next(iter(self.providers(ProviderFilter(name=name))), None)

    def providers(self, which: ProviderFilter = EVERYTHING) -> tuple[ProviderSummary, ...]:
        """All providers that meet the conditions."""
        return self._calls.read(_Providers, "/resource_providers", which.pairs()).resource_providers

    def create_provider(self, uuid: str, name: str, parent_uuid: str | None = None) -> ProviderSummary:
        """A new provider; Conflict (placement.duplicate_name) if the UUID or the name is taken."""
        content = {"uuid": uuid, "name": name, "parent_provider_uuid": parent_uuid}
        return self._calls.ask(ProviderSummary, "POST", "/resource_providers", content=content)

    def update_provider(self, uuid: str, name: str, parent_uuid: str | None) -> ProviderSummary:
        """Give a provider a name and a parent, or make it a root; both are replaced."""
        content = {"name": name, "parent_provider_uuid": parent_uuid}
        return self._calls.ask(ProviderSummary, "PUT", _path(uuid), content=content)

    def delete_provider(self, uuid: str) -> None:
        """Remove a provider; Conflict if it has children (…cannot_delete_parent) or allocations (…inuse)."""
        self._calls.send("DELETE", _path(uuid))

    # --- inventories

    def inventories(self, uuid: str) -> ProviderInventories:
        """What a provider offers."""
        return self._calls.read(ProviderInventories, _path(uuid, "inventories"))

    def put_inventories(self, uuid: str, inventories: Mapping[str, Inventory], generation: int) -> int:
        """Replace all inventories of a provider; its new generation."""
        content = ProviderInventories(generation, dict(inventories))
        return self._calls.ask(ProviderInventories, "PUT", _path(uuid, "inventories"), content=content).generation

    def delete_inventory(self, uuid: str, resource_class: str) -> None:
        """Remove the inventory of one class; Conflict if it is in use."""
        self._calls.send("DELETE", _path(uuid, "inventories", resource_class))

    def usages(self, uuid: str) -> Amounts:
        """What is in use of a provider, by resource class."""
        return self._calls.read(_Usages, _path(uuid, "usages")).usages

    # --- traits

    def traits(self, uuid: str) -> ProviderTraits:
        """The traits of a provider."""
        return self._calls.read(ProviderTraits, _path(uuid, "traits"))

    def put_traits(self, uuid: str, traits: Iterable[str], generation: int) -> int:
        """Replace the traits of a provider; its new generation."""
        content = {"resource_provider_generation": generation, "traits": sorted(traits)}
        return self._calls.ask(ProviderTraits, "PUT", _path(uuid, "traits"), content=content).generation

    def all_traits(self) -> frozenset[str]:
        """All traits there are."""
        return self._calls.read(_Traits, "/traits").traits

    def known_traits(self, names: Iterable[str]) -> frozenset[str]:
        """Those of the names that are traits."""
        wanted = sorted(set(names))
        chunks = (wanted[start : start + _NAMES_AT_ONCE] for start in range(0, len(wanted), _NAMES_AT_ONCE))
        return frozenset(name for chunk in chunks for name in self._traits_of(chunk))

    def ensure_traits(self, names: Iterable[str]) -> None:
        """Make the traits that are missing, which only custom ones can be."""
        wanted = set(names)
        for missing in sorted(wanted - self.known_traits(wanted)):
            self.ensure_trait(missing)

    def ensure_trait(self, name: str) -> None:
        """Make a custom trait unless it is there."""
        self._calls.send("PUT", path_of("traits", name))

    def _traits_of(self, names: Sequence[str]) -> frozenset[str]:
        return self._calls.read(_Traits, "/traits", [("name", f"in:{','.join(names)}")]).traits

    # --- resource classes

    def known_resource_classes(self) -> frozenset[str]:
        """All resource classes there are."""
        found = self._calls.read(_ResourceClasses, "/resource_classes").resource_classes
        return frozenset(resource_class.name for resource_class in found)

    def ensure_resource_classes(self, names: Iterable[str]) -> None:
        """Make the resource classes that are missing, which only custom ones can be."""
        wanted = set(names)
        if wanted:
            for missing in sorted(wanted - self.known_resource_classes()):
                self._calls.send("PUT", path_of("resource_classes", missing))

    def ensure_resource_class(self, name: str) -> None:
        """Make a custom resource class unless it is there; one request, however many classes there are."""
        self._calls.send("PUT", path_of("resource_classes", name))

    def delete_resource_class(self, name: str) -> None:
        """Remove a custom resource class; Conflict if there is an inventory of it."""
        self._calls.send("DELETE", path_of("resource_classes", name))

    def delete_trait(self, name: str) -> None:
        """Remove a custom trait; Conflict if a provider has it."""
        self._calls.send("DELETE", path_of("traits", name))

    # --- aggregates

    def aggregates(self, uuid: str) -> ProviderAggregates:
        """The aggregates of a provider."""
        return self._calls.read(ProviderAggregates, _path(uuid, "aggregates"))

    def put_aggregates(self, uuid: str, aggregates: Iterable[str], generation: int) -> int:
        """Replace the aggregates of a provider; its new generation."""
        content = {"resource_provider_generation": generation, "aggregates": sorted(aggregates)}
        return self._calls.ask(ProviderAggregates, "PUT", _path(uuid, "aggregates"), content=content).generation


def _path(uuid: str, *rest: str) -> str:
    return path_of("resource_providers", uuid, *rest)


# --- what answers look like that are no values of their own


class _Providers(Struct, frozen=True):
    resource_providers: tuple[ProviderSummary, ...]


class _Usages(Struct, frozen=True):
    usages: Amounts


class _Traits(Struct, frozen=True):
    traits: frozenset[str]


class _Name(Struct, frozen=True):
    name: str


class _ResourceClasses(Struct, frozen=True):
    resource_classes: tuple[_Name, ...]

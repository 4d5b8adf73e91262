"""Reads the trees that concern a host from any Placement, with as few requests as its API allows.

A provider's generation moves whenever its inventories, traits or aggregates change, so that these are read again only
when the list of providers shows another generation than the last time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Executor
from dataclasses import replace

from moorage.client.errors import NotFound
from moorage.client.placement import PlacementClient, ProviderFilter, ProviderSummary
from moorage.hosts.agent.lookup import Lookup
from moorage.hosts.agent.observation import Scope, TreeMoved
from moorage.hosts.agent.parallel import in_parallel
from moorage.hosts.provider_tree import Provider, ProviderTree, TreeError

# Somebody who changes a provider between our requests makes us read it again; nobody does so this often.
_READS = 5


class Observer:
    """Reads trees and remembers what it has read; one for each agent."""

    def __init__(self, client: PlacementClient, workers: Executor, go_on: Callable[[], None]) -> None:
        self._client = client
        self._workers = workers
        self._go_on = go_on
        self._lookup: Lookup[ProviderSummary] = Lookup(
            tree=lambda uuid: client.providers(ProviderFilter(in_tree=uuid)),
            everything=client.providers,
            uuid_of=lambda name: getattr(client.provider_named(name), "uuid", None),
        )
        # As they were last read or written.
        self._providers: dict[str, Provider] = {}
        self._with_aggregates = False

    def observe(self, scope: Scope, ours: Collection[str], *, with_aggregates: bool) -> ProviderTree:
        """The whole trees of what the host has and of what is ours already.

        Aggregates are read only where somebody needs them: nothing is written to those of which nothing is known.
        """
        if with_aggregates != self._with_aggregates:
            self._providers.clear()
            self._with_aggregates = with_aggregates
        found = self._lookup.find(scope, ours)
        unknown = [summary for summary in found.values() if not self._is_known(summary)]
        providers = {provider.uuid: provider for provider in in_parallel(self._workers, self._read, unknown)}
        self._providers = {uuid: providers.get(uuid) or self._placed(summary) for uuid, summary in found.items()}
        try:
            return ProviderTree(self._providers.values())
        except TreeError as error:
            raise TreeMoved(str(error)) from error

    def remember(self, providers: Iterable[Provider], gone: Iterable[str]) -> None:
        """Take over what has just been written, so that it need not be read again."""
        self._providers.update((provider.uuid, provider) for provider in providers)
        for uuid in gone:
            self._providers.pop(uuid, None)

    def _is_known(self, summary: ProviderSummary) -> bool:
        known = self._providers.get(summary.uuid)
        return known is not None and known.generation == summary.generation

    def _placed(self, summary: ProviderSummary) -> Provider:
        # A new name or parent does not move the generation.
        known = self._providers[summary.uuid]
        if (known.name, known.parent_uuid) == (summary.name, summary.parent_uuid):
            return known
        return replace(known, name=summary.name, parent_uuid=summary.parent_uuid)

    def _read(self, summary: ProviderSummary) -> Provider:
        uuid = summary.uuid
        for _ in range(_READS):
            self._go_on()
            try:
                inventories = self._client.inventories(uuid)
                traits = self._client.traits(uuid)
                aggregates = self._client.aggregates(uuid) if self._with_aggregates else None
            except NotFound as error:
                raise TreeMoved(f"the provider {summary.name!r} has just been deleted") from error
            if inventories.generation == traits.generation == (aggregates or traits).generation:
                return Provider(
                    uuid=uuid,
                    name=summary.name,
                    parent_uuid=summary.parent_uuid,
                    inventories=dict(inventories.inventories),
                    traits=traits.traits,
                    aggregates=aggregates.aggregates if aggregates else frozenset(),
                    generation=inventories.generation,
                )
        raise TreeMoved(f"the provider {summary.name!r} changes all the time")

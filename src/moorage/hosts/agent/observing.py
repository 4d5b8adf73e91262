"""Reads the trees that concern a host from any Placement, with as few requests as its API allows.

A provider's generation moves whenever its inventories, traits or aggregates change, so that these are read again when
the list of providers shows another generation than the last time. One that was deleted and made anew may have come to
the same generation, so nothing is believed for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import Executor
from dataclasses import replace
from uuid import UUID

from moorage.client.errors import NotFound
from moorage.client.placement import PlacementClient, ProviderFilter, ProviderSummary
from moorage.hosts.agent.lookup import Lookup
from moorage.hosts.agent.observation import Scope, TreeMoved
from moorage.hosts.agent.parallel import in_parallel
from moorage.hosts.provider_tree import Provider, ProviderTree, TreeError

# Somebody who changes a provider between our requests makes us read it again; nobody does so this often.
_READS = 5

# For so many looks at the list, or up to twice as many, what was read is believed: with a look each minute, for half an
# hour to an hour. Not all providers are read again at the same time.
_TRUSTED_LOOKS = 30


class Observer:
    """Reads trees and remembers what it has read; one for each agent."""

    def __init__(self, client: PlacementClient, workers: Executor) -> None:
        self._client = client
        self._workers = workers
        self._lookup: Lookup[ProviderSummary] = Lookup(
            tree=lambda uuid: client.providers(ProviderFilter(in_tree=uuid)),
            everything=client.providers,
            uuid_of=lambda name: getattr(client.provider_named(name), "uuid", None),
        )
        # As they were last read or written.
        self._providers: dict[str, Provider] = {}
        self._with_aggregates = False
        # How often the list was looked at, and up to which look each provider is believed to be as it was read.
        self._looks = 0
        self._trusted_until: dict[str, int] = {}

    def observe(self, scope: Scope, ours: Collection[str], *, with_aggregates: bool) -> ProviderTree:
        """The whole trees of what the host has and of what is ours already.

        Aggregates are read only where somebody needs them: nothing is written to those of which nothing is known.
        """
        if with_aggregates != self._with_aggregates:
            self._providers.clear()
            self._with_aggregates = with_aggregates
        found = self._lookup.find(scope, ours)
        self._looks += 1
        unknown = [summary for summary in found.values() if not self._is_known(summary)]
        providers = {provider.uuid: provider for provider in in_parallel(self._workers, self._read, unknown)}
        self._providers = {uuid: providers.get(uuid) or self._placed(summary) for uuid, summary in found.items()}
        self._trusted_until = {
            uuid: self._trust(uuid) if uuid in providers else self._trusted_until[uuid] for uuid in self._providers
        }
        try:
            return ProviderTree(self._providers.values())
        except TreeError as error:
            raise TreeMoved(str(error)) from error

    def remember(self, providers: Iterable[Provider], gone: Iterable[str]) -> None:
        """Take over what has just been written, so that it need not be read again."""
        for provider in providers:
            self._providers[provider.uuid] = provider
            self._trusted_until.setdefault(provider.uuid, self._trust(provider.uuid))
        for uuid in gone:
            self._providers.pop(uuid, None)

    def _is_known(self, summary: ProviderSummary) -> bool:
        known = self._providers.get(summary.uuid)
        is_trusted = self._looks <= self._trusted_until.get(summary.uuid, 0)
        return known is not None and known.generation == summary.generation and is_trusted

    def _trust(self, uuid: str) -> int:
        return self._looks + _TRUSTED_LOOKS + UUID(uuid).int % _TRUSTED_LOOKS

    def _placed(self, summary: ProviderSummary) -> Provider:
        # A new name or parent does not move the generation.
        known = self._providers[summary.uuid]
        if (known.name, known.parent_uuid) == (summary.name, summary.parent_uuid):
            return known
        return replace(known, name=summary.name, parent_uuid=summary.parent_uuid)

    def _read(self, summary: ProviderSummary) -> Provider:
        uuid = summary.uuid
        for _ in range(_READS):
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

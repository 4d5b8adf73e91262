"""What only Moorage offers: many providers at once, explanations, claims in one call, and signs of life of agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct

from moorage.client.calls import Calls, Pairs, path_of
from moorage.client.errors import NotFound
from moorage.client.placement.values import (
    EVERYTHING,
    AgentsOverview,
    Amounts,
    Claimed,
    ProviderDetails,
    ProviderFilter,
    ProviderWrite,
)
from moorage.placement.model.agent import Sign

# A provider that nobody has: what is asked for is only whether the question is understood.
_NOBODY = ProviderFilter(uuid="00000000-0000-0000-0000-000000000000")


class ExtensionCalls:
    """The part of the client that needs a Moorage; others answer NotFound."""

    _calls: Calls
    _is_moorage: bool | None = None

    def is_moorage(self) -> bool:
        """Whether the service is a Moorage; asked once."""
        if self._is_moorage is None:
            self.read_providers_of_moorage(which=_NOBODY)
        return bool(self._is_moorage)

    def read_providers_of_moorage(
        self, include: Iterable[str] = (), which: ProviderFilter = EVERYTHING
    ) -> tuple[ProviderDetails, ...] | None:
        """The same as `read_providers` if the service is a Moorage, else None: one question in place of two."""
        if self._is_moorage is False:
            return None
        try:
            found = self.read_providers(include, which)
        except NotFound:
            if self._is_moorage:
                raise
            # Also a proxy answers so while the service is away: only a Placement without our paths is no Moorage.
            self._calls.read(dict[str, Any], "/resource_providers", _NOBODY.pairs())
            self._is_moorage = False
            return None
        self._is_moorage = True
        return found

    @property
    def is_known_to_be_moorage(self) -> bool:
        """Whether the service has shown to be a Moorage; nobody is asked."""
        return self._is_moorage is True

    def read_providers(
        self,
        include: Iterable[str] = (),
        which: ProviderFilter = EVERYTHING,
        *,
        origin_host: str | None = None,
        in_tree_of_host: str | None = None,
    ) -> tuple[ProviderDetails, ...]:
        """Providers with what `include` names: inventories, usages, traits, aggregates, origin.

        With `origin_host` only those whose origin names this host; with `in_tree_of_host` all of the trees that have
        such a provider.
        """
        own = (("include", ",".join(include)), ("origin_host", origin_host), ("in_tree_of_host", in_tree_of_host))
        query = [*((name, value) for name, value in own if value), *which.pairs()]
        return self._calls.read(_Providers, "/moorage/providers", query).providers

    def write_providers(
        self,
        providers: Iterable[ProviderWrite] = (),
        *,
        delete: Mapping[str, int | None] | None = None,
        create_names: bool = False,
    ) -> Mapping[str, int]:
        """Create, change and delete any number of providers, all of it or nothing.

        `delete` has the generations that the providers are believed to have, by UUID; None for any. With `create_names`
        custom resource classes and traits that are missing are made. Returns the generations of those written, by UUID.
        """
        content: dict[str, object] = {"providers": list(providers)}
        if delete:
            content["delete"] = [
                {"uuid": uuid} if generation is None else {"uuid": uuid, "generation": generation}
                for uuid, generation in delete.items()
            ]
        if create_names:
            content["create_names"] = True
        written = self._calls.ask(_Written, "POST", "/moorage/providers", content=content).providers
        return {provider.uuid: provider.generation for provider in written}

    def leave_sign(self, sign: Sign) -> None:
        """Tell that an agent is alive, and how its round ended."""
        content = {
            "version": sign.version,
            "interval": sign.interval,
            "outcome": sign.outcome,
            "reason": sign.reason,
            "providers": sign.providers,
        }
        self._calls.send("PUT", path_of("moorage", "agents", sign.name), content=content)

    def agents(self, states: Iterable[str] = (), limit: int | None = None) -> AgentsOverview:
        """The agents that have told something, the most urgent first; with `states` only those in one of them."""
        given = (("state", ",".join(states)), ("limit", str(limit or "")))
        return self._calls.read(AgentsOverview, "/moorage/agents", [(name, value) for name, value in given if value])

    def forget_agent(self, name: str) -> None:
        """Forget an agent that is no more; NotFound if there is none of this name."""
        self._calls.send("DELETE", path_of("moorage", "agents", name))

    def explain(self, query: Pairs) -> dict[str, Any]:
        """Why there is or is no candidate for a query, as the API answers."""
        return self._calls.read(dict[str, Any], "/moorage/allocation_candidates/explain", query)

    def claim(
        self,
        query: Pairs,
        *,
        project_id: str,
        user_id: str,
        consumer_type: str,
        consumer_uuid: str | None = None,
        consumer_generation: int | None = None,
        strategy: str = "spread",
    ) -> Claimed:
        """Find a place for a consumer and take it; Conflict if there is none.

        A new consumer has no generation; one that is there gives up what it held.
        """
        content = {
            "query": urlencode(query),
            "project_id": project_id,
            "user_id": user_id,
            "consumer_type": consumer_type,
            "consumer_generation": consumer_generation,
            "strategy": strategy,
            **({"consumer_uuid": consumer_uuid} if consumer_uuid else {}),
        }
        answer = self._calls.ask(_Claimed, "POST", "/moorage/claims", content=content)
        allocations = {uuid: share.resources for uuid, share in answer.allocations.items()}
        return Claimed(answer.consumer_uuid, allocations, answer.mappings, answer.roots)


# --- how the API words it


class _Providers(Struct, frozen=True):
    providers: tuple[ProviderDetails, ...]


class _Generation(Struct, frozen=True):
    uuid: str
    generation: int


class _Written(Struct, frozen=True):
    providers: tuple[_Generation, ...]


class _Share(Struct, frozen=True):
    resources: Amounts


class _Claimed(Struct, frozen=True):
    consumer_uuid: str
    allocations: Mapping[str, _Share]
    mappings: Mapping[str, tuple[str, ...]]
    roots: Mapping[str, str]

"""What a Placement service answers, upstream's or ours, gathered to the contents of its ledger.

There is no snapshot over HTTP. So every answer about a provider must be of the same generation, and consumers must hold
what providers say is used; where somebody wrote in between, that is told and nothing is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from moorage.client.at_once import ask_at_once
from moorage.client.placement import ConsumerAllocations, PlacementClient, ProviderSummary
from moorage.placement.model.allocation import UNKNOWN_CONSUMER_TYPE
from moorage.placement.model.contents import Contents, HeldConsumer, HeldProvider
from moorage.transfer.errors import TransferRefused
from moorage.transfer.progress import Tell

_T = TypeVar("_T")


def read_endpoint(client: PlacementClient, tell: Tell) -> tuple[Contents, Mapping[str, Mapping[str, int]]]:
    """The contents, and what the service says is used of each provider, by resource class."""
    summaries = client.providers()
    details = ask_at_once(_told(_provider_of(client), "providers", tell), summaries)
    providers = {summary.uuid: provider for summary, (provider, _usages, _holders) in details.items()}
    usages = {summary.uuid: used for summary, (_provider, used, _holders) in details.items()}
    holders = {uuid for _provider, _usages, consumers in details.values() for uuid in consumers}
    answers = ask_at_once(_told(client.allocations, "consumers", tell), sorted(holders))
    consumers = {uuid: _consumer(uuid, answer) for uuid, answer in answers.items()}
    contents = Contents(client.known_resource_classes(), client.all_traits(), providers, consumers)
    _check(contents, usages)
    return contents, usages


def _provider_of(
    client: PlacementClient,
) -> Callable[[ProviderSummary], tuple[HeldProvider, Mapping[str, int], Iterable[str]]]:
    def ask(summary: ProviderSummary) -> tuple[HeldProvider, Mapping[str, int], Iterable[str]]:
        inventories = client.inventories(summary.uuid)
        traits = client.traits(summary.uuid)
        aggregates = client.aggregates(summary.uuid)
        if {inventories.generation, traits.generation, aggregates.generation} != {summary.generation}:
            raise TransferRefused(_moved(f"The provider {summary.uuid} ({summary.name})"))
        provider = HeldProvider(
            uuid=summary.uuid,
            name=summary.name,
            generation=summary.generation,
            parent_uuid=summary.parent_uuid,
            inventories=dict(inventories.inventories),
            traits=traits.traits,
            aggregates=aggregates.aggregates,
        )
        return provider, client.usages(summary.uuid), client.provider_allocations(summary.uuid).keys()

    return ask


def _consumer(uuid: str, answer: ConsumerAllocations | None) -> HeldConsumer:
    if answer is None or answer.generation is None:
        raise TransferRefused(_moved(f"The consumer {uuid}"))
    known = None if answer.consumer_type == UNKNOWN_CONSUMER_TYPE else answer.consumer_type
    return HeldConsumer(uuid, answer.generation, answer.project_id, answer.user_id, known, answer.allocations)


def _check(contents: Contents, usages: Mapping[str, Mapping[str, int]]) -> None:
    """Whether consumers hold what providers say is used: else somebody wrote in between."""
    held = contents.usages()
    for uuid, used in usages.items():
        for name, amount in used.items():
            if held.pop((uuid, name), 0) != amount:
                raise TransferRefused(_moved(f"{name} of the provider {uuid}"))
    for uuid, name in held:
        raise TransferRefused(_moved(f"{name} of the provider {uuid}"))


def _moved(what: str) -> str:
    return f"{what} changed while it was read. Stop whatever writes to that Placement, and begin again."


def _told(ask: Callable[..., _T], what: str, tell: Tell) -> Callable[..., _T]:
    def asked(item: object) -> _T:
        answer = ask(item)
        tell(what, 1)
        return answer

    return asked

"""Hypervisors: who they are from the compute service, what they have and use from Placement.

A Moorage tells all providers in one answer. Elsewhere each hypervisor takes three questions, none of which waits for
another, and only hypervisors are asked about that the settings are interested in.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from moorage.capacity.model.configuration import HypervisorSelection
from moorage.capacity.model.hypervisor import Hypervisor, Inventory
from moorage.client import compute as nova
from moorage.client.at_once import ask_at_once
from moorage.client.errors import NotFound
from moorage.client.placement import PlacementClient, ProviderDetails
from moorage.placement.model.inventory import Inventory as PlacementInventory

# So many questions at once Placement answers without making others wait.
_QUESTIONS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class _Provider:
    """What Placement knows of a hypervisor; a problem in place of it if it knows nothing."""

    traits: tuple[str, ...] = ()
    inventories: Mapping[str, PlacementInventory] | None = None
    usages: Mapping[str, int] | None = None
    problem: str = ""


_NOBODY = _Provider(problem="Placement has no resource provider of that name")


def read_providers_at_once(placement: PlacementClient) -> tuple[ProviderDetails, ...] | None:
    """All providers with what matters here, from a Moorage; None where one would have to ask for each."""
    return placement.read_providers_of_moorage(("inventories", "usages", "traits"))


def read_hypervisors(
    listed: Iterable[nova.Hypervisor],
    told: Iterable[ProviderDetails] | None,
    placement: PlacementClient,
    selection: HypervisorSelection,
) -> tuple[Hypervisor, ...]:
    """The hypervisors that the compute service lists, as far as their type is wanted, with what Placement says.

    `told` is what `read_providers_at_once` found.
    """
    pattern = re.compile(selection.hypervisor_type_pattern)
    wanted = [hypervisor for hypervisor in listed if pattern.search(hypervisor.hypervisor_type)]
    names = {hypervisor.name for hypervisor in wanted}
    providers = _asked(placement, names) if told is None else _told(told, names)
    return tuple(_joined(hypervisor, providers.get(hypervisor.name, _NOBODY)) for hypervisor in wanted)


def _joined(hypervisor: nova.Hypervisor, provider: _Provider) -> Hypervisor:
    return Hypervisor(
        id=hypervisor.id,
        hostname=hypervisor.name,
        service_host=hypervisor.service.host,
        hypervisor_type=hypervisor.hypervisor_type,
        running_vms=hypervisor.running_vms,
        traits=provider.traits,
        inventories={
            name: Inventory(
                total=inventory.total,
                reserved=inventory.reserved,
                max_unit=inventory.max_unit,
                allocation_ratio=inventory.allocation_ratio,
                min_unit=inventory.min_unit,
                step_size=inventory.step_size,
            )
            for name, inventory in (provider.inventories or {}).items()
        },
        usages=provider.usages or {},
        problem=provider.problem,
    )


def _told(told: Iterable[ProviderDetails], names: set[str]) -> dict[str, _Provider]:
    return {
        found.name: _Provider(tuple(sorted(found.traits or ())), found.inventories, found.usages)
        for found in told
        if found.name in names
    }


def _asked(placement: PlacementClient, names: set[str]) -> dict[str, _Provider]:
    if not names:
        return {}
    uuids = {provider.name: provider.uuid for provider in placement.providers() if provider.name in names}
    questions: dict[str, Callable[[str], Any]] = {
        "traits": lambda uuid: tuple(sorted(placement.traits(uuid).traits)),
        "inventories": lambda uuid: placement.inventories(uuid).inventories,
        "usages": placement.usages,
    }

    def ask(question: tuple[str, str]) -> Any:
        name, kind = question
        try:
            return questions[kind](uuids[name])
        except NotFound:
            return None

    answers = ask_at_once(ask, itertools.product(uuids, questions), _QUESTIONS_AT_ONCE)
    return {name: _provider_of(*(answers[name, kind] for kind in questions)) for name in uuids}


def _provider_of(traits: Any, inventories: Any, usages: Any) -> _Provider:
    """What the three answers tell together; each is None if the provider was gone by then."""
    if traits is None or inventories is None or usages is None:
        return _Provider(problem="its resource provider was deleted while Placement was asked about it")
    return _Provider(traits, inventories, usages)

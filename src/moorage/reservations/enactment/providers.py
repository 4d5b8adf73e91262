"""Reservation providers: one below each host's provider in Placement, whose inventory is the slots of instances."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from uuid import uuid4

from moorage.client.errors import Conflict, NotFound
from moorage.client.placement import PlacementClient, ProviderSummary
from moorage.placement.model.inventory import Inventory
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.model.host import Host

# Many leases may start on one host at the same time: whoever comes in between is noticed by the provider's generation.
_ATTEMPTS = 30
_LONGEST_PAUSE = 0.2


def ensure_reservation_provider(cloud: Cloud, host: Host) -> ProviderSummary:
    """The reservation provider of a host, found by its name, and made (again) if it is missing."""
    name = host.reservation_provider_name
    found = cloud.placement.provider_named(name)
    if found is None:
        root = cloud.placement.provider_named(host.name)
        if root is None:
            raise NotYet(f"Placement knows no provider {host.name}.")
        try:
            found = cloud.placement.create_provider(str(uuid4()), name, root.uuid)
        except Conflict:
            found = cloud.placement.provider_named(name)
            if found is None:
                raise
    if cloud.isolation.provider_traits:
        add_traits(cloud.placement, found.uuid, cloud.isolation.provider_traits)
    return found


def delete_reservation_provider(cloud: Cloud, host: Host) -> None:
    """Remove the reservation provider of a host; NotYet while instances use it."""
    found = cloud.placement.provider_named(host.reservation_provider_name)
    if found is None:
        return
    try:
        cloud.placement.delete_provider(found.uuid)
    except NotFound:
        pass
    except Conflict as conflict:
        raise NotYet(f"The provider {found.name} is still in use: {conflict.detail}") from conflict


def slots_of(count: int) -> Inventory:
    """An inventory from which so many instances can take one each."""
    return Inventory(total=count, reserved=0, min_unit=1, max_unit=1, step_size=1, allocation_ratio=1.0)


CLOSED = Inventory(total=1, reserved=1, min_unit=1, max_unit=1, step_size=1, allocation_ratio=1.0)
"""An inventory from which nobody can take any more, while those who have, keep it."""


def set_slots(placement: PlacementClient, provider_uuid: str, resource_class: str, wanted: Inventory) -> None:
    """Have this inventory of a class on a provider; what else it has stays."""

    def attempt() -> None:
        known = placement.inventories(provider_uuid)
        if known.inventories.get(resource_class) != wanted:
            inventories = {**known.inventories, resource_class: wanted}
            placement.put_inventories(provider_uuid, inventories, known.generation)

    _in_turn(attempt)


def remove_slots(placement: PlacementClient, provider_uuid: str, resource_class: str) -> None:
    """Have no inventory of a class on a provider; NotYet while instances use it."""

    def attempt() -> None:
        with suppress(NotFound):
            placement.delete_inventory(provider_uuid, resource_class)

    try:
        _in_turn(attempt)
    except Conflict as conflict:
        raise NotYet(f"Slots of {resource_class} are still in use: {conflict.detail}") from conflict


def add_traits(placement: PlacementClient, provider_uuid: str, wanted: Iterable[str]) -> None:
    """Have these traits on a provider; what else it has stays."""
    traits = frozenset(wanted)

    def attempt() -> None:
        known = placement.traits(provider_uuid)
        if not traits <= known.traits:
            placement.put_traits(provider_uuid, known.traits | traits, known.generation)

    _in_turn(attempt)


def remove_traits(placement: PlacementClient, provider_uuid: str, unwanted: Iterable[str]) -> None:
    """Have none of these traits on a provider."""
    traits = frozenset(unwanted)

    def attempt() -> None:
        try:
            known = placement.traits(provider_uuid)
        except NotFound:
            return
        if traits & known.traits:
            placement.put_traits(provider_uuid, known.traits - traits, known.generation)

    _in_turn(attempt)


def add_to_aggregate(placement: PlacementClient, provider_uuid: str, aggregate_uuid: str) -> None:
    """Have a provider in an aggregate; in what else it is, it stays."""

    def attempt() -> None:
        known = placement.aggregates(provider_uuid)
        if aggregate_uuid not in known.aggregates:
            placement.put_aggregates(provider_uuid, known.aggregates | {aggregate_uuid}, known.generation)

    _in_turn(attempt)


def remove_from_aggregate(placement: PlacementClient, provider_uuid: str, aggregate_uuid: str) -> None:
    """Have a provider not in an aggregate."""

    def attempt() -> None:
        try:
            known = placement.aggregates(provider_uuid)
        except NotFound:
            return
        if aggregate_uuid in known.aggregates:
            placement.put_aggregates(provider_uuid, known.aggregates - {aggregate_uuid}, known.generation)

    _in_turn(attempt)


def _in_turn(attempt: Callable[[], None]) -> None:
    """Try until nobody comes in between."""
    for number in range(_ATTEMPTS):
        try:
            return attempt()
        except Conflict as conflict:
            if conflict.code != "placement.concurrent_update" or number == _ATTEMPTS - 1:
                raise
            time.sleep(random.uniform(0, min(0.005 * 2**number, _LONGEST_PAUSE)))  # noqa: S311 - spreads, hides nothing
    return None

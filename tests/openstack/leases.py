"""Leases of the cloud, as its users make them with python-blazarclient and `openstack`, and what they look for then."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import openstack

from tests.openstack.operator import Operator
from tests.openstack.waiting import LONGEST_SECONDS, eventually

POOL_TRAIT = "CUSTOM_RESERVATION_FREE_POOL"


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease with one reservation."""

    id: str
    reservation_id: str

    @property
    def resource_class(self) -> str:
        """What a slot is, in Placement."""
        return f"CUSTOM_RESERVATION_{self.reservation_id.replace('-', '_').upper()}"


@contextmanager
def reservable_host(operator: Operator, name: str) -> Iterator[None]:
    """A host that belongs to leases for the time of a block."""
    runs(operator, f"openstack reservation host create {name}")
    eventually(lambda: closing_traits(operator, name) == {POOL_TRAIT}, f"{name} joins the free pool")
    try:
        yield
    finally:
        eventually(lambda: leftovers(operator) == NOTHING, "leases are cleared away")
        runs(operator, f"openstack reservation host delete {name}")
        eventually(lambda: reservation_provider(operator, name) is None, f"the reservation provider of {name} goes")
        eventually(lambda: aggregates_of(operator, name) == {}, f"{name} leaves the free pool")


@contextmanager
def lease(user: Operator, reservation: str, option: str = "--reservation") -> Iterator[Lease]:
    """A lease that begins now and lasts until the end of a block, or an hour."""
    made = _create(user, reservation, option)
    try:
        assert await_status(user, made, "ACTIVE", "ERROR") == "ACTIVE"
        yield made
    finally:
        runs(user, f"openstack reservation lease delete {made.id}")


def end_soon(user: Operator, made: Lease) -> None:
    """Have a lease end with the next minute that is some seconds ahead."""
    end = datetime.now(UTC) + timedelta(seconds=75)
    runs(user, f"blazar lease-update --end-date '{end:%Y-%m-%d %H:%M}' {made.id}")


def _create(user: Operator, reservation: str, option: str) -> Lease:
    end = datetime.now(UTC) + timedelta(hours=1)
    name = f"lease-{uuid4().hex[:8]}"
    runs(user, f"blazar lease-create --end-date '{end:%Y-%m-%d %H:%M}' {option} '{reservation}' {name}")
    shown = user.shows(f"reservation lease show {name}")
    found = shown["reservations"]
    found = json.loads(found) if isinstance(found, str) else found
    return Lease(shown["id"], (found[0] if isinstance(found, list) else found)["id"])


def await_status(user: Operator, made: Lease, *statuses: str) -> str:
    """Wait until a lease has one of these states."""
    for _ in openstack.utils.iterate_timeout(LONGEST_SECONDS, f"the lease {made.id} does not get on", wait=1):
        shown = user.cloud.reservation.get(f"/leases/{made.id}").json()["lease"]
        if shown["status"] in statuses:
            return str(shown["status"])
    raise AssertionError


def runs(user: Operator, command: str) -> str:
    """A command that succeeds, and what it says."""
    done = user.runs(command)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def fault_of(user: Operator, command: str) -> str:
    """A command that fails, and what it says, without line breaks."""
    done = user.runs(command)
    assert done.returncode != 0, done.stdout
    return re.sub(r"\s+", " ", done.stderr)


# --- what there is of leases in Nova and Placement


def aggregates_of(operator: Operator, host: str) -> dict[str, dict[str, str]]:
    """The aggregates that a host is in, those of zones aside: metadata by name."""
    return {
        aggregate.name: aggregate.metadata
        for aggregate in operator.cloud.compute.aggregates()
        if host in (aggregate.hosts or []) and not aggregate.name.startswith("zone-")
    }


def closing_traits(operator: Operator, host: str) -> set[str]:
    """What must be asked for on a host, by Nova's aggregates."""
    return {
        key.removeprefix("trait:")
        for metadata in aggregates_of(operator, host).values()
        for key, value in metadata.items()
        if key.startswith("trait:") and value == "required"
    }


def reservation_provider(operator: Operator, host: str) -> dict[str, Any] | None:
    """The provider below a host that has the slots of leases: inventories and traits."""
    found = operator.asks_placement(f"/resource_providers?name=blazar_{host}")["resource_providers"]
    if not found:
        return None
    (provider,) = found
    assert provider["parent_provider_uuid"] == operator.provider(host)
    path = f"/resource_providers/{provider['uuid']}"
    return {
        "inventories": operator.asks_placement(f"{path}/inventories")["inventories"],
        "traits": set(operator.asks_placement(f"{path}/traits")["traits"]),
    }


def leftovers(operator: Operator) -> dict[str, list[str]]:
    """What is there of any lease, in Nova and in Placement."""
    compute = operator.cloud.compute
    classes = operator.asks_placement("/resource_classes")["resource_classes"]
    traits = operator.asks_placement("/traits?name=startswith:CUSTOM_RESERVATION_")["traits"]
    return {
        "flavors": [
            flavor.name for flavor in compute.flavors(is_public=None) if flavor.name.startswith("reservation:")
        ],
        "aggregates": [each.name for each in compute.aggregates() if each.name.startswith("reservation:")],
        "classes": [each["name"] for each in classes if each["name"].startswith("CUSTOM_RESERVATION_")],
        "traits": [trait for trait in traits if trait != POOL_TRAIT],
    }


NOTHING: dict[str, list[str]] = {"flavors": [], "aggregates": [], "classes": [], "traits": []}

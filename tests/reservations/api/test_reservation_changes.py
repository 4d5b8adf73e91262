"""What clients send to have a reservation changed, and what the reservation asks for then."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from moorage.reservations.api.reservation_changes import read_reservation_change
from moorage.reservations.booking.orders import ReservationChange
from moorage.reservations.booking.resizing import resized
from moorage.reservations.model.refusals import CannotChange, Invalid, Refusal
from moorage.reservations.model.reservation import (
    FLAVOR_INSTANCE,
    PHYSICAL_HOST,
    VIRTUAL_INSTANCE,
    HostRequest,
    InstanceRequest,
    Request,
    Reservation,
    ResourceType,
    SourceFlavor,
    resources_of,
)

NOON = datetime(2030, 1, 1, 12)  # noqa: DTZ001 - all times are UTC without a zone
INSTANCES = InstanceRequest(
    amount=2, vcpus=4, memory_mb=8192, disk_gb=0, affinity=False, resources=resources_of(4, 8192, 0)
)
FLAVOR = replace(INSTANCES, flavor=SourceFlavor(id="big", name="big", vcpus=4, ram_mb=8192, disk_gb=0))
HOSTS = HostRequest(min=1, max=2)


def reservation(resource_type: ResourceType, request: Request) -> Reservation:
    return Reservation(
        id="r1", lease_id="l1", resource_type=resource_type, request=request, created_at=NOON, updated_at=NOON
    )


VIRTUAL, OF_FLAVOR = reservation(VIRTUAL_INSTANCE, INSTANCES), reservation(FLAVOR_INSTANCE, FLAVOR)
OF_HOSTS = reservation(PHYSICAL_HOST, HOSTS)


def changed(of: Reservation, **fields: Any) -> Request:
    return resized(of, read_reservation_change({"id": of.id, **fields}, of))


@pytest.mark.parametrize("of", [VIRTUAL, OF_FLAVOR, OF_HOSTS], ids=lambda of: of.resource_type)
def test_what_is_not_named_stays(of: Reservation) -> None:
    assert changed(of) == resized(of, ReservationChange()) == of.request
    assert changed(of, resource_type=of.resource_type, status="active", unheard_of=1) == of.request


def test_null_is_an_affinity() -> None:
    assert changed(VIRTUAL, affinity=None) == replace(INSTANCES, affinity=None)
    assert changed(OF_FLAVOR, affinity="None") == replace(FLAVOR, affinity=None)


def test_another_size_takes_other_resources() -> None:
    wanted = replace(INSTANCES, vcpus=8, disk_gb=10, resources=resources_of(8, 8192, 10))
    assert changed(VIRTUAL, vcpus="8", disk_gb=10) == wanted


@pytest.mark.parametrize("flavor_id", ["r1", "big"])
def test_what_was_shown_of_a_flavor_may_be_sent_back(flavor_id: str) -> None:
    shown = {"flavor_id": flavor_id, "vcpus": 4, "memory_mb": 8192, "disk_gb": 0, "resource_properties": "{}"}
    assert changed(OF_FLAVOR, **shown, amount="3") == replace(FLAVOR, amount=3)


@pytest.mark.parametrize(
    ("of", "name", "value"),
    [
        (VIRTUAL, "resource_type", PHYSICAL_HOST),
        (OF_FLAVOR, "flavor_id", "small"),
        (OF_FLAVOR, "vcpus", 8),
        (OF_FLAVOR, "memory_mb", None),
        (OF_FLAVOR, "disk_gb", "a lot"),
    ],
)
def test_what_cannot_change_is_refused(of: Reservation, name: str, value: object) -> None:
    with pytest.raises(CannotChange, match=f"^Cannot update the parameter {name}[.]$"):
        changed(of, **{name: value})


@pytest.mark.parametrize(
    ("of", "fields", "message"),
    [
        (VIRTUAL, {"amount": None}, "Missing parameter amount"),
        (VIRTUAL, {"vcpus": "x"}, "vcpus is 'x'; it must be a whole number from 1"),
        (OF_FLAVOR, {"amount": None}, "amount is None; it must be a whole number from 1"),
        (OF_HOSTS, {"min": 3}, "max must be at least min; it is 2, and min is 3"),
        (OF_HOSTS, {"before_end": "never"}, "before_end is 'never'; it may be default or snapshot"),
    ],
)
def test_what_is_wrong_is_named(of: Reservation, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        changed(of, **fields)


def test_hosts_take_no_fields_of_instances() -> None:
    assert changed(OF_HOSTS, amount="x", vcpus="x", max=4, before_end="snapshot") == HostRequest(
        min=1, max=4, before_end="snapshot"
    )


@pytest.mark.parametrize("fields", [{"amount": 1}, {"affinity": True}, {"vcpus": 5}], ids=str)
def test_what_has_instances_only_grows(fields: dict[str, Any]) -> None:
    active = replace(VIRTUAL, status="active")
    assert changed(active, amount=5) == replace(INSTANCES, amount=5)
    with pytest.raises(Refusal, match="active reservation"):
        changed(active, **fields)

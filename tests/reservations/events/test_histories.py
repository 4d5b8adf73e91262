"""Whatever happens to leases, what Placement holds is what the leases in force say."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import InstanceRequest
from tests.properties import effort
from tests.reservations.harbour import NOON, Harbour

pytestmark = pytest.mark.every_database

ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["book", "book", "delete", "resize", "prolong", "later", "killed"]),
        st.integers(0, 7),
        st.integers(1, 3),
    ),
    min_size=4,
    max_size=14,
)


class Killed(BaseException):
    """The end of a worker."""


def said(harbour: Harbour, hosts: list[Host], leases: list[Lease]) -> dict[str, dict[str, int]]:
    """What leases that are in force, and nothing else, say about slots."""
    slots: dict[str, dict[str, int]] = {host.name: {} for host in hosts}
    names = {host.id: host.name for host in hosts}
    for lease in map(harbour.shown, leases):
        is_in_force = lease.start <= harbour.clock() < lease.end and lease.deleted_at is None
        for reservation in lease.reservations if is_in_force else ():
            for row in reservation.slots:
                slots[names[row.host_id]][reservation.resource_class] = row.count
    return slots


def resized(lease: Lease, amount: int) -> Lease:
    """The lease with another number of instances on its host."""
    [reservation] = lease.reservations
    [row] = reservation.slots
    assert isinstance(reservation.request, InstanceRequest)
    changed = replace(
        reservation, request=replace(reservation.request, amount=amount), slots=(replace(row, count=amount),)
    )
    return replace(lease, reservations=(changed,))


def prolonged(lease: Lease, by: timedelta) -> Lease:
    """The lease with a later end."""
    events = (
        replace(event, time=event.time + by, next_attempt_at=event.time + by)
        if event.event_type == "end_lease"
        else event
        for event in lease.events
    )
    return replace(lease, end=lease.end + by, events=tuple(events))


@effort(3)
@given(actions=ACTIONS)
def test_what_placement_holds_is_what_leases_in_force_say(
    harbour: Harbour, actions: list[tuple[str, int, int]]
) -> None:
    harbour.clock.now = NOON
    # What earlier examples have left: nothing, but hosts.
    hosts = [harbour.host(f"quay-{uuid4().hex}") for _ in range(2)]
    harbour.settle()
    leases: list[Lease] = []
    for action, number, amount in actions:
        if action == "book":
            start = harbour.clock.now - NOON + timedelta(minutes=10 * (number % 4))
            end = start + timedelta(minutes=10 + 10 * number)
            leases.append(harbour.lease((hosts[number % 2], amount), start=start, end=end))
        elif action == "later":
            harbour.clock.now += timedelta(minutes=10 * amount)
        elif leases and (lease := harbour.shown(leases[number % len(leases)])).status in ("PENDING", "ACTIVE"):
            if action == "delete":
                harbour.delete_lease(lease)
            elif action == "resize":
                harbour.change(lease, partial(resized, amount=amount))
            elif action == "prolong":
                harbour.change(lease, partial(prolonged, by=timedelta(minutes=10 * amount)))
        _work(harbour, after=number if action == "killed" else None)
        assert {host.name: harbour.slots(host) for host in hosts} == said(harbour, hosts, leases)
        living = [lease for lease in map(harbour.shown, leases) if lease.end > harbour.clock() and not lease.deleted_at]
        assert harbour.classes() == {lease.reservations[0].resource_class for lease in living}
    harbour.clock.now += timedelta(days=1)
    harbour.settle()
    assert (harbour.classes(), harbour.flavors()) == (set(), {})


def _work(harbour: Harbour, after: int | None) -> None:
    """Do what is due; a worker may be killed after some writes, and then another one goes on."""
    left = after

    def before(_method: str, _path: str) -> None:
        nonlocal left
        if left is not None:
            left -= 1
            if left < 0:
                left = None
                raise Killed

    harbour.to_placement.before = harbour.to_compute.before = before
    try:
        harbour.settle()
    except Killed:
        harbour.clock.now += timedelta(minutes=2)
        harbour.settle()
    finally:
        left = None

"""Reservations on hosts that have failed: moved to others where there is room, flagged where there is none.

Slots that find no other place stay on the failed host: it may come back, and then nothing is missing any more.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from moorage.db.database import Transaction
from moorage.reservations.booking.booking_view import BookingView
from moorage.reservations.booking.host_availability import HostInventories
from moorage.reservations.booking.placing import place, place_most
from moorage.reservations.booking.schedule import to_settle
from moorage.reservations.healing.watching import watch
from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import NotEnough
from moorage.reservations.model.reservation import HostRequest, Reservation, Slots
from moorage.reservations.model.status import LeaseStatus
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, leases

LOG = logging.getLogger(__name__)

_LIVING: tuple[LeaseStatus, ...] = ("PENDING", "STARTING", "ACTIVE", "UPDATING", "ERROR")


def heal(room: Room) -> list[Lease]:
    """Look which hosts work, and do what can be done for leases; those that were changed."""
    known = watch(room)
    broken = {host.id for host in known if not host.reservable}
    now = room.now()
    living = room.read(leases.with_status, _LIVING)
    troubled = [lease for lease in living if _is_troubled(lease, known, broken, now, _horizon(room))]
    if not troubled:
        return []
    inventories = room.availability.inventories_now()
    healed = [room.write(_heal_one, room, lease.id, inventories, known, now) for lease in troubled]
    return [lease for lease in healed if lease is not None]


def _horizon(room: Room) -> timedelta | None:
    minutes = room.settings.reservation.healing_minutes
    return timedelta(minutes=minutes) if minutes else None


def _is_troubled(
    lease: Lease, hosts: Iterable[Host], broken: set[int], now: datetime, horizon: timedelta | None
) -> bool:
    """Whether it has slots on a host that fails it, soon enough to do something; or seems to have and has not."""
    if any(reservation.missing_resources for reservation in lease.reservations):
        return True
    if horizon is not None and lease.start > now + horizon:
        return False
    failing = _failing(lease, hosts, broken, now)
    return any(slots.host_id in failing for part in _living(lease) for slots in part.slots)


def _failing(lease: Lease, hosts: Iterable[Host], broken: set[int], now: datetime) -> set[int]:
    """Hosts that cannot keep what was promised: they do not work, or are maintained during the lease."""
    rest = Period(max(lease.start, now), lease.end)
    maintained = {host.id for host in hosts if any(window.period.overlaps(rest) for window in host.maintenance)}
    return broken | maintained


def _living(lease: Lease) -> list[Reservation]:
    return [reservation for reservation in lease.reservations if reservation.status in ("pending", "active")]


def _heal_one(
    tx: Transaction, room: Room, lease_id: str, inventories: HostInventories, hosts: list[Host], now: datetime
) -> Lease | None:
    revision = booking_lock.acquire(tx)
    lease = leases.lock(tx, lease_id)
    if lease is None or lease.status not in _LIVING or lease.end <= now:
        return None
    broken = {host.id for host in hosts if not host.reservable}
    failing = _failing(lease, hosts, broken, now)
    view = room.availability.view_before(tx.connection, revision, inventories, now)
    view = view.without(leases.number_of(tx.connection, lease_id))
    rest = Period(max(lease.start, now), lease.end)
    parts: list[Reservation] = []
    for reservation in lease.reservations:
        healed = reservation
        if reservation.status in ("pending", "active"):
            healed = _placed_again(view, reservation, rest, failing)
            view = view.plus(healed.request, healed.slots, rest)
        parts.append(replace(healed, updated_at=now) if healed != reservation else reservation)
    degraded = any(part.missing_resources for part in parts)
    after = replace(lease, reservations=tuple(parts), degraded=degraded)
    if after == lease:
        return None
    LOG.warning("The lease %s was looked after: %s", lease.id, "resources are missing" if degraded else "all is there")
    after = to_settle(replace(after, revision=revision, updated_at=now), now)
    leases.save(tx, lease, after)
    return after


def _sound(reservation: Reservation, failing: set[int]) -> tuple[Slots, ...]:
    return tuple(slots for slots in reservation.slots if slots.host_id not in failing)


def _placed_again(view: BookingView, reservation: Reservation, rest: Period, failing: set[int]) -> Reservation:
    """The reservation with slots on hosts that work, as far as there are any, and a flag if some find no place."""
    if all(slots.host_id not in failing for slots in reservation.slots):
        return replace(reservation, missing_resources=False)
    sound, request = _sound(reservation, failing), reservation.request
    if isinstance(request, HostRequest):
        # It gets back what it had, and not as many as it would have liked at first.
        request = replace(request, max=max(request.min, len(reservation.slots)))
    try:
        slots, missing = place(view, request, rest, sound), False
    except NotEnough:
        found = place_most(view, request, rest, sound)
        # With what stays where it was, nothing is given up that may come back.
        slots, missing = (_completed(found, reservation, failing) if found else reservation.slots), True
    changed = reservation.resources_changed or (reservation.status == "active" and slots != reservation.slots)
    return replace(reservation, slots=slots, missing_resources=missing, resources_changed=changed)


def _completed(found: tuple[Slots, ...], reservation: Reservation, failing: set[int]) -> tuple[Slots, ...]:
    """Slots that were found, and for those that were not, places on the hosts that fail."""
    left = sum(slots.count for slots in reservation.slots) - sum(slots.count for slots in found)
    counts = {slots.host_id: slots.count for slots in found}
    for slots in reservation.slots:
        if slots.host_id in failing and left > 0:
            stays = min(slots.count, left)
            counts[slots.host_id] = counts.get(slots.host_id, 0) + stays
            left -= stays
    return tuple(Slots(host_id=number, count=count) for number, count in sorted(counts.items()))

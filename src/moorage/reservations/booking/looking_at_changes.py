"""What would become of a change of a lease: the same rules as for the change itself, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import Connection

from moorage.reservations.booking.booking_view import BookingView, goal_of
from moorage.reservations.booking.change import NoRoom, rearranged, redated, rescheduled, still_to_come
from moorage.reservations.booking.creation import check_limits
from moorage.reservations.booking.looking import Alternative, Shortage, Verdict, alternatives, short_of, shortages
from moorage.reservations.booking.orders import LeaseChange, ReservationChange
from moorage.reservations.booking.placing import slots_by_position
from moorage.reservations.booking.resizing import resized
from moorage.reservations.calendar.columns import Numbers, instant, seconds
from moorage.reservations.calendar.score import Goal
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import Invalid, OverLimit, Refusal
from moorage.reservations.model.reservation import HostRequest
from moorage.reservations.room import Room
from moorage.reservations.store import leases
from moorage.reservations.store.errors import NotFound

_Fits = Callable[[LeaseChange], bool]


def would_change(room: Room, lease_id: str, wanted: LeaseChange) -> Verdict:
    """Whether a change would be made; and if not for want of room or because of a limit, why not and what instead.

    What else is wrong with it is refused as the change itself would be.
    """
    view = None if wanted.is_rename_only else room.availability.recent_view(room.now())

    def work(connection: Connection) -> Verdict:
        lease = leases.find(connection, lease_id)
        if lease is None:
            raise NotFound(f"Lease {lease_id} could not be found.")
        after = redated(lease, wanted)
        if view is None:
            return Verdict(after)
        beside = view.without(leases.number_of(connection, lease_id))

        def fits(other: LeaseChange) -> bool:
            try:
                changed = rearranged(redated(lease, other), lease, other, beside)
                check_limits(connection, room, changed, other.ordered_at, limited=other.limited, before=lease)
            except Refusal:
                return False
            return True

        try:
            after = rearranged(after, lease, wanted, beside)
        except NoRoom as refusal:
            instead = tuple(_instead(refusal, lease, after, wanted, beside, fits))
            return Verdict(None, str(refusal), tuple(_missing(refusal, lease, after, wanted.ordered_at)), instead)
        try:
            check_limits(connection, room, after, wanted.ordered_at, limited=wanted.limited, before=lease)
        except (Invalid, OverLimit) as refusal:
            return Verdict(None, str(refusal))
        return Verdict(rescheduled(after, lease, wanted, room.warning))

    return room.read(work)


def _missing(refusal: NoRoom, lease: Lease, after: Lease, now: datetime) -> Iterator[Shortage]:
    """Of what is active only the hosts that it is on count for a later end, and for growth what is beside it there."""
    view, reservation, request = refusal.view, refusal.reservation, refusal.request
    if reservation.status != "active":
        yield from shortages(view, request, after.period)
        return
    had = slots_by_position(view, reservation.slots)
    if after.end > lease.end:
        everywhere = np.ones(len(view.hosts), np.bool_)
        missing = list(short_of(view, reservation.request, Period(lease.end, after.end), had, everywhere))
        if missing:
            yield from missing
            return
    wanted = _room_to_grow(goal_of(request), had)
    yield from short_of(view, request, still_to_come(after.period, now), wanted, view.usable(request))


def _room_to_grow(goal: Goal, had: Numbers) -> Numbers:
    """How much room each host would have to have to be of help."""
    match goal.affinity:
        case None:
            return had + 1
        case True:
            return np.where(had > 0, goal.amount, 0)
    return np.where(had > 0, 0, 1)


def _instead(
    refusal: NoRoom, lease: Lease, after: Lease, wanted: LeaseChange, beside: BookingView, fits: _Fits
) -> Iterator[Alternative]:
    """What would fit instead; each was tried."""
    if wanted.start in {None, lease.start} and after.end > lease.end:
        end = _latest_end(lease.end, after.end, beside, lambda end: fits(replace(wanted, end=end)))
        if end is not None:
            yield Alternative("shorter", end=end)
    reservation, request = refusal.reservation, refusal.request
    if reservation.status == "active":
        if _amount(refusal) > _least(refusal):
            most = _most(_least(refusal), _amount(refusal), lambda amount: fits(_with_amount(wanted, refusal, amount)))
            if most is not None:
                yield Alternative("fewer", amount=most)
        return
    draft = replace(
        after,
        reservations=tuple(
            replace(one, request=resized(one, wanted.reservations.get(one.id, ReservationChange())))
            for one in after.reservations
        ),
    )
    for one in alternatives(refusal.view, beside, draft, request):
        if fits(_taking(one, wanted, refusal, after.period.length)):
            yield one


def _latest_end(
    least: datetime, most: datetime, view: BookingView, fits: Callable[[datetime], bool]
) -> datetime | None:
    """The latest end between two at which it fits. Room only shrinks with time, and where something else begins."""
    begins = np.unique(view.holds.start)
    inside = begins[(begins > seconds(least)) & (begins < seconds(most))]
    ends = [end for end in (instant(int(number)).replace(second=0) for number in inside) if end > least]
    place = _last(len(ends), lambda place: fits(ends[place]))
    return None if place is None else ends[place]


def _most(least: int, most: int, fits: Callable[[int], bool]) -> int | None:
    """The largest amount above the least and below the most that fits."""
    place = _last(most - least - 1, lambda place: fits(least + 1 + place))
    return None if place is None else least + 1 + place


def _last(count: int, fits: Callable[[int], bool]) -> int | None:
    """The last place that fits, where all before one that fits do so as well."""
    first, end = 0, count
    while first < end:
        middle = (first + end) // 2
        if fits(middle):
            first = middle + 1
        else:
            end = middle
    return first - 1 if first else None


def _amount(refusal: NoRoom) -> int:
    return goal_of(refusal.request).amount


def _least(refusal: NoRoom) -> int:
    """What it has, and keeps."""
    return goal_of(refusal.reservation.request).amount


def _taking(one: Alternative, wanted: LeaseChange, refusal: NoRoom, length: timedelta) -> LeaseChange:
    """The change with an alternative in place of what did not fit."""
    match one.kind:
        case "fewer":
            return _with_amount(wanted, refusal, one.amount or 0)
        case "later":
            start = one.start or wanted.ordered_at
            return replace(wanted, start=start, end=start + length)
    change = wanted.reservations.get(refusal.reservation.id, ReservationChange())
    return _with(wanted, refusal, replace(change, affinity=one.affinity))


def _with_amount(wanted: LeaseChange, refusal: NoRoom, amount: int) -> LeaseChange:
    change = wanted.reservations.get(refusal.reservation.id, ReservationChange())
    if isinstance(refusal.request, HostRequest):
        return _with(wanted, refusal, replace(change, min=amount))
    return _with(wanted, refusal, replace(change, amount=amount))


def _with(wanted: LeaseChange, refusal: NoRoom, change: ReservationChange) -> LeaseChange:
    return replace(wanted, reservations={**wanted.reservations, refusal.reservation.id: change})

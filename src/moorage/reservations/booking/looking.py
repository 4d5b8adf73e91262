"""Questions about what would be: whether a lease fits and why not, when it could begin, and how much is free when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np

from moorage.reservations.booking.booking_view import BookingView, demand_of, goal_of
from moorage.reservations.booking.creation import check_limits, draft, placed
from moorage.reservations.booking.orders import LeaseOrder
from moorage.reservations.booking.schedule import notice_time
from moorage.reservations.calendar.columns import Flags, Numbers, instant, seconds
from moorage.reservations.calendar.score import Goal
from moorage.reservations.calendar.starts import Starts, possible_starts
from moorage.reservations.calendar.totals import Stretch, totals
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import Invalid, NotEnough, OverLimit
from moorage.reservations.model.reservation import HostRequest, InstanceRequest, Request
from moorage.reservations.room import Room

# How far ahead later starts are looked for, and how many of the hosts that fail are told one by one.
HORIZON = timedelta(days=30)
_MOST_HOSTS = 50
_MOST_TRIED = 100
# No lease begins or ends later.
LAST_DAY = datetime(9999, 12, 31)  # noqa: DTZ001 - all times are UTC without a zone


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why a host has no room: which resource is short, and who holds it until when."""

    host: str
    # The class of which there is least, or "host" for a whole host, or what else rules the host out.
    resource: str
    free: int
    wanted: int
    leases: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Alternative:
    """What would fit instead."""

    kind: str
    amount: int | None = None
    start: datetime | None = None
    affinity: bool | None = None
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What would become of an order, or of a change, now."""

    lease: Lease | None
    reason: str = ""
    shortages: tuple[Shortage, ...] = ()
    alternatives: tuple[Alternative, ...] = ()


def would_fit(room: Room, order: LeaseOrder) -> Verdict:
    """Whether an order would be booked and where; and if not, why not and what instead."""
    now = order.ordered_at
    lease = draft(order, now)
    notice_time(lease, order.before_end, room.warning)
    try:
        room.read(check_limits, room, lease, now, limited=order.limited)
    except (Invalid, OverLimit) as refusal:
        return Verdict(None, str(refusal))
    view = room.availability.recent_view(room.now())
    try:
        return Verdict(placed(view, lease))
    except NotEnough as refusal:
        request, before = _first_that_fails(view, lease)
        found = tuple(alternatives(before, view, lease, request))
        return Verdict(None, str(refusal), tuple(shortages(before, request, lease.period)), found)


def starts(
    view: BookingView, request: Request, earliest: datetime, duration: timedelta, horizon: timedelta
) -> list[Starts]:
    """When a request could begin: all starts from the earliest time on, up to a horizon."""
    horizon = min(horizon, LAST_DAY - earliest - duration)
    if horizon < timedelta():
        return []
    period = Period(earliest, earliest + horizon + duration)
    return possible_starts(view.steps(request, period), goal_of(request), int(duration.total_seconds()))


def availability(view: BookingView, request: Request, period: Period) -> list[Stretch]:
    """How many slots for a request are free over time, on all hosts together."""
    goal = Goal(1, affinity=False) if isinstance(request, HostRequest) else Goal(1 << 40)
    return totals(view.steps(request, period), goal)


def _first_that_fails(view: BookingView, lease: Lease) -> tuple[Request, BookingView]:
    """The first reservation that does not fit, and the view with those before it."""
    for reservation in lease.reservations:
        one = replace(lease, reservations=(reservation,))
        try:
            done = placed(view, one)
        except NotEnough:
            return reservation.request, view
        view = view.plus(reservation.request, done.reservations[0].slots, lease.period)
    raise AssertionError("every reservation fits by itself after those before it")


def shortages(view: BookingView, request: Request, period: Period) -> Iterator[Shortage]:
    """The hosts that have no room for what a new request needs of each."""
    wanted = request.amount if isinstance(request, InstanceRequest) and request.affinity is True else 1
    return short_of(view, request, period, np.full(len(view.hosts), wanted), view.usable(request))


def short_of(view: BookingView, request: Request, period: Period, wanted: Numbers, usable: Flags) -> Iterator[Shortage]:
    """The hosts that have less room than is wanted of each."""
    free = view.free(request, period, usable)
    start, end = seconds(period.start), seconds(period.end)
    held = view.holds.during(start, end)
    demand = demand_of(request)
    # Were each class the only one.
    by_class = {
        name: view.free(replace_resources(request, {name: amount}), period, usable)
        for name, amount in demand.resources.items()
    }
    for position in np.flatnonzero(free < wanted)[:_MOST_HOSTS]:
        name, here = view.hosts[position].name, held.where(held.host == position)
        if not usable[position]:
            yield Shortage(name, "properties", 0, int(wanted[position]), 0, None)
            continue
        whole = demand.whole_host or here.whole.any()
        resource = "host" if whole else min(by_class, key=lambda one: int(by_class[one][position]))
        leases = len(np.unique(here.lease[here.lease > 0]))
        until = instant(int(here.end.max())) if len(here) else None
        yield Shortage(name, resource, int(free[position]), int(wanted[position]), leases, until)


def replace_resources(request: Request, resources: dict[str, int]) -> Request:
    """The same request for less."""
    return replace(request, resources=resources) if isinstance(request, InstanceRequest) else request


def alternatives(before: BookingView, view: BookingView, lease: Lease, request: Request) -> Iterator[Alternative]:
    """What would fit instead of a request that does not, beside the other reservations of its lease."""
    goal = goal_of(request)
    free = before.free(request, lease.period)
    most = int(free.max(initial=0)) if goal.affinity is True else int(goal.points(free).sum())
    if most:
        yield Alternative("fewer", amount=most)
    if isinstance(request, InstanceRequest) and goal.affinity is not None and Goal(goal.amount).reached(free):
        yield Alternative("other affinity", amount=goal.amount, affinity=None)
    later = _next_start(view, lease)
    if later is not None:
        yield Alternative("later", amount=goal.amount, start=later)


def _next_start(view: BookingView, lease: Lease) -> datetime | None:
    """The first whole minute, as requests have them, at which all reservations of a lease fit side by side.

    None, too, where many times were tried at which each would fit by itself and not all of them do.
    """
    each = [starts(view, one.request, lease.start, lease.period.length, HORIZON) for one in lease.reservations]
    candidates = sorted({_minute(one) for found in each for one in found})
    for number in candidates[:_MOST_TRIED]:
        if all(any(one.first <= number <= one.last for one in found) for found in each):
            start = instant(number)
            try:
                placed(view, replace(lease, start=start, end=start + lease.period.length))
            except NotEnough:
                continue
            return start
    return None


def _minute(found: Starts) -> int:
    """The first whole minute of a period, which may be too short to have one."""
    return -(-found.first // 60) * 60

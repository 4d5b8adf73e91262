"""Where a request goes: how many slots on which hosts. Pure.

Slots that it has already stay where they are if they can. Beyond that instances fill hosts that are used already and
have the least room left, so that whole hosts and large instances still find theirs; whole hosts come from those that
are reserved least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from moorage.reservations.booking.booking_view import BookingView, conditions_of, goal_of, properties_of
from moorage.reservations.calendar.columns import Numbers, seconds
from moorage.reservations.model.period import Period
from moorage.reservations.model.refusals import CannotChange, NotEnough
from moorage.reservations.model.reservation import HostRequest, Request, Slots


def place(view: BookingView, request: Request, period: Period, now_on: tuple[Slots, ...] = ()) -> tuple[Slots, ...]:
    """The slots of a request for a whole period, which shall stay `now_on` the hosts they are on; NotEnough."""
    free = view.free(request, period)
    had = slots_by_position(view, now_on)
    return _slots(view, _counts(view, request, period, free, np.minimum(had, free)))


def place_most(view: BookingView, request: Request, period: Period, now_on: tuple[Slots, ...]) -> tuple[Slots, ...]:
    """As many of the slots of a request as find a place; with affinity all or none."""
    fitting = _fitting(request, view.free(request, period))
    return () if fitting is None else place(view, fitting, period, now_on)


def _fitting(request: Request, free: Numbers) -> Request | None:
    """As much of a request as there is room for."""
    if isinstance(request, HostRequest):
        found = int((free > 0).sum())
        return replace(request, min=min(request.min, found)) if found else None
    goal = goal_of(request)
    points = int(goal.points(free).sum())
    if not points:
        return None
    return request if goal.affinity is True else replace(request, amount=min(points, request.amount))


def stay(view: BookingView, request: Request, period: Period, now_on: tuple[Slots, ...]) -> None:
    """Refuse unless all slots can stay where they are for a whole period."""
    usable = np.ones(len(view.hosts), np.bool_)
    missing = slots_by_position(view, now_on) > view.free(request, period, usable)
    if missing.any():
        names = ", ".join(view.hosts[place].name for place in np.flatnonzero(missing)[:5])
        raise NotEnough(
            f"Not enough hosts available: the lease is active, so its instances stay on their hosts, and {names}"
            f" {'is' if missing.sum() == 1 else 'are'} taken by others before {period.end:%Y-%m-%d %H:%M}."
        )


def grow(view: BookingView, request: Request, period: Period, now_on: tuple[Slots, ...]) -> tuple[Slots, ...]:
    """The slots that an active reservation has when it gets as many as it asks for: all it had, and more."""
    had = slots_by_position(view, now_on)
    conditions = conditions_of(request)
    for host in (view.hosts[position] for position in np.flatnonzero(had).tolist()):
        if not all(condition.met_by(properties_of(host)) for condition in conditions):
            raise CannotChange(
                f"An active reservation keeps its hosts, and {host.name} is not what it would ask for then."
            )
    free = np.maximum(view.free(request, period), had)
    counts = _counts(view, request, period, free, had)
    if any(counts.get(int(position), 0) < had[position] for position in np.flatnonzero(had)):
        raise NotEnough(
            "Not enough hosts available: an active reservation keeps its hosts, and they have no more room."
        )
    return _slots(view, counts)


def _counts(view: BookingView, request: Request, period: Period, free: Numbers, kept: Numbers) -> dict[int, int]:
    """How many slots on which position; `kept` are those that it has there already and may keep."""
    order = _order(view, request, period, free, kept)
    if isinstance(request, HostRequest):
        return _whole_hosts(request, free, order)
    return _instances(request, free, order, kept)


def _instances(request: Request, free: Numbers, order: Numbers, kept: Numbers) -> dict[int, int]:
    goal = goal_of(request)
    if goal.affinity is True:
        found = next((position for position in order if free[position] >= goal.amount), None)
        if found is None:
            most = int(free.max(initial=0))
            raise NotEnough(
                f"Not enough hosts available: no host has room for all {goal.amount} instances; at most {most} fit on"
                " one."
            )
        return {int(found): goal.amount}
    points = goal.points(free)
    if int(points.sum()) < goal.amount:
        raise NotEnough(
            f"Not enough hosts available: {int(points.sum())} of {goal.amount} instances fit"
            f"{', each on a host of its own' if goal.affinity is False else ''}."
        )
    counts: dict[int, int] = {}
    left = goal.amount
    # First what it has, on every host, and only then more: nothing moves to make room for its own growth.
    for wanted in (np.minimum(kept, points), points):
        for position in order:
            more = min(int(wanted[position]) - counts.get(int(position), 0), left)
            if more > 0:
                counts[int(position)] = counts.get(int(position), 0) + more
                left -= more
            if not left:
                return counts
    return counts


def _whole_hosts(request: HostRequest, free: Numbers, order: Numbers) -> dict[int, int]:
    found = [int(position) for position in order if free[position] > 0][: request.max]
    if len(found) < request.min:
        raise NotEnough(f"Not enough hosts available: {len(found)} of {request.min} hosts are free for the whole time.")
    return dict.fromkeys(found, 1)


def _order(view: BookingView, request: Request, period: Period, free: Numbers, had: Numbers) -> Numbers:
    """Positions of hosts, the best first: those it is on, and then see above."""
    count = len(view.hosts)
    nearby = view.holds.during(seconds(period.start), seconds(period.end))
    used = np.bincount(nearby.host, minlength=count)[:count] if count else np.zeros(0, np.int64)
    if isinstance(request, HostRequest):
        kept = view.holds.where(view.holds.host >= 0)
        used = np.bincount(kept.host, minlength=count)[:count] if count else used
        return np.lexsort((np.arange(count), used, -had))
    return np.lexsort((np.arange(count), free, used == 0, -had))


def slots_by_position(view: BookingView, slots: tuple[Slots, ...]) -> Numbers:
    """How many of the slots are on each host of a view."""
    counts: Mapping[int, int] = {row.host_id: row.count for row in slots}
    return np.fromiter((counts.get(host.id, 0) for host in view.hosts), np.int64, len(view.hosts))


def _slots(view: BookingView, counts: Mapping[int, int]) -> tuple[Slots, ...]:
    return tuple(Slots(host_id=view.hosts[position].id, count=count) for position, count in sorted(counts.items()))

"""What a project may book at most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from moorage.reservations.model.lease import Lease
from moorage.reservations.model.refusals import Invalid, OverLimit
from moorage.reservations.model.reservation import HostRequest, Request, Reservation


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """0 stands for no limit. The names are those of the settings."""

    max_lease_duration: int = 0
    max_leases: int = 0
    max_instance_hours: int = 0
    max_days_ahead: int = 0


NAMES = ("max_lease_duration", "max_leases", "max_instance_hours", "max_days_ahead")
NO_LIMITS = Limits()


def limits_of(defaults: Mapping[str, int], own: Mapping[str, int]) -> Limits:
    """What counts for a project: what was set for it, and else the defaults."""
    return Limits(**{name: own.get(name, defaults[name]) for name in NAMES})


def check(lease: Lease, others: Iterable[Lease], limits: Limits, now: datetime, before: Lease | None = None) -> None:
    """Refuse a lease, new or changed, beside the others of its project that have not ended.

    A change that makes nothing worse than it was `before` passes, also where the limits were lowered meanwhile.
    """
    was = timedelta() if before is None else before.period.length
    if limits.max_lease_duration and lease.period.length > max(timedelta(seconds=limits.max_lease_duration), was):
        raise Invalid(
            f"Lease duration of {int(lease.period.length.total_seconds())} seconds must be less than or equal to the"
            f" maximum lease duration of {limits.max_lease_duration} seconds."
        )
    is_later = before is None or lease.end > before.end
    if limits.max_days_ahead and is_later and (lease.end - now) / timedelta(days=1) > limits.max_days_ahead:
        raise Invalid(
            f"The lease ends at {lease.end:%Y-%m-%d %H:%M}; it may end {limits.max_days_ahead} days from now at the"
            " latest (max_days_ahead)."
        )
    held = [other for other in others if other.id != lease.id]
    if before is None and limits.max_leases and len(held) + 1 > limits.max_leases:
        raise OverLimit(f"The project has {len(held)} leases; it may have {limits.max_leases} (max_leases).")
    if limits.max_instance_hours:
        _check_hours(lease, held, limits.max_instance_hours, now, before)


def _check_hours(lease: Lease, held: list[Lease], most: int, now: datetime, before: Lease | None) -> None:
    others, hours = sum(instance_hours(other, now) for other in held), instance_hours(lease, now)
    had = 0.0 if before is None else instance_hours(before, now)
    if hours > had and others + hours > most:
        raise OverLimit(
            f"The lease takes {hours:.1f} instance-hours and the other leases of the project {others:.1f}; it may"
            f" have {most} (max_instance_hours)."
        )


def instance_hours(lease: Lease, now: datetime) -> float:
    """The hours of instances, or of whole hosts, that a lease still has to come."""
    left = (lease.end - max(lease.start, now)).total_seconds() / 3600
    return max(left, 0.0) * sum(slots_of(reservation) for reservation in lease.reservations)


def slots_of(reservation: Reservation) -> int:
    """How many instances or hosts a reservation has; those it asks for, while it has none yet."""
    return sum(row.count for row in reservation.slots) or _wanted(reservation.request)


def _wanted(request: Request) -> int:
    return request.min if isinstance(request, HostRequest) else request.amount

"""What leases take, and whether anybody uses it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moorage.reservations.booking.inventories import Stock
from moorage.reservations.booking.limits import slots_of
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.period import Period
from moorage.reservations.model.reservation import PHYSICAL_HOST, Reservation


@dataclass(frozen=True, slots=True)
class LeaseUse:
    """One lease in a report."""

    slots: int
    # What runs on whole hosts is not counted by reservations; then it is None.
    servers: int | None
    # It is active, and nobody has launched anything.
    idle: bool


def use_of(lease: Lease, stocks: Mapping[int, Stock]) -> LeaseUse:
    """How much of a lease is used at present, by what Placement says about hosts."""
    slots = sum(slots_of(reservation) for reservation in lease.reservations)
    instances = [one for one in lease.reservations if one.resource_type != PHYSICAL_HOST]
    servers = sum(_servers(reservation, stocks) for reservation in instances)
    used = servers > 0 or any(_is_used(one, stocks) for one in lease.reservations if one.resource_type == PHYSICAL_HOST)
    counted = len(instances) == len(lease.reservations)
    return LeaseUse(slots, servers if counted else None, idle=lease.status == "ACTIVE" and slots > 0 and not used)


def hours_in(lease: Lease, period: Period) -> float:
    """The hours of instances, or of whole hosts, that a lease has in a period; one that was deleted, until then."""
    end = lease.end if lease.deleted_at is None else min(lease.end, lease.deleted_at)
    seconds = (min(end, period.end) - max(lease.start, period.start)).total_seconds()
    held = sum(row.count for reservation in lease.reservations for row in reservation.slots)
    return max(seconds, 0.0) / 3600 * held


def _servers(reservation: Reservation, stocks: Mapping[int, Stock]) -> int:
    name = reservation.resource_class
    return sum(stock.reserved_servers.get(name, 0) for stock in stocks.values())


def _is_used(reservation: Reservation, stocks: Mapping[int, Stock]) -> bool:
    hosts = (stocks.get(row.host_id) for row in reservation.slots)
    return any(stock is not None and any(stock.used.values()) for stock in hosts)

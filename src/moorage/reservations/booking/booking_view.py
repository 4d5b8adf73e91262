"""What a booking is decided from: hosts, what they offer, and what is held when, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moorage.reservations.booking.inventories import Stock
from moorage.reservations.calendar.columns import Flags, Numbers, seconds
from moorage.reservations.calendar.demand import WHOLE_HOST, Demand
from moorage.reservations.calendar.holds import Holds
from moorage.reservations.calendar.profile import Profile, profile
from moorage.reservations.calendar.score import Goal
from moorage.reservations.calendar.supply import Supply
from moorage.reservations.calendar.window import fits
from moorage.reservations.model.host import Host
from moorage.reservations.model.period import Period
from moorage.reservations.model.properties import Condition, read_condition
from moorage.reservations.model.reservation import HostRequest, Request, Slots


@dataclass(frozen=True, slots=True)
class BookingView:
    """The columns are in the order of the hosts."""

    hosts: Sequence[Host]
    stocks: Mapping[int, Stock]
    supply: Supply
    holds: Holds

    def without(self, lease_number: int) -> BookingView:
        """As if a lease held nothing."""
        return replace(self, holds=self.holds.without(lease_number))

    def plus(self, request: Request, slots: Iterable[Slots], period: Period) -> BookingView:
        """As if these slots were held as well."""
        position = {host.id: place for place, host in enumerate(self.hosts)}
        rows = [(position[row.host_id], row.count) for row in slots if row.host_id in position]
        demand = demand_of(request)
        count = len(rows)
        more = Holds(
            np.array([place for place, _ in rows], np.int64),
            np.zeros(count, np.int64),
            np.full(count, seconds(period.start), np.int64),
            np.full(count, seconds(period.end), np.int64),
            np.full(count, demand.whole_host, np.bool_),
            {
                name: np.array([amount * slot_count for _, slot_count in rows], np.int64)
                for name, amount in demand.resources.items()
            },
        )
        return replace(self, holds=self.holds.plus(more))

    def usable(self, request: Request) -> Flags:
        """The hosts that come into question for a request, whatever is free on them."""
        conditions = conditions_of(request)
        suits = (
            host.reservable and self._has_traits(host, request) and _meets(host, conditions) for host in self.hosts
        )
        return np.fromiter(suits, np.bool_, len(self.hosts))

    def steps(self, request: Request, period: Period, usable: Flags | None = None) -> Profile:
        """How many slots for a request are free on each host over time."""
        mask = self.usable(request) if usable is None else usable
        start, end = seconds(period.start), seconds(period.end)
        return profile(self.supply, self.holds, demand_of(request), start, end, mask)

    def free(self, request: Request, period: Period, usable: Flags | None = None) -> Numbers:
        """How many slots for a request each host has for a whole period."""
        return fits(self.steps(request, period, usable))

    def _has_traits(self, host: Host, request: Request) -> bool:
        if isinstance(request, HostRequest) or not (request.required_traits or request.forbidden_traits):
            return True
        stock = self.stocks.get(host.id)
        traits = frozenset() if stock is None else stock.traits
        return request.required_traits <= traits and not request.forbidden_traits & traits


def conditions_of(request: Request) -> tuple[Condition, ...]:
    """What a request asks of the properties of hosts."""
    texts = [request.resource_properties]
    if isinstance(request, HostRequest):
        texts.append(request.hypervisor_properties)
    return tuple(read_condition(text) for text in texts if text)


def _meets(host: Host, conditions: tuple[Condition, ...]) -> bool:
    if not conditions:
        return True
    properties = properties_of(host)
    return all(condition.met_by(properties) for condition in conditions)


def demand_of(request: Request) -> Demand:
    """What one slot takes."""
    return WHOLE_HOST if isinstance(request, HostRequest) else Demand(request.resources, parts=request.parts)


def goal_of(request: Request) -> Goal:
    """How many slots there must be, and where."""
    if isinstance(request, HostRequest):
        return Goal(request.min, affinity=False)
    return Goal(request.amount, request.affinity)


def properties_of(host: Host) -> dict[str, str]:
    """All that conditions may ask of a host: what compute says about it, and its capabilities."""
    own = {name: str(value) for name, value in builtin_properties(host).items()}
    return own | dict(host.capabilities)


def builtin_properties(host: Host) -> dict[str, str | int]:
    """What every host has."""
    return {
        "id": str(host.id),
        "hypervisor_hostname": host.name,
        "service_name": host.service_name,
        "availability_zone": host.availability_zone,
        "hypervisor_type": host.hypervisor.hypervisor_type,
        "hypervisor_version": host.hypervisor.hypervisor_version,
        "cpu_info": host.hypervisor.cpu_info,
        "vcpus": host.hypervisor.vcpus,
        "memory_mb": host.hypervisor.memory_mb,
        "local_gb": host.hypervisor.local_gb,
    }

"""All that a decision needs, side by side: hosts, what they offer, and what is held when."""

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
from moorage.reservations.model.properties import read_condition
from moorage.reservations.model.reservation import HostRequest, InstanceRequest, Request, Slots


@dataclass(frozen=True, slots=True)
class Board:
    """The columns are in the order of the hosts."""

    hosts: Sequence[Host]
    stocks: Mapping[int, Stock]
    supply: Supply
    holds: Holds

    def without(self, lease_number: int) -> Board:
        """As if a lease held nothing."""
        return replace(self, holds=self.holds.without(lease_number))

    def plus(self, request: Request, slots: Iterable[Slots], period: Period, lease_number: int = 0) -> Board:
        """As if these slots were held as well."""
        position = {host.id: place for place, host in enumerate(self.hosts)}
        rows = [(position[row.host_id], row.count) for row in slots if row.host_id in position]
        demand = demand_of(request)
        count = len(rows)
        more = Holds(
            np.array([place for place, _ in rows], np.int64),
            np.full(count, lease_number, np.int64),
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
        return np.fromiter((self._suits(host, request) for host in self.hosts), np.bool_, len(self.hosts))

    def steps(self, request: Request, period: Period, usable: Flags | None = None) -> Profile:
        """How many slots for a request are free on each host over time."""
        mask = self.usable(request) if usable is None else usable
        start, end = seconds(period.start), seconds(period.end)
        return profile(self.supply, self.holds, demand_of(request), start, end, mask)

    def free(self, request: Request, period: Period, usable: Flags | None = None) -> Numbers:
        """How many slots for a request each host has for a whole period."""
        return fits(self.steps(request, period, usable))

    def _suits(self, host: Host, request: Request) -> bool:
        if not host.reservable:
            return False
        if isinstance(request, InstanceRequest) and (request.required_traits or request.forbidden_traits):
            stock = self.stocks.get(host.id)
            traits = frozenset() if stock is None else stock.traits
            if not request.required_traits <= traits or request.forbidden_traits & traits:
                return False
        texts = [request.resource_properties]
        if isinstance(request, HostRequest):
            texts.append(request.hypervisor_properties)
        return all(read_condition(text).met_by(properties_of(host)) for text in texts if text)


def demand_of(request: Request) -> Demand:
    """What one slot takes."""
    return WHOLE_HOST if isinstance(request, HostRequest) else Demand(request.resources)


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

"""What servers use and leases promise of each pooled flavor, by zone.

It is told from the same list of servers as the demand for the pool, and by the same rules. A slot that was reserved by
its size alone is none of any flavor. Split flavors are counted by the report itself.
"""

from __future__ import annotations

from moorage.capacity.lease_demand import Amounts, Counting, Promises, demand_from, source_flavor
from moorage.capacity.model.demand import FlavorDemand
from moorage.capacity.model.flavor import is_pooled
from moorage.client.compute import Server
from moorage.client.reservation import Reservation, ReservationHost
from moorage.reservations.model.names import is_flavor_name


def demand_by_flavor(promises: Promises) -> tuple[FlavorDemand, ...]:
    """By name and zone, in that order; only what somebody uses or was promised."""
    return tuple(
        FlavorDemand(name, zone, demand)
        for name, zone, demand in demand_from(promises, Counting(_of_server, _of_slot))
        if demand.total
    )


def _of_server(server: Server, reservation: Reservation | None) -> Amounts:
    if reservation is not None:
        return _of_reservation(reservation)
    name = server.flavor.name
    return {} if is_flavor_name(name) or not is_pooled(server.flavor.extra_specs) else {name: 1}


def _of_slot(reservation: Reservation, _host: ReservationHost, _used: Amounts) -> Amounts:
    return _of_reservation(reservation)


def _of_reservation(reservation: Reservation) -> Amounts:
    flavor = source_flavor(reservation)
    return {flavor.name: 1} if flavor is not None and is_pooled(flavor.extra_specs) else {}

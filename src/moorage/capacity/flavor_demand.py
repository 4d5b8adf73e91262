"""What servers use and leases promise of each pooled flavor, by zone.

It is told from the same list of servers as the demand for the pool, so it takes no question of its own. A slot that was
reserved by its size alone is none of any flavor. Split flavors are counted by the report itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from moorage.capacity.lease_demand import Promises, free_slots, is_running, servers_of, source_flavor, zones_of
from moorage.capacity.model.demand import Demand, FlavorDemand
from moorage.capacity.model.flavor import HYPERVISOR_TYPE, RESERVATION_PREFIX, SEPARATE_QUOTA


def demand_by_flavor(promises: Promises) -> tuple[FlavorDemand, ...]:
    """By name and zone, in that order; only what somebody uses or was promised."""
    usage: Counter[tuple[str, str]] = Counter()
    unused: Counter[tuple[str, str]] = Counter()
    pending: Counter[tuple[str, str]] = Counter()
    for server, reservation in servers_of(promises):
        source = source_flavor(reservation) if reservation else None
        name, extra_specs = server.flavor.name, server.flavor.extra_specs
        if source:
            name, extra_specs = source.name, source.extra_specs
        if is_pooled(extra_specs) and not name.startswith(RESERVATION_PREFIX):
            usage[name, server.availability_zone] += 1
    for reservation, host in free_slots(promises):
        source = source_flavor(reservation)
        if source and is_pooled(source.extra_specs):
            kind = unused if is_running(reservation) else pending
            kind[source.name, host.availability_zone or ""] += 1
    zones = zones_of(promises)
    return tuple(
        FlavorDemand(*key, Demand(usage[key], unused[key], pending[key]))
        for key in sorted({*usage, *unused, *pending})
        if key[1] in zones
    )


def is_pooled(extra_specs: Mapping[str, str]) -> bool:
    """Whether servers of a flavor with these extra specs are a part of the pool."""
    return extra_specs.get(SEPARATE_QUOTA) != "true" and extra_specs.get(HYPERVISOR_TYPE) != "ironic"

"""What of leases is missing in the cloud, and what is there of leases that are over.

Leases that something is being done about are left out: they are out of step for good reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from moorage.client.at_once import ask_at_once
from moorage.client.compute import Aggregate, Flavor
from moorage.client.errors import NotFound
from moorage.client.placement import ProviderFilter
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.flavors import PrivateFlavor
from moorage.reservations.enactment.instances import private_flavor
from moorage.reservations.enactment.isolation import Isolation
from moorage.reservations.enactment.phase import Phase, phase_of
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.names import (
    aggregate_name,
    flavor_name,
    is_aggregate_name,
    is_class_of_reservation,
    reservation_of_name,
    resource_class_of,
)
from moorage.reservations.model.reservation import PHYSICAL_HOST, Reservation
from moorage.reservations.store import host_reservations, hosts, leases

Repair = Literal["settle lease", "settle host", "end again", "remove"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not agree."""

    kind: str
    # The lease or host in question, or what was found where nobody knows whose it is.
    subject: str
    text: str
    # What is to be done about it; "remove" only where an operator says that it is nobody else's.
    repair: Repair
    # The reservation providers with slots that nobody has recorded.
    providers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Members:
    """Who is in an aggregate: hosts as compute says, and providers as Placement does, which keeps servers off them."""

    hosts: frozenset[str] = frozenset()
    providers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """What there is in the cloud."""

    classes: frozenset[str]
    # Inventories by host, and then by class; None for a host without a reservation provider.
    slots: Mapping[int, Mapping[str, int] | None]
    # The flavors of reservations, by their ids, and who may use them.
    flavors: Mapping[str, Flavor]
    projects: Mapping[str, frozenset[str]]
    aggregates: Mapping[str, Members]
    pool: Members


def audit(context: WorkerContext) -> list[Finding]:
    """All that does not agree, leases first."""
    rows = context.database.read(_rows)
    cloud = context.cloud()
    found = look(cloud, rows[1])
    all_leases, all_hosts, in_use = rows
    by_id = {host.id: host for host in all_hosts}
    now = context.clock()
    quiet = [lease for lease in all_leases if _is_quiet(lease)]
    findings: list[Finding] = []
    for lease in quiet:
        phase = phase_of(lease, now)
        findings += _of_lease(lease, phase, by_id, found, cloud.isolation)
    findings += _unknown({part.id for lease in all_leases for part in lease.reservations}, found)
    findings += _of_hosts(all_hosts, in_use, found)
    return findings


def _rows(connection: Connection) -> tuple[list[Lease], list[Host], frozenset[int]]:
    return leases.everything(connection), hosts.everything(connection), host_reservations.hosts_in_use(connection)


def look(cloud: Cloud, known_hosts: list[Host]) -> Found:
    """What there is of leases in the cloud."""
    aggregates = {
        each.id: each for each in cloud.compute.aggregates() if each.id == cloud.pool.id or is_aggregate_name(each.name)
    }
    members = ask_at_once(lambda number: _members(cloud, aggregates[number]), aggregates)
    private = {one.id: one for one in cloud.compute.flavors() if one.name == flavor_name(one.id)}
    by_id = {host.id: host for host in known_hosts}
    return Found(
        frozenset(name for name in cloud.placement.known_resource_classes() if is_class_of_reservation(name)),
        ask_at_once(lambda number: _slots(cloud, by_id[number]), by_id),
        private,
        ask_at_once(lambda flavor_id: _projects(cloud, flavor_id), private),
        {each.name: members[each.id] for each in aggregates.values() if each.id != cloud.pool.id},
        members.get(cloud.pool.id, Members()),
    )


def _members(cloud: Cloud, aggregate: Aggregate) -> Members:
    known = cloud.placement.providers(ProviderFilter(member_of=(aggregate.uuid,)))
    return Members(frozenset(aggregate.hosts), frozenset(provider.name for provider in known))


def _slots(cloud: Cloud, host: Host) -> Mapping[str, int] | None:
    provider = cloud.placement.provider_named(host.reservation_provider_name)
    if provider is None:
        return None
    inventories = cloud.placement.inventories(provider.uuid).inventories
    return {name: stock.capacity for name, stock in inventories.items() if is_class_of_reservation(name)}


def _projects(cloud: Cloud, flavor_id: str) -> frozenset[str]:
    try:
        return cloud.compute.flavor_projects(flavor_id)
    except NotFound:
        return frozenset()


def _is_quiet(lease: Lease) -> bool:
    settling = lease.event("settle_lease")
    settled = lease.status in ("PENDING", "ACTIVE", "TERMINATED") and (settling is None or settling.status == "DONE")
    return settled and all(event.status != "IN_PROGRESS" for event in lease.events)


def _of_lease(
    lease: Lease, phase: Phase, by_id: Mapping[int, Host], found: Found, isolation: Isolation
) -> Iterator[Finding]:
    for reservation in lease.reservations:
        if reservation.status == "deleted":
            if left := list(_leftovers(reservation, found)):
                told = f"The reservation {reservation.id} is over, and {', '.join(left)} left of it."
                astray = _astray(reservation, frozenset(), by_id, found)
                yield Finding("leftover", f"{lease.id}/{reservation.id}", told, "end again", astray)
        elif phase is not Phase.OVER:
            for told in _missing(lease, reservation, by_id, found, isolation):
                subject = f"{lease.id}/{reservation.id}"
                yield Finding("missing", subject, f"The reservation {reservation.id} {told}.", "settle lease")
            own = frozenset(slots.host_id for slots in reservation.slots)
            for provider in _astray(reservation, own, by_id, found, closed=False):
                told = f"The reservation {reservation.id} has slots on {provider}, where it has no place."
                yield Finding("leftover", f"{lease.id}/{reservation.id}", told, "settle lease", (provider,))


def _astray(
    reservation: Reservation, own: frozenset[int], by_id: Mapping[int, Host], found: Found, *, closed: bool = True
) -> tuple[str, ...]:
    """The reservation providers, other than those of its own hosts, that have slots of it; closed ones are no harm."""
    return tuple(
        by_id[number].reservation_provider_name
        for number, slots in found.slots.items()
        if number not in own
        and reservation.resource_class in (slots or {})
        and (closed or (slots or {})[reservation.resource_class])
    )


def _leftovers(reservation: Reservation, found: Found) -> Iterator[str]:
    if reservation.resource_class in found.classes:
        yield "its resource class is"
    if any(reservation.resource_class in (slots or {}) for slots in found.slots.values()):
        yield "slots are"
    if reservation.id in found.flavors:
        yield "its flavor is"
    if aggregate_name(reservation.id) in found.aggregates:
        yield "its aggregate is"


def _missing(
    lease: Lease, reservation: Reservation, by_id: Mapping[int, Host], found: Found, isolation: Isolation
) -> Iterator[str]:
    in_force = reservation.status == "active"
    own = [by_id[slots.host_id] for slots in reservation.slots if slots.host_id in by_id]
    names = {host.id: host.service_name for host in own}
    if reservation.resource_type == PHYSICAL_HOST:
        there = found.aggregates.get(aggregate_name(reservation.id))
        if there is None:
            yield "has no aggregate"
        else:
            if there.hosts != (frozenset(names.values()) if in_force else frozenset()):
                yield f"has the hosts {', '.join(sorted(there.hosts)) or 'none'} in its aggregate"
            if in_force and (open_ones := {host.name for host in own} - there.providers):
                yield f"has hosts that Placement has not in its aggregate: {', '.join(sorted(open_ones))}"
        if in_force and isolation.host_specs(reservation) is not None:
            yield from _missing_flavor(lease, reservation, found, None)
        return
    if reservation.resource_class not in found.classes:
        yield "has no resource class"
    yield from _missing_flavor(lease, reservation, found, private_flavor(reservation, isolation))
    for slots in reservation.slots:
        count = (found.slots.get(slots.host_id) or {}).get(reservation.resource_class, 0)
        if count != (slots.count if in_force else 0):
            yield f"has {count} slots on {names.get(slots.host_id, slots.host_id)}"


def _missing_flavor(
    lease: Lease, reservation: Reservation, found: Found, wanted: PrivateFlavor | None
) -> Iterator[str]:
    """Its flavor, which shall be as `wanted` if that is known, and open to the project alone while it is active."""
    flavor = found.flavors.get(reservation.id)
    if flavor is None:
        yield "has no flavor"
        return
    if wanted is not None and not (wanted.has_size_of(flavor) and wanted.extra_specs == flavor.extra_specs):
        yield "has a flavor that somebody has changed"
    access = frozenset({lease.project_id}) if reservation.status == "active" else frozenset()
    if found.projects.get(reservation.id) != access:
        yield "has a flavor that others may use, or its project may not"


def _unknown(known: set[str], found: Found) -> Iterator[Finding]:
    """What looks like a reservation's and is none of ours: it may belong to another service."""
    ours = {resource_class_of(uuid) for uuid in known}
    unknown = {
        "resource class": sorted(found.classes - ours),
        "flavor": sorted(flavor.name for flavor in found.flavors.values() if flavor.id not in known),
        "aggregate": sorted(name for name in found.aggregates if reservation_of_name(name) not in known),
    }
    for what, names in unknown.items():
        for name in names:
            told = f"The {what} {name} belongs to no reservation that is known here."
            yield Finding("unknown", name, told, "remove")


def _of_hosts(known: list[Host], in_use: frozenset[int], found: Found) -> Iterator[Finding]:
    for host in known:
        if found.slots.get(host.id) is None:
            yield Finding("host", str(host.id), f"The host {host.name} has no reservation provider.", "settle host")
        if host.id in in_use:
            continue
        if host.service_name not in found.pool.hosts:
            yield Finding("host", str(host.id), f"The host {host.name} is not in the free pool.", "settle host")
        elif host.name not in found.pool.providers:
            told = f"The host {host.name} is not in the free pool as Placement knows it."
            yield Finding("host", str(host.id), told, "settle host")

"""Hosts come under this service's care, change, and leave it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

import msgspec
from sqlalchemy import Connection

from moorage.client.compute import Hypervisor as KnownHypervisor
from moorage.client.placement import ProviderFilter
from moorage.db.database import Transaction
from moorage.reservations.booking.booking_view import conditions_of, properties_of
from moorage.reservations.model.event import Event
from moorage.reservations.model.host import Host, Hypervisor, Maintenance
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, host_reservations, hosts, leases, properties
from moorage.reservations.store.errors import InUse, NotFound


def register(room: Room, name: str, capabilities: Mapping[str, str]) -> Host:
    """Take a host of compute's under care: it must be known to compute and Placement, and nothing may run on it."""
    hypervisor = _hypervisor(room, name)
    provider = room.placement.provider_named(hypervisor.name)
    if provider is None:
        raise NotFound(f"Placement has no resource provider named {hypervisor.name}.")
    if any(_usages(room, provider.uuid)):
        raise InUse(
            f"Servers found for host {hypervisor.name}: Placement has allocations on it, and there must be none."
        )
    zone = _zone(room, hypervisor.service.host)
    now = room.now()

    def work(tx: Transaction) -> Host:
        revision = booking_lock.acquire(tx)
        host = Host(
            id=0,
            provider_uuid=provider.uuid,
            name=hypervisor.name,
            service_name=hypervisor.service.host,
            availability_zone=zone,
            hypervisor=_facts(hypervisor),
            capabilities=dict(capabilities),
            revision=revision,
            created_at=now,
            updated_at=now,
        )
        properties.ensure(tx, capabilities)
        host = replace(host, id=hosts.add(tx, host))
        hosts.settle(tx, _settling(host, now))
        return host

    return room.write(work)


def change_capabilities(room: Room, number: int, wanted: Mapping[str, str | None]) -> Host:
    """Set capabilities of a host; None takes one away. InUse if a reservation has the host because of it."""
    now = room.now()

    def work(tx: Transaction) -> Host:
        revision = booking_lock.acquire(tx)
        host = hosts.lock(tx, number)
        kept = {name: value for name, value in host.capabilities.items() if wanted.get(name, value) is not None}
        capabilities = kept | {name: value for name, value in wanted.items() if value is not None}
        after = replace(host, capabilities=capabilities, revision=revision, updated_at=now)
        _check_reservations(tx.connection, host, after)
        properties.ensure(tx, (name for name, value in wanted.items() if value is not None))
        hosts.save(tx, host, after)
        return after

    return room.write(work)


def set_maintenance(room: Room, number: int, windows: tuple[Maintenance, ...]) -> Host:
    """Replace the times in which a host is busy with itself; reservations of those times are for others to heal."""
    now = room.now()

    def work(tx: Transaction) -> Host:
        revision = booking_lock.acquire(tx)
        host = hosts.lock(tx, number)
        after = replace(host, maintenance=windows, revision=revision, updated_at=now)
        hosts.save(tx, host, after)
        hosts.settle(tx, _settling(after, now))
        return after

    return room.write(work)


def unregister(room: Room, number: int) -> None:
    """Release a host; InUse while any reservation that is not over has slots on it."""
    now = room.now()

    def work(tx: Transaction) -> None:
        revision = booking_lock.acquire(tx)
        host = hosts.lock(tx, number)
        if host_reservations.leases_with_slots_on(tx.connection, number):
            raise InUse(f"Host {host.name} is reserved; its reservations must end before it can be deleted.")
        hosts.save(tx, host, replace(host, deleted_at=now, revision=revision, updated_at=now))
        hosts.settle(tx, _settling(host, now))

    room.write(work)


def _hypervisor(room: Room, name: str) -> KnownHypervisor:
    found = room.compute.hypervisor_named(name)
    if found is None:
        # It may be named by its id instead.
        found = next((one for one in room.compute.hypervisors() if str(one.id) == name), None)
    if found is None:
        raise NotFound(f"Host {name} not found!")
    return found


def _usages(room: Room, root_uuid: str) -> Iterator[int]:
    """What is in use of a host, also of providers below its own."""
    for provider in room.placement.providers(ProviderFilter(in_tree=root_uuid)):
        yield from room.placement.usages(provider.uuid).values()


def _zone(room: Room, service_name: str) -> str:
    zones = room.compute.availability_zones()
    return next((zone.name for zone in zones if service_name in zone.hosts), "")


def _facts(hypervisor: KnownHypervisor) -> Hypervisor:
    cpu_info = hypervisor.cpu_info
    return Hypervisor(
        vcpus=hypervisor.vcpus,
        memory_mb=hypervisor.memory_mb,
        local_gb=hypervisor.local_gb,
        cpu_info=cpu_info if isinstance(cpu_info, str) else msgspec.json.encode(cpu_info).decode(),
        hypervisor_type=hypervisor.hypervisor_type,
        hypervisor_version=hypervisor.hypervisor_version,
    )


def _settling(host: Host, now: datetime) -> Event:
    return Event(
        id=str(uuid.uuid4()),
        host_id=host.id,
        event_type="settle_host",
        time=now,
        next_attempt_at=now,
        created_at=now,
        updated_at=now,
    )


def _check_reservations(connection: Connection, before: Host, after: Host) -> None:
    """Refuse what would make the host one that its reservations did not ask for."""
    for lease in leases.some(connection, host_reservations.leases_with_slots_on(connection, before.id)):
        for reservation in lease.reservations:
            if reservation.status == "deleted" or before.id not in {row.host_id for row in reservation.slots}:
                continue
            for condition in conditions_of(reservation.request):
                if condition.met_by(properties_of(before)) and not condition.met_by(properties_of(after)):
                    raise InUse(
                        f"Capabilities of host {before.name} cannot be changed so: reservation {reservation.id} has"
                        " asked for what they are now."
                    )

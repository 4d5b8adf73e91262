"""Host aggregates: their metadata, and the hosts in them. That Placement hears of them is for others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from moorage.compute.model.aggregate import AVAILABILITY_ZONE, HostAggregate
from moorage.compute.store.errors import AlreadyThere, InUse, NotFound
from moorage.compute.store.key_conditions import key_condition
from moorage.compute.store.servers_by_host import servers_by_host
from moorage.compute.store.tables import host_aggregate_hosts, host_aggregate_metadata, host_aggregates
from moorage.db.database import Transaction
from moorage.db.statements import inserted_number

KIND = "host aggregate"


def all_aggregates(connection: Connection) -> list[HostAggregate]:
    """Every host aggregate, by number."""
    return _with_what_belongs(connection, connection.execute(select(host_aggregates).order_by("id")).all())


def zones(connection: Connection) -> list[tuple[str, str]]:
    """The aggregates that are availability zones, by UUID, with the names of the zones: nothing about their hosts."""
    rows = connection.execute(
        select(host_aggregates.c.uuid, host_aggregate_metadata.c.value)
        .join(host_aggregate_metadata, host_aggregate_metadata.c.aggregate_id == host_aggregates.c.id)
        .where(host_aggregate_metadata.c.name == AVAILABILITY_ZONE)
        .order_by(host_aggregates.c.id)
    )
    return [(row.uuid, row.value) for row in rows]


def find(connection: Connection, number: int) -> HostAggregate:
    """The aggregate with a number."""
    rows = connection.execute(select(host_aggregates).where(host_aggregates.c.id == number)).all()
    if not rows:
        raise NotFound(f"Aggregate {number} could not be found.")
    return _with_what_belongs(connection, rows)[0]


def create(tx: Transaction, uuid: str, name: str, metadata: Mapping[str, str]) -> HostAggregate:
    """A new aggregate without hosts."""
    _check_name(tx.connection, name)
    number = inserted_number(tx.connection, host_aggregates, uuid=uuid, name=name, created_at=tx.now, updated_at=None)
    _set_metadata(tx, number, metadata)
    tx.changed(KIND, number)
    return find(tx.connection, number)


def update_metadata(
    tx: Transaction, number: int, metadata: Mapping[str, str | None], name: str | None = None
) -> HostAggregate:
    """Set these keys, take away those without a value, keep the others; and give it another name, if there is one."""
    aggregate = lock(tx, number)
    if name is not None and name != aggregate.name:
        _check_name(tx.connection, name)
    if AVAILABILITY_ZONE in metadata:
        _check_zone(tx.connection, aggregate, aggregate.hosts, metadata[AVAILABILITY_ZONE])
    tx.connection.execute(
        update(host_aggregates)
        .where(host_aggregates.c.id == number)
        .values(name=name or aggregate.name, updated_at=tx.now)
    )
    tx.connection.execute(
        delete(host_aggregate_metadata).where(
            host_aggregate_metadata.c.aggregate_id == number, host_aggregate_metadata.c.name.in_(sorted(metadata))
        )
    )
    _set_metadata(tx, number, {key: value for key, value in metadata.items() if value is not None})
    return find(tx.connection, number)


def remove(tx: Transaction, number: int) -> HostAggregate:
    """Remove an aggregate that has no hosts."""
    aggregate = lock(tx, number)
    if aggregate.hosts:
        raise InUse(f"Cannot delete aggregate {number}: it has the hosts {', '.join(sorted(aggregate.hosts))}.")
    tx.connection.execute(delete(host_aggregate_metadata).where(host_aggregate_metadata.c.aggregate_id == number))
    tx.connection.execute(delete(host_aggregates).where(host_aggregates.c.id == number))
    return aggregate


def add_host(tx: Transaction, number: int, host: str) -> HostAggregate:
    """Put a host into an aggregate."""
    aggregate = lock(tx, number)
    if host in aggregate.hosts:
        raise AlreadyThere(f"Aggregate {number} already has host {host}.")
    if aggregate.availability_zone is not None:
        _check_zone(tx.connection, aggregate, {host}, aggregate.availability_zone)
    tx.connection.execute(insert(host_aggregate_hosts).values(aggregate_id=number, host=host))
    tx.connection.execute(update(host_aggregates).where(host_aggregates.c.id == number).values(updated_at=tx.now))
    return find(tx.connection, number)


def remove_host(tx: Transaction, number: int, host: str) -> HostAggregate:
    """Take a host out of an aggregate."""
    aggregate = lock(tx, number)
    if host not in aggregate.hosts:
        raise NotFound(f"Cannot remove host {host} from aggregate {number}: it is not in it.")
    if aggregate.availability_zone is not None:
        _check_zone(tx.connection, aggregate, {host}, None)
    tx.connection.execute(
        delete(host_aggregate_hosts).where(
            host_aggregate_hosts.c.aggregate_id == number, host_aggregate_hosts.c.host == host
        )
    )
    tx.connection.execute(update(host_aggregates).where(host_aggregates.c.id == number).values(updated_at=tx.now))
    return find(tx.connection, number)


def lock(tx: Transaction, number: int) -> HostAggregate:
    """An aggregate that nobody else changes meanwhile; nor any other, for no host may come into two zones at once."""
    tx.connection.execute(select(host_aggregates.c.id).order_by(host_aggregates.c.id).with_for_update()).all()
    aggregate = find(tx.connection, number)
    tx.changed(KIND, number)
    return aggregate


def _check_zone(connection: Connection, aggregate: HostAggregate, hosts: Collection[str], zone: str | None) -> None:
    """Refuse a change of an aggregate that would put a host into two zones, or its servers into another one.

    A server stays in the zone that it was asked for, so a host with servers stays in its zone, too.
    """
    others = [
        other
        for other in all_aggregates(connection)
        if other.id != aggregate.id and other.availability_zone is not None and not other.hosts.isdisjoint(hosts)
    ]
    changing = []
    for host in sorted(hosts):
        elsewhere = {other.availability_zone for other in others if host in other.hosts}
        if zone is not None and elsewhere - {zone}:
            named = ", ".join(sorted(filter(None, elsewhere)))
            raise InUse(f"Host {host} is already in the availability zone {named}.")
        before = elsewhere | ({aggregate.availability_zone} if host in aggregate.hosts else set())
        if before - {None} != (elsewhere | {zone}) - {None}:
            changing.append(host)
    occupied = servers_by_host(connection, changing[0] if len(changing) == 1 else None) if changing else {}
    for host in changing:
        if host in occupied:
            raise InUse(f"Host {host} has servers, so it cannot change its availability zone.")


def _check_name(connection: Connection, name: str) -> None:
    if connection.execute(select(host_aggregates.c.id).where(host_aggregates.c.name == name)).scalar() is not None:
        raise AlreadyThere(f"Aggregate {name} already exists.")


def _set_metadata(tx: Transaction, number: int, metadata: Mapping[str, str]) -> None:
    rows = [{"aggregate_id": number, "name": name, "value": value} for name, value in sorted(metadata.items())]
    if rows:
        tx.connection.execute(insert(host_aggregate_metadata), rows)


def _with_what_belongs(connection: Connection, rows: Sequence[Any]) -> list[HostAggregate]:
    numbers = [row.id for row in rows]
    metadata: dict[int, dict[str, str]] = defaultdict(dict)
    for item in connection.execute(
        select(host_aggregate_metadata)
        .where(key_condition(host_aggregate_metadata.c.aggregate_id, numbers))
        .order_by(host_aggregate_metadata.c.name)
    ):
        metadata[item.aggregate_id][item.name] = item.value
    hosts: dict[int, set[str]] = defaultdict(set)
    for member in connection.execute(
        select(host_aggregate_hosts).where(key_condition(host_aggregate_hosts.c.aggregate_id, numbers))
    ):
        hosts[member.aggregate_id].add(member.host)
    return [
        HostAggregate(
            id=row.id,
            uuid=row.uuid,
            name=row.name,
            created_at=row.created_at,
            updated_at=row.updated_at,
            metadata=metadata[row.id],
            hosts=frozenset(hosts[row.id]),
        )
        for row in rows
    ]

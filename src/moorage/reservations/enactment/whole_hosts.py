"""Reservations of whole hosts in the cloud: an aggregate, into which hosts move from the free pool and back.

A host is never in neither, not even between two steps, so that no other server slips in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from moorage.client.compute import Aggregate
from moorage.client.errors import Conflict, NotFound
from moorage.client.placement import ProviderFilter
from moorage.placement.model.inventory import Inventory
from moorage.reservations.enactment.aggregates import aggregate_named, ensure_aggregate
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.created_resources import CreatedResources
from moorage.reservations.enactment.evictions import (
    consumers_of,
    delete_servers,
    refuse_while_held,
    servers_of_flavor,
    servers_on_host,
)
from moorage.reservations.enactment.flavors import (
    PrivateFlavor,
    close_flavor,
    ensure_flavor,
    open_flavor,
    remove_flavor,
)
from moorage.reservations.enactment.membership import join, leave
from moorage.reservations.enactment.providers import add_traits, remove_traits
from moorage.reservations.model.host import Host
from moorage.reservations.model.names import aggregate_name
from moorage.reservations.model.reservation import Reservation

AGGREGATE, HOST = "aggregate", "host"
"""What is created: an aggregate has its number as the reference, a host its number as the subject."""


@dataclass(frozen=True, slots=True)
class HostEnactment:
    """One reservation of hosts, and all that its steps need."""

    cloud: Cloud
    reservation: Reservation
    project_id: str
    hosts: Mapping[int, Host]
    created: CreatedResources
    heartbeat: Callable[[], None]

    def promise(self) -> None:
        """What a lease that was created has: an aggregate without hosts."""
        self._aggregate()

    def begin(self) -> None:
        """What a lease that has started has: its hosts in its aggregate."""
        aggregate = self._aggregate()
        wanted = {slots.host_id: self.hosts[slots.host_id] for slots in self.reservation.slots}
        recorded = {int(number) for number in self.created.subjects(HOST)}
        self.created.record(HOST, [str(number) for number in wanted])
        traits = self.cloud.isolation.host_traits(self.reservation)
        if traits:
            self.cloud.placement.ensure_traits(traits)
        for host in wanted.values():
            self.heartbeat()
            if traits:
                add_traits(self.cloud.placement, self._root(host), traits)
            join(self.cloud, aggregate, host)
            leave(self.cloud, self.cloud.pool, host)
        for number in sorted(recorded - set(wanted)):
            self._give_back(aggregate, self.hosts[number])
        self._open_flavor(list(wanted.values()))

    def end(self) -> None:
        """What a lease that has ended has: nothing. NotYet as long as there is anything on its hosts."""
        self.heartbeat()
        if self.cloud.isolation.host_specs(self.reservation) is not None:
            close_flavor(self.cloud.compute, self.reservation.id)
            # Some of its servers are on no host: those that found no place, or were set aside.
            delete_servers(self.cloud.compute, servers_of_flavor(self.cloud.compute, self.reservation.id).values())
        aggregate = self._found()
        taken = [self.hosts[int(number)] for number in self.created.subjects(HOST)]
        for host in taken:
            self.heartbeat()
            delete_servers(self.cloud.compute, servers_on_host(self.cloud.compute, host.service_name).values())
        held = consumers_of(self.cloud.placement, [uuid for host in taken for uuid in self._tree(host)])
        refuse_while_held(held, f"something on hosts of the reservation {self.reservation.id}")
        for host in taken:
            self._give_back(aggregate, host)
        if self.cloud.isolation.host_specs(self.reservation) is not None:
            remove_flavor(self.cloud.compute, self.reservation.id)
        self._remove(aggregate)

    def _root(self, host: Host) -> str:
        """The provider of a host, which may have been made anew since the host was registered."""
        found = self.cloud.placement.provider_named(host.name)
        return host.provider_uuid if found is None else found.uuid

    def _tree(self, host: Host) -> list[str]:
        """All providers of a host: what runs there may hold something of those below its own alone."""
        return [one.uuid for one in self.cloud.placement.providers(ProviderFilter(in_tree=self._root(host)))]

    def _aggregate(self) -> Aggregate:
        self.heartbeat()
        number = self.created.subjects(AGGREGATE).get("")
        metadata = self.cloud.isolation.aggregate_metadata(self.reservation, self.project_id)
        name = aggregate_name(self.reservation.id)
        found = ensure_aggregate(self.cloud.compute, name, metadata, int(number) if number else None)
        self.created.record(AGGREGATE, [""], str(found.id))
        return found

    def _found(self) -> Aggregate | None:
        number = self.created.subjects(AGGREGATE).get("")
        found = self.cloud.compute.aggregate(int(number)) if number else None
        return found or aggregate_named(self.cloud.compute, aggregate_name(self.reservation.id))

    def _give_back(self, aggregate: Aggregate | None, host: Host) -> None:
        """Return a host to the free pool, if it still belongs to this service."""
        self.heartbeat()
        if host.deleted_at is None:
            join(self.cloud, self.cloud.pool, host)
        if aggregate is not None:
            leave(self.cloud, aggregate, host)
        if traits := self.cloud.isolation.host_traits(self.reservation):
            remove_traits(self.cloud.placement, self._root(host), traits)
        self.created.forget(HOST, [str(host.id)])

    def _remove(self, aggregate: Aggregate | None) -> None:
        self.heartbeat()
        if aggregate is not None:
            for host in aggregate.hosts:
                with suppress(NotFound):
                    self.cloud.compute.remove_host(aggregate.id, host)
            with suppress(NotFound):
                self.cloud.compute.delete_aggregate(aggregate.id)
        self.created.forget(AGGREGATE, self.created.subjects(AGGREGATE))
        for trait in self.cloud.isolation.host_traits(self.reservation):
            with suppress(NotFound, Conflict):
                self.cloud.placement.delete_trait(trait)

    def _open_flavor(self, hosts: list[Host]) -> None:
        """A flavor of the size of a whole host, where users cannot ask for the reserved hosts by themselves."""
        specs = self.cloud.isolation.host_specs(self.reservation)
        if specs is None or not hosts:
            return
        self.heartbeat()
        offered = [self.cloud.placement.inventories(self._root(host)).inventories for host in hosts]

        def least(resource_class: str) -> int:
            nothing = Inventory(total=0)
            return min(inventories.get(resource_class, nothing).largest for inventories in offered)

        flavor = PrivateFlavor(
            id=self.reservation.id,
            vcpus=max(least("VCPU"), 1),
            ram_mb=max(least("MEMORY_MB"), 1),
            disk_gb=least("DISK_GB"),
            extra_specs=specs,
        )
        ensure_flavor(self.cloud.compute, flavor)
        open_flavor(self.cloud.compute, self.reservation.id, self.project_id)

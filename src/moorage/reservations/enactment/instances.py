"""Reservations of instances in the cloud: a resource class, a private flavor, and slots on reservation providers.

The order is that of the document on instance reservation, with two differences that close its gaps: the project may use
the flavor only after the slots are there, and no longer before anything is taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from moorage.client.errors import Conflict, NotFound
from moorage.compute.model.flavor import QUOTA_FLAVOR
from moorage.reservations.enactment.cloud import Cloud
from moorage.reservations.enactment.created_resources import CreatedResources
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.evictions import (
    consumers_of,
    delete_servers,
    refuse_while_held,
    servers_of_flavor,
)
from moorage.reservations.enactment.flavors import (
    PrivateFlavor,
    close_flavor,
    ensure_flavor,
    open_flavor,
    remove_flavor,
)
from moorage.reservations.enactment.isolation import Isolation
from moorage.reservations.enactment.providers import (
    CLOSED,
    ensure_reservation_provider,
    remove_slots,
    set_slots,
    slots_of,
)
from moorage.reservations.model.host import Host
from moorage.reservations.model.reservation import Reservation

SLOTS = "slots"
"""What an inventory is called among the created resources; the subject is the name of the reservation provider."""


def private_flavor(reservation: Reservation, isolation: Isolation) -> PrivateFlavor:
    """The flavor by which a reservation is used: of the shape that was asked for, and one slot.

    Its servers count as those of the flavor that was reserved, whose quota it may be.
    """
    request, source = reservation.instances, reservation.instances.flavor
    ours = {f"resources:{reservation.resource_class}": "1", **isolation.pool_specs}
    return PrivateFlavor(
        id=reservation.id,
        vcpus=request.vcpus,
        ram_mb=request.memory_mb,
        disk_gb=request.disk_gb if source is None else source.disk_gb,
        ephemeral_gb=0 if source is None else source.ephemeral_gb,
        swap_mb=0 if source is None else source.swap_mb,
        extra_specs=ours if source is None else {QUOTA_FLAVOR: source.name, **source.extra_specs, **ours},
    )


@dataclass(frozen=True, slots=True)
class InstanceEnactment:
    """One reservation of instances, and all that its steps need."""

    cloud: Cloud
    reservation: Reservation
    project_id: str
    # By number, all that the reservation may have slots on.
    hosts: Mapping[int, Host]
    created: CreatedResources
    # Called before each step; raises when somebody else has taken over.
    heartbeat: Callable[[], None]

    def promise(self) -> None:
        """What a lease that was created has: a class, and a flavor that nobody may use."""
        self.heartbeat()
        self.cloud.placement.ensure_resource_class(self.reservation.resource_class)
        ensure_flavor(self.cloud.compute, private_flavor(self.reservation, self.cloud.isolation))

    def begin(self) -> None:
        """What a lease that has started has: slots on each host, and then a flavor that the project may use."""
        self.promise()
        wanted = [(self.hosts[slots.host_id], slots.count) for slots in self.reservation.slots]
        names = [host.reservation_provider_name for host, _ in wanted]
        recorded = self.created.subjects(SLOTS)
        self.created.record(SLOTS, names)
        for host, count in wanted:
            self.heartbeat()
            provider = ensure_reservation_provider(self.cloud, host)
            set_slots(self.cloud.placement, provider.uuid, self.reservation.resource_class, slots_of(count))
        self._leave(set(recorded) - set(names))
        self.heartbeat()
        open_flavor(self.cloud.compute, self.reservation.id, self.project_id)

    def end(self) -> None:
        """What a lease that has ended has: nothing. NotYet as long as instances hold slots."""
        placement, compute, flavor_id = self.cloud.placement, self.cloud.compute, self.reservation.id
        self.heartbeat()
        close_flavor(compute, flavor_id)
        providers = self._providers()
        self._evict(list(providers.values()))
        self.heartbeat()
        remove_flavor(compute, flavor_id)
        for name, uuid in providers.items():
            self.heartbeat()
            remove_slots(placement, uuid, self.reservation.resource_class)
            self.created.forget(SLOTS, [name])
        self.created.forget(SLOTS, self.created.subjects(SLOTS))
        try:
            placement.delete_resource_class(self.reservation.resource_class)
        except NotFound:
            pass
        except Conflict as conflict:
            raise NotYet(f"{self.reservation.resource_class} is still in use: {conflict.detail}") from conflict

    def _providers(self) -> dict[str, str]:
        """Where it has slots, or may have: UUIDs by name."""
        names = {self.hosts[slots.host_id].reservation_provider_name for slots in self.reservation.slots}
        found = {
            name: self.cloud.placement.provider_named(name)
            for name in sorted(names | set(self.created.subjects(SLOTS)))
        }
        return {name: provider.uuid for name, provider in found.items() if provider is not None}

    def _evict(self, provider_uuids: list[str]) -> None:
        """Delete the instances; a list of servers misses some, and what holds slots is known to Placement alone."""
        placement, compute = self.cloud.placement, self.cloud.compute
        servers = servers_of_flavor(compute, self.reservation.id)
        for consumer in consumers_of(placement, provider_uuids, self.reservation.resource_class):
            if consumer not in servers and (server := compute.server(consumer)) is not None:
                servers[consumer] = server
        delete_servers(compute, servers.values())
        held = consumers_of(placement, provider_uuids, self.reservation.resource_class)
        refuse_while_held(held, f"slots of the reservation {self.reservation.id}")
        left = servers_of_flavor(compute, self.reservation.id)
        refuse_while_held(left, f"the flavor of the reservation {self.reservation.id}")

    def _leave(self, provider_names: set[str]) -> None:
        """Hosts that it was moved away from: nobody new goes there, and slots go with the last instance."""
        resource_class = self.reservation.resource_class
        for name in sorted(provider_names):
            self.heartbeat()
            provider = self.cloud.placement.provider_named(name)
            if provider is not None:
                if consumers_of(self.cloud.placement, [provider.uuid], resource_class):
                    set_slots(self.cloud.placement, provider.uuid, resource_class, CLOSED)
                    continue
                remove_slots(self.cloud.placement, provider.uuid, resource_class)
            self.created.forget(SLOTS, [name])

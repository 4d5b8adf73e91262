"""A small cloud with leases in it: hosts in a Placement, the compute API beside it, and a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from moorage.client.compute import ComputeClient
from moorage.client.errors import NotFound
from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient, ProviderSummary
from moorage.client.transport import Response, Transport
from moorage.db.database import Database, Transaction
from moorage.placement.model.inventory import Inventory
from moorage.reservations.enactment.cloud import Cloud, open_cloud
from moorage.reservations.events.worker import Worker
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.model.event import Event, EventType
from moorage.reservations.model.host import Host
from moorage.reservations.model.lease import Lease
from moorage.reservations.model.reservation import (
    PHYSICAL_HOST,
    VIRTUAL_INSTANCE,
    HostRequest,
    InstanceRequest,
    Reservation,
    Slots,
)
from moorage.reservations.room import Room
from moorage.reservations.store import booking_lock, hosts, leases
from moorage.service.reservation_service import open_room
from tests.compute.servers.yard import ADMIN, MEMBER, PROJECT, Yard, open_yard

NOON = datetime(2030, 1, 1, 12)  # noqa: DTZ001 - as the tables keep it
HOUR = timedelta(hours=1)
PREFIXES = {
    "scheduler.placement_req_required_member_prefix": "reservation:",
    "scheduler.placement_req_default_forbidden_member_prefix": ["reservation:"],
}
TRAITS = {"scheduler.enable_isolated_aggregate_filtering": True}


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Watched:
    """A way to a service; `before` is called with each request that changes something, and may raise."""

    def __init__(self, transport: Transport, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self._headers = headers
        self.before: Callable[[str, str], None] = lambda _method, _path: None
        self.written: list[tuple[str, str]] = []

    def send(self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
        if method != "GET":
            self.before(method, path)
            self.written.append((method, path))
        return self._transport.send(method, path, headers={**self._headers, **(headers or {})}, **more)


class _Rooted:
    def __init__(self, transport: Transport, root: str) -> None:
        self._transport = transport
        self._root = root

    def send(self, method: str, path: str, **more: Any) -> Response:
        return self._transport.send(method, f"{self._root}{path}", **more)


@dataclass(frozen=True)
class Harbour:
    """Leases, and the cloud that they are in."""

    database: Database
    yard: Yard
    clock: Clock
    context: WorkerContext
    # The ways by which leases reach the cloud.
    to_placement: Watched
    to_compute: Watched

    @property
    def placement(self) -> PlacementClient:
        return self.yard.placement

    @property
    def compute(self) -> ComputeClient:
        return self.context.cloud().compute

    @property
    def cloud(self) -> Cloud:
        return self.context.cloud()

    @property
    def room(self) -> Room:
        """The room of leases beside its cloud, with the same clock."""
        cloud, settings = self.cloud, self.yard.compute.settings
        return replace(open_room(settings, self.database, cloud.placement, cloud.compute), now=self.clock)

    def worker(self) -> Worker:
        return Worker(self.context)

    # --- what there is in the rows

    def host(self, name: str, resources: Mapping[str, int] | None = None) -> Host:
        """A host of the cloud that was handed over to leases, whose events are still to be done."""
        return self._register(name, self.yard.host(name, resources))

    def host_again(self, name: str) -> Host:
        """The same for a host that the cloud has already."""
        known = self.placement.provider_named(name)
        assert known is not None
        return self._register(name, known.uuid)

    def _register(self, name: str, uuid: str) -> Host:
        made = Host(
            id=0, provider_uuid=uuid, name=name, service_name=name, created_at=self.clock(), updated_at=self.clock()
        )

        def work(tx: Transaction) -> Host:
            host = replace(made, id=hosts.add(tx, replace(made, revision=booking_lock.acquire(tx))))
            hosts.settle(tx, self._event("settle_host", host_id=host.id))
            return host

        return self.database.write(work)

    def touch_host(self, host: Host) -> None:
        """Have the cloud brought in step with a host again."""

        def work(tx: Transaction) -> None:
            booking_lock.acquire(tx)
            hosts.settle(tx, self._event("settle_host", host_id=host.id))

        self.database.write(work)

    def delete_host(self, host: Host) -> None:
        def work(tx: Transaction) -> None:
            booking_lock.acquire(tx)
            known = hosts.lock(tx, host.id)
            hosts.save(tx, known, replace(known, deleted_at=self.clock()))
            hosts.settle(tx, self._event("settle_host", host_id=host.id))

        self.database.write(work)

    def lease(
        self,
        *slots: tuple[Host, int],
        start: timedelta = HOUR,
        end: timedelta = 2 * HOUR,
        whole_hosts: bool = False,
        vcpus: int = 1,
        project: str = PROJECT,
    ) -> Lease:
        """A lease that was booked: instances with so many slots on each host, or whole hosts."""
        lease_id, reservation_id, now = str(uuid4()), str(uuid4()), self.clock()
        amount = sum(count for _, count in slots)
        request = (
            HostRequest(min=len(slots), max=len(slots))
            if whole_hosts
            else InstanceRequest(
                amount=amount,
                vcpus=vcpus,
                memory_mb=512,
                disk_gb=5,
                resources={"VCPU": vcpus},
            )
        )
        reservation = Reservation(
            id=reservation_id,
            lease_id=lease_id,
            resource_type=PHYSICAL_HOST if whole_hosts else VIRTUAL_INSTANCE,
            request=request,
            slots=tuple(Slots(host_id=host.id, count=count) for host, count in slots),
            created_at=now,
            updated_at=now,
        )
        lease = Lease(
            id=lease_id,
            name="berth",
            project_id=project,
            user_id="mate",
            start=NOON + start,
            end=NOON + end,
            reservations=(reservation,),
            events=(
                self._event("settle_lease", lease_id=lease_id),
                self._event("start_lease", lease_id=lease_id, time=NOON + start),
                self._event("before_end_lease", lease_id=lease_id, time=NOON + end - timedelta(minutes=5)),
                self._event("end_lease", lease_id=lease_id, time=NOON + end),
            ),
            created_at=now,
            updated_at=now,
        )

        def work(tx: Transaction) -> None:
            leases.add(tx, replace(lease, revision=booking_lock.acquire(tx)))

        self.database.write(work)
        return lease

    def change(self, lease: Lease, change: Callable[[Lease], Lease]) -> None:
        """Change a lease as the API does: the rows, and then whoever brings the cloud in step with them."""

        def work(tx: Transaction) -> None:
            revision = booking_lock.acquire(tx)
            known = leases.lock(tx, lease.id)
            assert known is not None
            changed = change(known)
            others = tuple(event for event in changed.events if event.event_type != "settle_lease")
            settling = replace(
                next(event for event in known.events if event.event_type == "settle_lease"),
                status="UNDONE",
                time=self.clock(),
                next_attempt_at=self.clock(),
                owner=None,
                owned_until=None,
                attempts=0,
            )
            leases.save(tx, known, replace(changed, revision=revision, events=(settling, *others)))

        self.database.write(work)

    def delete_lease(self, lease: Lease) -> None:
        self.change(lease, lambda known: replace(known, status="DELETING"))

    def _event(
        self,
        event_type: EventType,
        *,
        lease_id: str | None = None,
        host_id: int | None = None,
        time: datetime | None = None,
    ) -> Event:
        when = time or self.clock()
        return Event(
            id=str(uuid4()),
            event_type=event_type,
            time=when,
            next_attempt_at=when,
            lease_id=lease_id,
            host_id=host_id,
            created_at=self.clock(),
            updated_at=self.clock(),
        )

    def shown(self, lease: Lease) -> Lease:
        """The lease as it is now, also one that was deleted."""
        found = self.database.read(lambda connection: leases.find(connection, lease.id, deleted=True))
        assert found is not None
        return found

    # --- time

    def settle(self, at: timedelta | None = None) -> None:
        """Do all that is due, at a time after noon."""
        if at is not None:
            self.clock.now = NOON + at
        worker = self.worker()
        while worker.work_once():
            pass

    # --- what there is in the cloud

    def provider(self, host: Host) -> ProviderSummary | None:
        return self.placement.provider_named(host.reservation_provider_name)

    def slots(self, host: Host) -> dict[str, int]:
        """The inventories of a host's reservation provider, by class."""
        provider = self.provider(host)
        if provider is None:
            return {}
        return {
            name: inventory.total for name, inventory in self.placement.inventories(provider.uuid).inventories.items()
        }

    def classes(self) -> set[str]:
        return {name for name in self.placement.known_resource_classes() if name.startswith("CUSTOM_RESERVATION_")}

    def flavors(self) -> dict[str, frozenset[str]]:
        """Who may use the flavors of reservations."""
        private = [flavor for flavor in self.compute.flavors() if flavor.name.startswith("reservation:")]
        return {flavor.id: self.compute.flavor_projects(flavor.id) for flavor in private}

    def aggregates(self) -> dict[str, tuple[str, ...]]:
        """The hosts of aggregates by name."""
        return {aggregate.name: aggregate.hosts for aggregate in self.compute.aggregates()}

    def launch(self, flavor: str, image: str = "") -> str | None:
        """The host that a new server of the lease's project gets; None if it gets none."""
        uuid = self.yard.by(MEMBER).server(flavor, image)
        return self.yard.place_of(uuid)

    def inventory(self, host: Host, resource_class: str) -> Inventory:
        provider = self.provider(host)
        if provider is None:
            raise NotFound("no provider", 404)
        return self.placement.inventories(provider.uuid).inventories[resource_class]


def open_harbour(
    database: Database,
    settings: Mapping[str, object] | None = None,
    placement: PlacementClient | None = None,
    way_to_placement: Transport | None = None,
) -> Harbour:
    """A cloud without hosts, with Moorage's Placement unless another is given."""
    yard = open_yard(database, placement, settings=PREFIXES if settings is None else settings)
    clock = Clock()
    to_placement = Watched(way_to_placement or yard.placement._transport, {})
    to_compute = Watched(_Rooted(yard.transport, "/v2.1"), ADMIN)
    opened: list[Cloud] = []

    def cloud() -> Cloud:
        if not opened:
            opened.append(open_cloud(database, PlacementClient(to_placement), ComputeClient(to_compute)))
        return opened[0]

    return Harbour(database, yard, clock, WorkerContext(database, cloud, clock), to_placement, to_compute)


__all__ = ["HOUR", "NOON", "PREFIXES", "PROJECT", "TRAITS", "Harbour", "WsgiTransport", "open_harbour"]

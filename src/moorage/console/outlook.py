"""The capacity of the cloud for those who look at it: as it is, and as it would be with hosts more or less.

Reading a cloud takes a while and looking at it is done in steps, so a reading is good for a quarter of a minute.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from moorage.capacity.fit import Fit, how_many_more
from moorage.capacity.lease_demand import request_from_leases
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CORES, POOLED_RESOURCES
from moorage.capacity.packing.zone import Phase
from moorage.capacity.reading.cloud import read_cloud
from moorage.capacity.reading.promises import read_promises
from moorage.capacity.reading.services import Services
from moorage.capacity.report import CapacityAccount, report_capacity
from moorage.capacity.what_if import with_copies, without

_FRESH_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Share:
    """Of a resource in a zone: what is in use, promised, waited for, and left."""

    resource: str
    zone: str
    used: int
    committed: int
    pending: int
    free: int


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Demand that finds no place, and why."""

    flavor: str
    zone: str
    demand: str
    count: int
    reason: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything that is shown of one state of the cloud."""

    hypervisors: int
    pooled: tuple[Share, ...]
    split: tuple[Share, ...]
    unplaced: tuple[Unplaced, ...]
    # Hypervisors that were not counted, each with the reason.
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Copies:
    """So many empty hosts like one that there is."""

    host: str
    count: int


class Outlook:
    """The cloud as it was read last."""

    def __init__(
        self, services: Services, configuration: Configuration, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._services = services
        # Who looks wants to see the others beside the name of one that cannot be understood.
        selection = replace(configuration.hypervisor_selection, skip_failing=True)
        self._configuration = replace(configuration, hypervisor_selection=selection)
        self._clock = clock
        self._turn = threading.Lock()
        self._read: tuple[float, Snapshot] | None = None

    def snapshot(self) -> Snapshot:
        """The cloud, read within the last moments; who comes while it is read waits for the same reading."""
        with self._turn:
            if self._read is None or self._clock() - self._read[0] > _FRESH_SECONDS:
                cloud = read_cloud(self._services, self._configuration)
                request = request_from_leases(read_promises(self._services))
                taken_at = datetime.now(UTC).isoformat(timespec="seconds")
                self._read = (
                    self._clock(),
                    Snapshot(cloud=cloud, request=request, configuration=self._configuration, taken_at=taken_at),
                )
            return self._read[1]


def changed(snapshot: Snapshot, add: Iterable[Copies], drain: Iterable[str]) -> Snapshot:
    """The cloud with hosts more or less; what ran on those that go has to find another place."""
    cloud = snapshot.cloud
    for wanted in add:
        cloud = with_copies(cloud, wanted.host, wanted.count)
    return replace(snapshot, cloud=without(cloud, drain))


def picture(snapshot: Snapshot) -> Picture:
    """What the packing makes of a cloud; refuses with a CapacityError if it cannot be told."""
    account = report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration)
    return Picture(
        hypervisors=len(snapshot.cloud.hypervisors),
        pooled=tuple(_pooled(account, snapshot)),
        split=tuple(_split(account)),
        unplaced=tuple(
            Unplaced(account.flavors[each.block].name, zone, each.phase, each.count, each.reason)
            for zone, result in account.accounts.items()
            for each in result.refused
        ),
        left_out=(*map(str, account.skipped), *(f"{name}: it is in no zone." for name in account.homeless)),
    )


def fits(snapshot: Snapshot, flavors: Iterable[str]) -> list[Fit]:
    """How many more of each of these flavors fit."""
    return [how_many_more(snapshot, name) for name in flavors]


def _pooled(account: CapacityAccount, snapshot: Snapshot) -> Iterable[Share]:
    """What is pooled has one use per unit, so what is promised or waited for is taken off what is left."""
    for resource in POOLED_RESOURCES:
        demand = snapshot.request.of(resource)
        factor = snapshot.request.of(CORES).overcommit_factor or 1 if resource == CORES else 1
        for zone, each in account.report.resources[resource].items():
            asked, capacity = demand.in_zone(zone), int(each.capacity * factor)
            used = each.usage or 0
            committed = min(asked.unused_commitments, max(0, capacity - used))
            pending = min(asked.pending_commitments, max(0, capacity - used - committed))
            yield Share(resource, zone, used, committed, pending, max(0, capacity - used - committed - pending))


def _split(account: CapacityAccount) -> Iterable[Share]:
    for block, flavor in enumerate(account.flavors):
        for zone, result in account.accounts.items():
            placed = result.placed
            yield Share(
                flavor.name,
                zone,
                used=placed[Phase.EXISTING][block] + placed[Phase.USAGE][block],
                committed=placed[Phase.UNUSED_COMMITMENTS][block],
                pending=placed[Phase.PENDING_COMMITMENTS][block],
                free=placed[Phase.FILL][block],
            )

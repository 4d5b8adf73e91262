"""The capacity of the cloud for those who look at it: as it is, and as it would be with hosts more or less.

Reading a cloud takes a while and looking at it is done in steps, so a reading is good for a quarter of a minute, and
longer where it took long. What hosts have is read first and is enough for how many more fit; who uses it, and who was
promised it, takes longer.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

from moorage.capacity.flavor_demand import demand_by_flavor
from moorage.capacity.lease_demand import request_from_leases
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.reading.cloud import read_room, with_servers
from moorage.capacity.reading.promises import read_promises
from moorage.capacity.reading.services import Services
from moorage.capacity.report import report_capacity
from moorage.capacity.shares import Share, Unplaced, pooled_shares, split_shares, unplaced
from moorage.capacity.what_if import with_copies, without
from moorage.client.compute import Server

_FRESH_SECONDS = 15.0
_TIMES_AS_LONG = 10  # as the reading itself took

Item = TypeVar("Item")


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


@dataclass(frozen=True, slots=True)
class Reading:
    """A cloud, its servers, and what the packing makes of it."""

    snapshot: Snapshot
    servers: tuple[Server, ...]
    picture: Picture


class Outlook:
    """The cloud as it was read last."""

    def __init__(
        self, services: Services, configuration: Configuration, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._services = services
        # Who looks wants to see the others beside the name of one that cannot be understood.
        selection = replace(configuration.hypervisor_selection, skip_failing=True)
        self._configuration = replace(configuration, hypervisor_selection=selection)
        self._room = _Fresh(self._read_room, clock)
        self._whole = _Fresh(self._read_whole, clock)

    def room(self) -> Snapshot:
        """What there is and how much of it is in use, without who uses it or was promised it."""
        return self._room.get()

    def whole(self) -> Reading:
        """The cloud with all that its capacity depends on; refuses with a CapacityError if that cannot be told."""
        return self._whole.get()

    def _read_room(self) -> Snapshot:
        services, configuration = self._services, self._configuration
        taken_at = datetime.now(UTC).isoformat(timespec="seconds")
        room = read_room(services.compute, services.placement, configuration)
        return Snapshot(cloud=room, request=CapacityRequest(), configuration=configuration, taken_at=taken_at)

    def _read_whole(self) -> Reading:
        room = self.room()
        cloud = with_servers(room.cloud, self._services.compute, self._configuration)
        promises = read_promises(self._services.compute, self._services.reservation)
        snapshot = replace(
            room, cloud=cloud, request=request_from_leases(promises), of_flavors=demand_by_flavor(promises)
        )
        return Reading(snapshot, tuple(promises.servers), picture(snapshot))


class _Fresh(Generic[Item]):
    """Something that was read within the last moments; who comes while it is read waits for the same reading."""

    def __init__(self, read: Callable[[], Item], clock: Callable[[], float]) -> None:
        self._read = read
        self._clock = clock
        self._turn = threading.Lock()
        self._kept: tuple[float, Item] | None = None  # until when it is good, and what it is

    def get(self) -> Item:
        with self._turn:
            begun = self._clock()
            if self._kept is None or begun > self._kept[0]:
                found = self._read()
                ended = self._clock()
                self._kept = (ended + max(_FRESH_SECONDS, _TIMES_AS_LONG * (ended - begun)), found)
            return self._kept[1]


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
        pooled=tuple(pooled_shares(account, snapshot.request)),
        split=tuple(split_shares(account, snapshot.request)),
        unplaced=tuple(unplaced(account)),
        left_out=(*map(str, account.skipped), *(f"{name}: it is in no zone." for name in account.homeless)),
    )

"""What hosts have free: the slots that leases hold, beside what Placement says now.

Placement is asked before a transaction, never in one. Whoever decides asks for what is there now; whoever only looks
may get what is some seconds old.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import Connection

from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from moorage.reservations.booking.booking_view import BookingView
from moorage.reservations.booking.inventories import Stock, read_stocks, supply_of
from moorage.reservations.booking.slot_cache import SlotCache, SlotSnapshot
from moorage.reservations.calendar.columns import Flags, seconds
from moorage.reservations.calendar.supply import Supply
from moorage.reservations.model.host import Host
from moorage.reservations.model.names import reservation_of_class
from moorage.reservations.store import held_slots

# What should have ended and has not is taken for held so long to come.
OVERDUE_MARGIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class HostInventories:
    """What Placement said, and what a server on a slot of each reservation that has any takes."""

    stocks: Mapping[int, Stock]
    shapes: Mapping[str, Mapping[str, int]]
    read_at: float


class HostAvailability:
    """Reads what hosts offer, and makes the views that bookings are decided from; one for each process."""

    def __init__(
        self,
        database: Database,
        placement: PlacementClient,
        *,
        seconds_for_looking: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.slots = SlotCache()
        self._database = database
        self._placement = placement
        self._patience = seconds_for_looking
        self._clock = clock
        self._lock = threading.Lock()
        self._inventories: HostInventories | None = None
        self._kept: tuple[HostInventories, Mapping[int, Host], Flags, Supply] | None = None

    def inventories_now(self) -> HostInventories:
        """What there is; not older than this call. Those who wait at the same time share one answer."""
        asked_at = self._clock()
        with self._lock:
            if self._inventories is None or self._inventories.read_at < asked_at:
                self._inventories = self._read()
            return self._inventories

    def recent_stocks(self) -> Mapping[int, Stock]:
        """What each host has, or had some seconds ago."""
        return self._recent_inventories(self._database.read(self.slots.current).hosts.keys()).stocks

    def _recent_inventories(self, hosts: AbstractSet[int]) -> HostInventories:
        """Those of these hosts at least; one that has just been added is not in what was read before."""
        inventories = self._inventories
        if (
            inventories is not None
            and self._clock() - inventories.read_at <= self._patience
            and hosts <= inventories.stocks.keys()
        ):
            return inventories
        return self.inventories_now()

    def view_before(
        self, connection: Connection, revision: int, inventories: HostInventories, now: datetime
    ) -> BookingView:
        """What a decision is made from by the one who has the booking lock, with this revision."""
        return self._view(self.slots.before(connection, revision), inventories, now)

    def recent_view(self, now: datetime) -> BookingView:
        """What those see who only look: as far as Placement is concerned perhaps some seconds old."""
        snapshot = self._database.read(self.slots.current)
        return self._view(snapshot, self._recent_inventories(snapshot.hosts.keys()), now)

    def _view(self, snapshot: SlotSnapshot, inventories: HostInventories, now: datetime) -> BookingView:
        hosts = list(snapshot.hosts.values())
        instant = seconds(now)
        holds = snapshot.calendar(instant, int(OVERDUE_MARGIN.total_seconds()))
        running = holds.where(holds.whole & (holds.lease > 0) & (holds.host >= 0)).during(instant, instant + 1)
        in_whole_use = np.zeros(len(hosts), np.bool_)
        in_whole_use[running.host] = True
        return BookingView(hosts, inventories.stocks, self._supply_of(snapshot, inventories, in_whole_use), holds)

    def _supply_of(self, snapshot: SlotSnapshot, inventories: HostInventories, in_whole_use: Flags) -> Supply:
        """What hosts offer, as columns: kept for those who look while it is the same."""
        kept = self._kept
        if (
            kept is not None
            and kept[0] is inventories
            and kept[1] is snapshot.hosts
            and np.array_equal(kept[2], in_whole_use)
        ):
            return kept[3]
        supply = supply_of(list(snapshot.hosts.values()), inventories.stocks, inventories.shapes, in_whole_use)
        self._kept = (inventories, snapshot.hosts, in_whole_use, supply)
        return supply

    def _read(self) -> HostInventories:
        read_at = self._clock()
        snapshot = self._database.read(self.slots.current)
        stocks = read_stocks(self._placement, snapshot.hosts.values())
        classes = {name for stock in stocks.values() for name in stock.reserved_servers}
        return HostInventories(stocks, self._database.read(lambda connection: _shapes(connection, classes)), read_at)


def _shapes(connection: Connection, classes: set[str]) -> dict[str, Mapping[str, int]]:
    uuids = {reservation_of_class(name): name for name in sorted(classes)}
    found = held_slots.shapes(connection, list(uuids))
    return {uuids[uuid]: shape for uuid, shape in found.items()}

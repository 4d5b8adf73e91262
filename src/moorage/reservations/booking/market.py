"""The board of the moment: the diary of this process beside what Placement says now.

Placement is asked before a transaction, never in one. Whoever decides asks for what is there now; whoever only looks
may get what is some seconds old.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import Connection

from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from moorage.reservations.booking.board import Board
from moorage.reservations.booking.diary import Diary, Page
from moorage.reservations.booking.inventories import Stock, read_stocks, supply_of
from moorage.reservations.calendar.columns import Flags, seconds
from moorage.reservations.calendar.supply import Supply
from moorage.reservations.model.host import Host
from moorage.reservations.store import holdings

# What should have ended and has not is taken for held so long to come.
OVERDUE_MARGIN = timedelta(hours=1)
_PREFIX = "CUSTOM_RESERVATION_"


@dataclass(frozen=True, slots=True)
class Offer:
    """What Placement said, and what a server on a slot of each reservation that has any takes."""

    stocks: Mapping[int, Stock]
    shapes: Mapping[str, Mapping[str, int]]
    read_at: float


class Market:
    """One for each process."""

    def __init__(
        self,
        database: Database,
        placement: PlacementClient,
        *,
        seconds_for_looking: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.diary = Diary()
        self._database = database
        self._placement = placement
        self._patience = seconds_for_looking
        self._clock = clock
        self._lock = threading.Lock()
        self._offer: Offer | None = None
        self._kept: tuple[Offer, Mapping[int, Host], Flags, Supply] | None = None

    def offer_now(self) -> Offer:
        """What there is; not older than this call. Those who wait at the same time share one answer."""
        asked_at = self._clock()
        with self._lock:
            if self._offer is None or self._offer.read_at < asked_at:
                self._offer = self._read()
            return self._offer

    def offer_lately(self) -> Offer:
        """What there is, or was some seconds ago."""
        offer = self._offer
        fresh = offer is not None and self._clock() - offer.read_at <= self._patience
        return offer if fresh and offer is not None else self.offer_now()

    def board(self, page: Page, offer: Offer, now: datetime) -> Board:
        """What a decision at a time is made from."""
        hosts = list(page.hosts.values())
        instant = seconds(now)
        holds = page.calendar(instant, int(OVERDUE_MARGIN.total_seconds()))
        running = holds.where(holds.whole & (holds.lease > 0) & (holds.host >= 0)).during(instant, instant + 1)
        in_whole_use = np.zeros(len(hosts), np.bool_)
        in_whole_use[running.host] = True
        return Board(hosts, offer.stocks, self._supply_of(page, offer, in_whole_use), holds)

    def _supply_of(self, page: Page, offer: Offer, in_whole_use: Flags) -> Supply:
        """What hosts offer, as columns: kept for those who look while it is the same."""
        kept = self._kept
        if kept is not None and kept[0] is offer and kept[1] is page.hosts and np.array_equal(kept[2], in_whole_use):
            return kept[3]
        supply = supply_of(list(page.hosts.values()), offer.stocks, offer.shapes, in_whole_use)
        self._kept = (offer, page.hosts, in_whole_use, supply)
        return supply

    def _read(self) -> Offer:
        read_at = self._clock()
        page = self._database.read(self.diary.current)
        stocks = read_stocks(self._placement, page.hosts.values())
        classes = {name for stock in stocks.values() for name in stock.reserved_servers}
        return Offer(stocks, self._database.read(lambda connection: _shapes(connection, classes)), read_at)


def _shapes(connection: Connection, classes: set[str]) -> dict[str, Mapping[str, int]]:
    uuids = {name.removeprefix(_PREFIX).lower().replace("_", "-"): name for name in sorted(classes)}
    found = holdings.shapes(connection, list(uuids))
    return {uuids[uuid]: shape for uuid, shape in found.items()}

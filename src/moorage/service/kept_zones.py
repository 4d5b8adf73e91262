"""The availability zones of a compute service elsewhere, kept for who must not wait for it.

They change about never, and who asks gives up after seconds. So they are read at most once a minute, beside whoever
asks; while the service is away or slow, what was known last is good.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping

from moorage.client.compute import Aggregate
from moorage.client.errors import ClientError, NoEndpoint

LOG = logging.getLogger(__name__)

Zones = Mapping[str, Iterable[str]]
"""The UUIDs of the aggregates that make up each zone."""

_FRESH_SECONDS = 60.0
# So long somebody waits for a reading that has just begun; what is read later is for the next one.
_PATIENCE_SECONDS = 2.0


def zones_of(named: Iterable[tuple[str, str | None]]) -> Zones:
    """The zones, from aggregates by UUID with the zone that each is, if it is one."""
    zones: dict[str, list[str]] = {}
    for uuid, zone in named:
        if zone is not None:
            zones.setdefault(zone, []).append(uuid)
    return zones


class KeptZones:
    """Zones that are read by asking for all aggregates."""

    def __init__(
        self, aggregates: Callable[[], Iterable[Aggregate]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._aggregates = aggregates
        self._clock = clock
        self._turn = threading.Lock()
        self._next = float("-inf")
        self._reading: threading.Thread | None = None
        self._known: Zones | None = None
        # Once is enough, until it has worked again.
        self._has_warned = False

    def get(self) -> Zones:
        """As far as they are known; nothing is before the service was reached for the first time."""
        begun = None
        with self._turn:
            if self._reading is None and self._clock() >= self._next:
                self._next = self._clock() + _FRESH_SECONDS
                begun = self._reading = threading.Thread(target=self._read, name="zones", daemon=True)
                begun.start()
        if begun is not None:
            begun.join(_PATIENCE_SECONDS)
        return self._known or {}

    def _read(self) -> None:
        try:
            self._known = zones_of((each.uuid, each.availability_zone) for each in self._aggregates())
            self._has_warned = False
        except NoEndpoint:
            self._known = {}
        except ClientError as error:
            if not self._has_warned:
                LOG.warning("Metrics tell no news about availability zones: %s", error)
            self._has_warned = True
        finally:
            self._reading = None

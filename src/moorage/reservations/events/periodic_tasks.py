"""What is done now and then, by one worker of all: looking after hosts, and after leases that wait."""

from __future__ import annotations

import logging
import threading
import uuid
from datetime import timedelta

from moorage.client.errors import ClientError
from moorage.db.database import DatabaseUnavailable
from moorage.reservations.booking.promotion import promote
from moorage.reservations.events.worker_context import WorkerContext
from moorage.reservations.healing.healing import heal
from moorage.reservations.room import Room
from moorage.reservations.store import claims

LOG = logging.getLogger(__name__)

# The word stands in databases: workers of other releases claim these tasks by it.
_CLAIM = "chores"


def run_periodic_tasks(room: Room, context: WorkerContext, stop: threading.Event) -> None:
    """Again and again until told to stop."""
    every = timedelta(seconds=room.settings.reservation.host_check_seconds)
    while not stop.wait(every.total_seconds()):
        try:
            _do_once(room, context, every)
        except (ClientError, DatabaseUnavailable) as error:
            LOG.warning("Hosts could not be looked after: %s", error)
        except Exception:
            LOG.exception("Hosts could not be looked after")


def _do_once(room: Room, context: WorkerContext, every: timedelta) -> None:
    now = context.clock()
    # The claim is never given back, so that in all processes together it is done once in that time.
    until = now + every * 0.9
    if context.database.write(lambda tx: claims.take(tx, _CLAIM, 0, uuid.uuid4().hex, now, until)):
        heal(room)
        promote(room)

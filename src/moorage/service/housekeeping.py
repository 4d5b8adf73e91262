"""What a worker does besides answering, about once a minute: it checks its copies and deletes what nobody needs."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable

from moorage.db.database import Database
from moorage.placement.index_sync import FEED_RETENTION, IndexSync
from moorage.placement.store import feed

LOG = logging.getLogger(__name__)

_INTERVAL_SECONDS = 60.0
_BATCH = 10_000


def start_housekeeping(task: Callable[[], None]) -> None:
    """Do a task again and again, in a thread of its own that ends with the process."""
    threading.Thread(target=_run, args=(task,), name="housekeeping", daemon=True).start()


def _run(task: Callable[[], None]) -> None:
    pause = threading.Event()
    # Workers that started together do not all work at the same moment.
    while not pause.wait(_INTERVAL_SECONDS * random.uniform(0.5, 1.5)):  # noqa: S311 - spreads, hides nothing
        try:
            task()
        except Exception:
            LOG.warning("Housekeeping failed and will be tried again", exc_info=True)


def tidy(database: Database, index_sync: IndexSync) -> None:
    """Compare Placement's index with the database, and delete what of the feed nobody needs any more."""
    index_sync.repair()
    while feed.prune(database, FEED_RETENTION, _BATCH) == _BATCH:
        pass

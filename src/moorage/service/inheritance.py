"""What workers inherit from the process that forks them: the whole cloud, read once for all.

Reading a hundred thousand hosts takes seconds of a processor. Were every worker to do it, all would wait for each
other; so the parent does it before the fork, and each worker goes on from there by the change feed. The memory is
shared until it changes. A worker that is started anew after a long time finds its heritage out of date and reads again.
"""

from __future__ import annotations

from moorage.db.database import Database
from moorage.placement.index_sync import Reading, read_all
from moorage.service import garbage

_readings: dict[str, Reading] = {}


def bequeath(url: str, database: Database) -> None:
    """Read the cloud of a database for the workers that will be forked."""
    garbage.settle()
    _readings[url] = read_all(database)
    garbage.settle()  # once more: looking through the cloud would touch, and so copy, the memory that is shared


def inherited(url: str) -> Reading | None:
    """What the parent has read; None in a process that nobody has forked."""
    return _readings.get(url)

"""Agents that somebody would have to start, and to wait for: only what they have told is there."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from moorage.db.database import Database
from moorage.placement.model.agent import Outcome, Sign
from moorage.placement.store import agents
from tests.clients.running_service import RunningService

FLEET = [
    Sign(
        "az1-compute-04",
        "0.1.0",
        60.0,
        Outcome.FAILED,
        "The description of nodes cannot be read: Permission denied.",
        1,
    ),
    Sign("az2-gpu-01", "0.1.0", 60.0, Outcome.INCOMPLETE, "az2-gpu-01: CUSTOM_LLC is held by 3 consumers.", 5),
    *(Sign(f"az3-compute-{number:02}", "0.1.0", 60.0, Outcome.WELL, None, 1) for number in range(1, 4)),
]
DEAD = [Sign("az1-compute-02", "0.1.0", 60.0, Outcome.WELL, None, 1)]


@contextmanager
def agents_of(service: RunningService, signs: Sequence[Sign], age: int = 0) -> Iterator[None]:
    """Agents that have told this, so many seconds ago."""
    database = Database(f"sqlite:///{service.state / 'moorage.sqlite'}")
    database.tidy(lambda connection: agents.keep(connection, signs, int(time.time()) - age))
    try:
        yield
    finally:
        database.tidy(lambda connection: [agents.forget(connection, sign.name) for sign in signs])
        database.dispose()

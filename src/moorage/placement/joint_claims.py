"""Claims that come at the same time share one transaction.

Most of what a claim takes is the way to the database and back, and one durable commit. So a process has one group of
claims on its way at a time; those that come meanwhile are the next group. Nobody waits for company: a claim that
comes alone goes at once, and one that has waited too long for its turn goes by itself.

Only claims of new consumers are grouped, because those only take: together they fit exactly if they fit one after the
other. When a group is refused, for whatever reason, each of its claims is made alone and gets its own answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from enum import Enum, auto

from moorage.db.database import DatabaseUnavailable
from moorage.placement.model.allocation import Claim

# How long a claim waits for the group before it. Groups take a few milliseconds; one that takes longer stands in a
# queue inside the database, in which others have no business.
PATIENCE_SECONDS = 0.05

Write = Callable[[Sequence[Claim]], None]


class _Turn(Enum):
    """What a waiting claim is told."""

    LEAD = auto()  # take your group to the database
    DONE = auto()
    GO_ALONE = auto()


class _Waiting:
    """A claim that waits to be told how it goes on."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.group: Sequence[_Waiting] = (self,)
        self._turn: _Turn | None = None
        self._error: Exception | None = None
        self._told = threading.Event()

    def tell(self, turn: _Turn, error: Exception | None = None) -> None:
        self._turn, self._error = turn, error
        self._told.set()

    def wait(self, seconds: float | None = None) -> _Turn | None:
        """What it was told; None if nothing so far."""
        self._told.wait(seconds)
        if self._error is not None:
            raise self._error
        return self._turn


class JointClaims:
    """The claims of one process."""

    def __init__(self, write: Write, patience: float = PATIENCE_SECONDS) -> None:
        self._write = write
        self._patience = patience
        self._lock = threading.Lock()
        self._under_way = False
        self._queue: list[_Waiting] = []

    def claim(self, claim: Claim) -> None:
        """Make a claim, alone or with others; returns when it is durable, and raises what it is refused for."""
        if claim.generation is not None or not claim.amounts:
            self._write([claim])
            return
        mine = _Waiting(claim)
        turn = self._turn_of(mine)
        if turn is _Turn.LEAD:
            turn = self._lead(mine.group)
        if turn is _Turn.GO_ALONE:
            self._write([claim])

    def _turn_of(self, mine: _Waiting) -> _Turn | None:
        with self._lock:
            if not self._under_way:
                self._under_way = True
                return _Turn.LEAD
            self._queue.append(mine)
        turn = mine.wait(self._patience)
        if turn is None:
            with self._lock:
                if mine in self._queue:
                    self._queue.remove(mine)
                    return _Turn.GO_ALONE
            turn = mine.wait()  # it is in a group that is under way
        return turn

    def _lead(self, group: Sequence[_Waiting]) -> _Turn:
        """Take a group to the database, let the next one go, and tell everybody; what that means for the leader."""
        turn, error = _Turn.GO_ALONE, None
        try:
            self._write([waiting.claim for waiting in group])
            turn = _Turn.DONE
        except DatabaseUnavailable as unavailable:
            error = unavailable  # another try would only be one more, and perhaps of something that was carried out
            raise
        except Exception:
            if len(group) == 1:
                raise
        finally:
            self._let_the_next_go()
            for waiting in group[1:]:
                waiting.tell(turn, error)
        return turn

    def _let_the_next_go(self) -> None:
        with self._lock:
            if not self._queue:
                self._under_way = False
                return
            group: dict[str, _Waiting] = {}
            for waiting in self._queue:
                group.setdefault(waiting.claim.consumer_uuid, waiting)
            chosen = list(group.values())
            self._queue = [waiting for waiting in self._queue if waiting not in chosen]
        chosen[0].group = chosen
        chosen[0].tell(_Turn.LEAD)

"""Writes that come at the same time share one transaction.

Most of what a small write takes is the way to the database and back, and one durable commit. So a process has one group
on its way at a time; those that come meanwhile are the next group. Nobody waits for company: a write that comes alone
goes at once, and one that has waited too long for its turn goes by itself.

Only writes that do not depend on each other belong here: together they succeed exactly if they do one after the other.
When a group is refused, for whatever reason, each of its writes is made alone and gets its own answer.

What stands in a queue inside the database must not keep others waiting. Who says what each write may have to wait for
(its `queue`) gets that: a group that finds something taken is divided by queues, and each part waits for itself; and a
write that has waited too long for its turn leads all that wait with it, past those that stand in a queue.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum, auto
from typing import Generic, TypeVar

from moorage.db.database import DatabaseUnavailable
from moorage.db.messenger import Busy

# How long a write waits for the group before it. Groups take a few milliseconds; one that takes longer stands in a
# queue inside the database, in which others have no business.
PATIENCE_SECONDS = 0.05

Item = TypeVar("Item")
Result = TypeVar("Result")


class _Turn(Enum):
    """What a waiting write is told."""

    LEAD = auto()  # take your group to the database
    DONE = auto()
    GO_ALONE = auto()


class _Waiting(Generic[Item, Result]):
    """A write that waits to be told how it goes on."""

    def __init__(self, item: Item) -> None:
        self.item = item
        self.group: Sequence[_Waiting[Item, Result]] = (self,)
        # What came of it: one result once it is done.
        self.results: list[Result] = []
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


class JointWrites(Generic[Item, Result]):
    """The writes of one kind in one process.

    `write` takes a group to the database and returns one result for each, in the same order. Two with the same
    `identity` never go together. If it is said which `queue` each may have to stand in, then `write` raises `Busy` for
    a group of several queues rather than wait.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Item]], Sequence[Result]],
        patience: float = PATIENCE_SECONDS,
        identity: Callable[[Item], Hashable] = id,
        queue: Callable[[Item], Hashable] | None = None,
    ) -> None:
        self._write = write
        self._patience = patience
        self._identity = identity
        self._queue_of = queue
        self._lock = threading.Lock()
        # Who has the next group go once its own is back.
        self._leader: _Waiting[Item, Result] | None = None
        self._queue: list[_Waiting[Item, Result]] = []

    def submit(self, item: Item) -> Result:
        """Write something, alone or with others; returns when it is durable, and raises what it is refused for."""
        mine = _Waiting[Item, Result](item)
        turn = self._turn_of(mine)
        if turn is _Turn.LEAD:
            turn = self._lead(mine)
        if turn is _Turn.GO_ALONE:
            mine.results = [*self._write([item])]
        return mine.results[0]

    def _turn_of(self, mine: _Waiting[Item, Result]) -> _Turn | None:
        with self._lock:
            if self._leader is None:
                self._leader = mine
                return _Turn.LEAD
            self._queue.append(mine)
        turn = mine.wait(self._patience)
        if turn is None:
            with self._lock:
                if mine in self._queue:
                    return self._overtake(mine)
            turn = mine.wait()  # it is in a group that is under way
        return turn

    def _overtake(self, mine: _Waiting[Item, Result]) -> _Turn:
        """Go past the group that is under way for too long."""
        if self._queue_of is None:
            self._queue.remove(mine)
            return _Turn.GO_ALONE
        mine.group = self._take_from_queue(first=mine)
        self._leader = mine
        return _Turn.LEAD

    def _lead(self, mine: _Waiting[Item, Result]) -> _Turn:
        """Take a group to the database, let the next one go, and tell everybody; what that means for the leader."""
        group = mine.group
        turn, error = _Turn.GO_ALONE, None
        try:
            for waiting, result in zip(group, self._write([waiting.item for waiting in group]), strict=True):
                waiting.results = [result]
            turn = _Turn.DONE
        except DatabaseUnavailable as unavailable:
            error = unavailable  # another try would only be one more, and perhaps of something that was carried out
            raise
        except Busy:
            group = self._divide(mine)
            turn = _Turn.LEAD if len(group) > 1 else _Turn.GO_ALONE
        except Exception:
            if len(group) == 1:
                raise
        finally:
            self._let_the_next_go(mine)
            if turn is not _Turn.LEAD:
                for waiting in group[1:]:
                    waiting.tell(turn, error)
        return self._lead(mine) if turn is _Turn.LEAD else turn

    def _divide(self, mine: _Waiting[Item, Result]) -> Sequence[_Waiting[Item, Result]]:
        """Have each part of a group that stands in a queue of its own go for itself; the part of its leader."""
        parts: dict[Hashable, list[_Waiting[Item, Result]]] = {}
        for waiting in mine.group:
            parts.setdefault(waiting if self._queue_of is None else self._queue_of(waiting.item), []).append(waiting)
        for part in parts.values():
            part[0].group = part
            if part[0] is not mine:
                part[0].tell(_Turn.LEAD)
        return mine.group

    def _let_the_next_go(self, leader: _Waiting[Item, Result]) -> None:
        with self._lock:
            if self._leader is not leader:
                return  # somebody else does, since this one was away for too long
            chosen = self._take_from_queue()
            self._leader = chosen[0] if chosen else None
        if chosen:
            chosen[0].group = chosen
            chosen[0].tell(_Turn.LEAD)

    def _take_from_queue(self, *, first: _Waiting[Item, Result] | None = None) -> list[_Waiting[Item, Result]]:
        """Those that can go together, no two with the same identity."""
        waiting: Iterable[_Waiting[Item, Result]] = self._queue if first is None else (first, *self._queue)
        group: dict[Hashable, _Waiting[Item, Result]] = {}
        for one in waiting:
            group.setdefault(self._identity(one.item), one)
        chosen = list(group.values())
        self._queue = [one for one in self._queue if one not in chosen]
        return chosen

"""Notices that files have changed, by looking at what their directory says about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from enum import Enum, auto
from pathlib import Path

Mark = tuple[str, int, int, int]


class Look(Enum):
    """What a look at the files finds."""

    # As they were.
    SAME = auto()
    # They differ from the last look, so that somebody may be writing at this moment.
    MOVING = auto()
    # They have changed, and have been at rest since.
    CHANGED = auto()


class Watch:
    """Looks after files, and after all files in directories."""

    def __init__(self, places: Iterable[Path]) -> None:
        self._places = tuple(places)
        self._known = self._last = self._marks()

    def look(self) -> Look:
        """Whether anything was written, renamed, replaced, given away or taken away.

        A change counts when two looks in a row find the same, so that a file is not read while it is being written.
        """
        now = self._marks()
        at_rest, self._last = now == self._last, now
        if not at_rest:
            return Look.MOVING
        if now == self._known:
            return Look.SAME
        self._known = now
        return Look.CHANGED

    def _marks(self) -> frozenset[Mark]:
        return frozenset(mark for place in self._places for file in _files(place) for mark in _mark(file))


def _files(place: Path) -> list[Path]:
    try:
        with os.scandir(place) as entries:
            return [Path(entry.path) for entry in entries]
    except NotADirectoryError:
        return [place]
    except OSError:
        return []


def _mark(file: Path) -> Iterator[Mark]:
    try:
        found = file.stat()
    except OSError:
        return
    # The time of the last change of status moves with the content, the owner and the permissions, and cannot be set.
    yield str(file), found.st_ino, found.st_size, found.st_ctime_ns

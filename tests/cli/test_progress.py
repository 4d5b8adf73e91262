"""Progress is drawn on a terminal, and nowhere else."""

from __future__ import annotations

import os
import pty
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO

import pytest

from moorage.cli.progress import progress, working


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """Standard error as a terminal, and all that was drawn there, of which a terminal hands out as much as it has."""
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as drawn:
        monkeypatch.setattr(sys, "stderr", drawn)

        def everything() -> str:
            drawn.close()
            text = b""
            # The end of a terminal that nobody draws on any more is an error.
            with suppress(OSError):
                while piece := os.read(ours, 10_000):
                    text += piece
            return text.decode()

        yield everything
    os.close(ours)


def work() -> None:
    with working("Reading the harbour"):
        pass
    with progress("Asking", {"ships": 2, "quays": None}) as tell:
        tell("ships", 2)


def test_on_a_terminal_it_is_told_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as drawn:
        work()
        text = drawn()
    assert "Reading the harbour…" in text
    assert "Asking: ships" in text
    assert "2/2" in text


def test_elsewhere_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = StringIO()
    monkeypatch.setattr(sys, "stderr", drawn)
    work()
    assert drawn.getvalue() == ""

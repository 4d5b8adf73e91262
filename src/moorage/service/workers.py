"""How many workers `moorage serve` has, told by the process that started them all."""

from __future__ import annotations

import os
from pathlib import Path

EXPECTED = "MOORAGE_WORKERS"
"""Environment variable that tells workers how many they should be; nobody but `moorage serve` sets it."""


def workers_expected() -> int | None:
    """How many there should be; None where somebody else starts processes."""
    given = os.environ.get(EXPECTED, "")
    return int(given) if given.isdecimal() else None


def workers_alive() -> int | None:
    """How many there are: the living children of the process that started this one; None where nobody knows."""
    if workers_expected() is None:
        return None
    try:
        parent = os.getppid()
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    except OSError:
        return None
    return sum(map(lives, map(int, children.split())))


def lives(pid: int) -> bool:
    """Whether a process can still do anything; a dead one is listed until its parent has taken note of it."""
    try:
        # After the name, which may hold anything but ends with the last parenthesis: see proc(5).
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}

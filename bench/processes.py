"""What processes cost, as Linux counts it in /proc."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_USER_TIME, _SYSTEM_TIME = 11, 12  # fields of /proc/PID/stat, counted after the command's closing parenthesis


@dataclass(frozen=True, slots=True)
class Memory:
    """In MiB: all that a process has mapped, and the same with shared pages divided among those who share them."""

    resident: float
    proportional: float


def family(pid: int) -> list[int]:
    """A process and its direct children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [pid, *map(int, children.split())]


def cpu_seconds(pid: int) -> float:
    """The processor time of a process and its children so far."""
    return sum(map(_cpu_seconds, family(pid)))


def largest_worker(pid: int) -> Memory:
    """The memory of the child that holds most."""
    return max((_memory(child) for child in family(pid)[1:]), key=lambda memory: memory.resident)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])) / _TICKS


def _memory(pid: int) -> Memory:
    rollup = dict(re.findall(r"^(\w+):\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE))
    return Memory(int(rollup["Rss"]) / 1024, int(rollup["Pss"]) / 1024)

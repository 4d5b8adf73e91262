"""How quick the calendar of leases is: `python -m bench.reservations [--small]`.

Blazar's own search over the same kind of data is a recorded figure, of Blazar 18.0.0 on SQLite with indexes added, on a
machine like this one; it includes SQL, ours starts from the columns that a worker keeps in memory.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping

import numpy as np
from rich.console import Console
from rich.table import Table

from moorage.reservations.calendar.demand import Demand
from moorage.reservations.calendar.holds import Holds
from moorage.reservations.calendar.profile import profile
from moorage.reservations.calendar.score import Goal
from moorage.reservations.calendar.starts import possible_starts
from moorage.reservations.calendar.supply import Offers, Supply
from moorage.reservations.calendar.totals import totals
from moorage.reservations.calendar.window import fits

RECORDED_SECONDS = {(1_000, 5_000): 3.6}
"""What a booking's search took in Blazar, by hosts and leases."""

SIZES = ((1_000, 5_000), (10_000, 100_000))
REPETITIONS = 5
DAY = 86_400
DEMAND = Demand({"VCPU": 8, "MEMORY_MB": 4096, "DISK_GB": 40})
HOST = {"VCPU": 64, "MEMORY_MB": 65536, "DISK_GB": 1000}

Question = Callable[[Supply, Holds], object]

QUESTIONS: Mapping[str, Question] = {
    "a booking of a day": lambda supply, holds: fits(profile(supply, holds, DEMAND, 10 * DAY, 11 * DAY)),
    "free times in a month": lambda supply, holds: possible_starts(
        profile(supply, holds, DEMAND, 0, 31 * DAY), Goal(5), DAY
    ),
    "availability over a month": lambda supply, holds: totals(profile(supply, holds, DEMAND, 0, 30 * DAY), Goal(1000)),
}


def a_busy_month(hosts: int, leases: int) -> tuple[Supply, Holds]:
    """Leases of two slots each, spread over 30 days."""
    chance = np.random.default_rng(1)
    rows = 2 * leases
    start = chance.integers(0, 30 * 1440, rows) * 60
    holds = Holds(
        chance.integers(0, hosts, rows),
        np.arange(rows) // 2 + 1,
        start,
        start + chance.integers(60, 3 * 1440, rows) * 60,
        np.zeros(rows, np.bool_),
        {name: chance.integers(1, size // 8, rows) for name, size in HOST.items()},
    )
    ones, every = np.ones(hosts, np.int64), np.arange(hosts)
    offers = {name: Offers(every, ones * size, ones, ones * size, ones) for name, size in HOST.items()}
    return Supply(hosts, offers), holds


def seconds(question: Question, supply: Supply, holds: Holds) -> float:
    """The median of a few times."""
    taken = []
    for _ in range(REPETITIONS):
        begun = time.perf_counter()
        question(supply, holds)
        taken.append(time.perf_counter() - begun)
    return sorted(taken)[REPETITIONS // 2]


def main(arguments: list[str]) -> None:
    """Measure, and show a table."""
    table = Table("hosts", "leases", "question", "seconds", "Blazar, recorded")
    for hosts, leases in [(50, 250)] if "--small" in arguments else SIZES:
        supply, holds = a_busy_month(hosts, leases)
        for number, (title, question) in enumerate(QUESTIONS.items()):
            recorded = RECORDED_SECONDS.get((hosts, leases)) if number == 0 else None
            taken = seconds(question, supply, holds)
            table.add_row(f"{hosts:,}", f"{leases:,}", title, f"{taken:.4f}", f"{recorded} s" if recorded else "")
    Console(width=100).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])

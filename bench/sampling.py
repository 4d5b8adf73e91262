"""Takes samples: one by one with the sides in turn, or by many clients at once for a while."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from bench.client import Answer, Connection
from bench.load import Bounds
from bench.steps import RunStep

BLOCK = 5
"""So many samples of one side before the other's turn: the first one after the other side's long work finds cold
caches, which is nothing that a service in use would meet each time."""
TURNS = 2
"""In how many turns the time of many clients is divided, so that a slow minute of the machine hits both sides."""


@dataclass(slots=True)
class Samples:
    """What one side has shown in one row: the seconds of each success, what failed, and the time it took in all."""

    seconds: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0
    steps: int = 0  # all of them, those that only warm up as well
    last: Answer | None = None

    @property
    def timed_out(self) -> bool:
        """Whether an answer did not come in time; then the server may still be busy with it."""
        return "timeout" in self.failures

    def take(self, step: RunStep, connection: Connection) -> None:
        """Do one step and remember how it went."""
        self.steps += 1
        begin = time.perf_counter()
        try:
            self.last = step(connection)
        except TimeoutError:
            self.failures["timeout"] += 1
        except OSError:
            self.failures["connection lost"] += 1
        else:
            if self.last.succeeded:
                self.seconds.append(time.perf_counter() - begin)
            else:
                self.failures[str(self.last.status)] += 1

    def add(self, other: Samples) -> None:
        """Count another client's samples as well; the time in all is the caller's business."""
        self.seconds += other.seconds
        self.failures += other.failures
        self.steps += other.steps


def in_turn(steps: Mapping[str, tuple[RunStep, Connection]], bounds: Bounds) -> dict[str, Samples]:
    """A few samples of each side, again and again, until each has enough or has used up its time.

    The first one only warms up and is dropped, unless it alone has used up the time.
    """
    samples = {side: Samples() for side in steps}
    for start in range(0, bounds.samples + 1, BLOCK):
        for side, (step, connection) in steps.items():
            for number in range(start, min(start + BLOCK, bounds.samples + 1)):
                mine = samples[side]
                if mine.elapsed > bounds.seconds or mine.timed_out:
                    break
                if number == 1:
                    mine.seconds.clear()
                begin = time.perf_counter()
                mine.take(step, connection)
                mine.elapsed += time.perf_counter() - begin
    return samples


def at_once(clients: Mapping[str, list[tuple[RunStep, Connection]]], bounds: Bounds) -> dict[str, Samples]:
    """All clients of one side for a while, then those of the other, in a few turns."""
    samples = {side: Samples() for side in clients}
    for _ in range(TURNS):
        for side, of_side in clients.items():
            _one_turn(of_side, bounds.parallel_seconds / TURNS, samples[side])
    return samples


def _one_turn(clients: list[tuple[RunStep, Connection]], seconds: float, samples: Samples) -> None:
    begin = time.perf_counter()

    def run(client: tuple[RunStep, Connection]) -> Samples:
        mine = Samples()
        while time.perf_counter() < begin + seconds and not mine.timed_out:
            mine.take(*client)
        return mine

    with ThreadPoolExecutor(len(clients)) as pool:
        for mine in pool.map(run, clients):
            samples.add(mine)
    samples.elapsed += time.perf_counter() - begin

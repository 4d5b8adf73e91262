"""Many clients at the same time: threads in several processes, each process with an application of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from multiprocessing.synchronize import Barrier
from typing import TypeVar

from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.settings import load_settings
from tests.placement.rest import Api
from tests.processes import FORKS

Task = TypeVar("Task")
Result = TypeVar("Result")

PROCESSES = 4
PATIENCE_SECONDS = 60


@dataclass(frozen=True)
class Hand:
    """One of many clients."""

    api: Api
    _barrier: Barrier

    def wait_for_all(self) -> None:
        """Until every other hand is here, too."""
        self._barrier.wait(PATIENCE_SECONDS)


def open_api(database: Database) -> Api:
    """The Placement API over a database, with the settings a fresh installation has."""
    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
    return Api(placement_application(settings, database))


def together(url: str, work: Callable[[Hand, Task], Result], tasks: Sequence[Task]) -> list[Result]:
    """What the work answers for each task: one hand each, all beginning at the same moment."""
    barrier = FORKS.Barrier(len(tasks))
    shares = [range(first, len(tasks), PROCESSES) for first in range(min(PROCESSES, len(tasks)))]
    running = []
    for share in shares:
        pipe, far_end = FORKS.Pipe(duplex=False)
        arguments = (url, work, [tasks[number] for number in share], barrier, far_end)
        process = FORKS.Process(target=_work, args=arguments, daemon=True)
        process.start()
        far_end.close()  # so that a process that ends without an answer is noticed
        running.append((process, pipe, share))
    results: dict[int, Result] = {}
    for process, pipe, share in running:
        results.update(zip(share, pipe.recv(), strict=True))
        process.join()
    return [results[number] for number in range(len(tasks))]


def _work(
    url: str, work: Callable[[Hand, Task], Result], tasks: Sequence[Task], barrier: Barrier, answer: Pipe
) -> None:
    database = Database(url)
    hand = Hand(open_api(database), barrier)

    def begin(task: Task) -> Result:
        hand.wait_for_all()
        return work(hand, task)

    with ThreadPoolExecutor(len(tasks)) as threads:
        answer.send(list(threads.map(begin, tasks)))
    database.dispose()

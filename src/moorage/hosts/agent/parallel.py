"""The same work for many things at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Executor, wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_parallel(workers: Executor, work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """The results in the order of the items; if one raises, no more is begun, and what was begun is over."""
    futures = [workers.submit(work, item) for item in items]
    finished, waiting = wait(futures, return_when=FIRST_EXCEPTION)
    for future in waiting:
        future.cancel()
    wait(waiting)
    for future in finished:
        future.result()
    return [future.result() for future in futures]

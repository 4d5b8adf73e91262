"""Many questions at once, but never more than a service can be expected to bear."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

_MOST = 8

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def ask_at_once(ask: Callable[[_Item], _Result], items: Iterable[_Item], most: int = _MOST) -> dict[_Item, _Result]:
    """The answer for each item, in the order of the items; the first error ends it."""
    wanted = list(dict.fromkeys(items))
    if len(wanted) <= 1:
        return {item: ask(item) for item in wanted}
    with ThreadPoolExecutor(max_workers=min(most, len(wanted)), thread_name_prefix="client") as threads:
        # Each question knows the request that it is asked for.
        futures = {item: threads.submit(copy_context().run, ask, item) for item in wanted}
        try:
            return {item: future.result() for item, future in futures.items()}
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            raise

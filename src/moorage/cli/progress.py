"""Progress of long work, drawn on standard error where a person looks at it, and nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def progress(title: str, totals: Mapping[str, int | None]) -> Iterator[Callable[[str, int], None]]:
    """A bar for each thing that is worked on; None where its number is not known before."""
    if not sys.stderr.isatty():
        yield lambda _what, _count: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {what: bars.add_task(f"{title}: {what}", total=total) for what, total in totals.items()}

        def tell(what: str, count: int) -> None:
            bars.advance(tasks[what], count)

        yield tell


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign of life while something is done of which nobody can tell how much is left."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what}…"):
        yield

"""What all workers of this machine have counted, from the directory that they share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from moorage.meters import REGISTRY

SHARED = "PROMETHEUS_MULTIPROC_DIR"
_INDEX_POSITION = "moorage_index_position"


def counted_registry() -> CollectorRegistry:
    """All that was counted: by every worker or, where they share nothing, by this process."""
    registry = CollectorRegistry()
    directory = _shared_directory()
    if directory is None:
        registry.register(_Own())
    else:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # its module has no types
    return registry


def slowest_index() -> int | None:
    """How far the worker that is farthest behind has read the feed; None where workers share nothing."""
    directory = _shared_directory()
    if directory is None:
        return None
    # Of all files only those that such numbers are in: there may be thousands of others.
    files = [str(file) for file in directory.glob("gauge_livemin_*.db")]
    found = [
        int(sample.value)
        for metric in MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]  # as above
        if metric.name == _INDEX_POSITION
        for sample in metric.samples
    ]
    return min(found, default=None)


class _Own(Collector):
    """What this process alone has counted."""

    def collect(self) -> Iterator[Metric]:
        """Every meter."""
        yield from REGISTRY.collect()


def _shared_directory() -> Path | None:
    name = os.environ.get(SHARED)
    if not name:
        return None
    directory = Path(name)
    _forget_the_dead(directory)
    return directory


def _forget_the_dead(directory: Path) -> None:
    """What a worker was at counts no longer when it has ended; what it has counted does."""
    for file in directory.glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdecimal() and not Path("/proc", pid).exists():
            mark_process_dead(int(pid))  # type: ignore[no-untyped-call]  # as above

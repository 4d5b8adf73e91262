"""How long Prometheus waits for /metrics, and anybody for /healthcheck, in a cloud with many hosts and leases.

python -m tests.service.scrape --hosts 10000 --leases 2000 --workers 2
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx

from tests.clients.running_service import RunningService, running_service
from tests.console.large_cloud import write_hosts
from tests.console.large_leases import write_leases

TIMES = 21
"""The first of them finds what the others share."""


def main() -> None:
    """Make the cloud on SQLite, and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=10_000)
    parser.add_argument("--leases", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as directory,
        running_service(Path(directory), "--workers", str(given.workers)) as service,
    ):
        write_leases(service, write_hosts(service, given.hosts), given.leases)
        for path in ("/metrics", "/healthcheck/ready"):
            first, *seconds = [_asked(service, path) for _ in range(TIMES)]
            told = f"{statistics.median(seconds) * 1000:.0f} ms, at most {max(seconds) * 1000:.0f} ms"
            sys.stdout.write(f"{path}: {told}; the first {first * 1000:.0f} ms\n")


def _asked(service: RunningService, path: str) -> float:
    begun = time.perf_counter()
    httpx.get(f"{service.url}{path}", headers={"X-Auth-Token": service.token}, timeout=60).raise_for_status()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()

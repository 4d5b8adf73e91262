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

TIMES = 20


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
        client = _client(service)
        for path in ("/metrics", "/healthcheck/ready"):
            # All that was written just now is read by each worker when it is asked for the first time.
            seconds = [_asked(client, path) for _ in range(2 * TIMES)][TIMES:]
            told = f"{statistics.median(seconds) * 1000:.0f} ms, at most {max(seconds) * 1000:.0f} ms"
            sys.stdout.write(f"{path}: {told}\n")


def _client(service: RunningService) -> httpx.Client:
    """Each request comes over a connection of its own, which any worker may take."""
    headers = {"X-Auth-Token": service.token, "Connection": "close"}
    return httpx.Client(base_url=service.url, headers=headers, timeout=60)


def _asked(client: httpx.Client, path: str) -> float:
    begun = time.perf_counter()
    client.get(path).raise_for_status()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()

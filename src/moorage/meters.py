"""What this process counts while it works, for Prometheus; the rooms count here, `service/metrics` shows it.

Where PROMETHEUS_MULTIPROC_DIR names a directory before this module is loaded, as `moorage serve` sees to, all processes
that share the directory count together: counters are summed up, also those of workers that have ended.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()

# From what the index answers up to what waits for a database that is away.
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

REQUESTS = Counter(
    "moorage_requests",
    "Requests that were answered, by service, method, route and status.",
    ["service", "method", "route", "status"],
    registry=REGISTRY,
)
REQUEST_SECONDS = Histogram(
    "moorage_request_seconds",
    "How long requests took until their answer began.",
    ["service", "method", "route"],
    registry=REGISTRY,
    buckets=_SECONDS,
)
CLAIMS = Counter(
    "moorage_claims",
    "Writes of allocations: made, refused because something did not fit, or in conflict with somebody else's write.",
    ["outcome"],
    registry=REGISTRY,
)
RETRIES = Counter(
    "moorage_database_retries",
    "Transactions that were tried again: collision, constraint, or disconnected.",
    ["fault"],
    registry=REGISTRY,
)
CATCH_UP_SECONDS = Histogram(
    "moorage_index_catch_up_seconds",
    "How long the index of a worker took to catch up with the change feed before an answer.",
    registry=REGISTRY,
    buckets=_SECONDS,
)
INDEX_POSITION = Gauge(
    "moorage_index_position",
    "How far the index has read the change feed: of the worker that is farthest behind.",
    # Without a label every process that loads this module would have a position, also one that keeps no index.
    ["index"],
    registry=REGISTRY,
    multiprocess_mode="livemin",
)

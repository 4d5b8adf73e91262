"""What the sample cloud has beyond its ledger: zones, flavors, images, hosts that leases may use, and leases.

Described in `sample_cloud.yaml` as the rest of it. Leases are about the days to come, whichever day it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from moorage.compute.context import Compute
from moorage.compute.model.aggregate import AVAILABILITY_ZONE
from moorage.compute.store import aggregates
from moorage.db.database import Transaction
from moorage.service.sample_cloud import Send, description, expect, identifier, sample_cloud

_DATE = "%Y-%m-%d %H:%M"


def name_zones(compute: Compute) -> None:
    """Have compute know the zones that the hosts are in, under the identifiers that Placement has for them.

    Other aggregates stay Placement's alone: capacity is told by zone, and wants a host to be in one aggregate.
    """
    providers = sample_cloud().providers

    def work(tx: Transaction) -> None:
        for zone in description()["zones"]:
            made = aggregates.create(tx, identifier(zone), zone, {AVAILABILITY_ZONE: zone})
            for provider in providers:
                if zone in provider.aggregates:
                    aggregates.add_host(tx, made.id, provider.name)

    compute.write(work)


def offer(send: Send) -> None:
    """Make the flavors and images."""
    for name, wanted in description()["offer"].items():
        sizes = {key: wanted[key] for key in ("vcpus", "ram", "disk")}
        expect(send, "POST", "/compute/v2.1/flavors", {"flavor": {"id": name, "name": name, **sizes}})
        if specs := wanted.get("extra_specs"):
            expect(send, "POST", f"/compute/v2.1/flavors/{name}/os-extra_specs", {"extra_specs": specs})
    for name, properties in description()["images"].items():
        image = {"name": name, "container_format": "bare", "disk_format": "raw", **properties}
        expect(send, "POST", "/image/v2/images", image)


def lease(send: Send, now: datetime | None = None) -> None:
    """Hand hosts over, and book."""
    for name, capabilities in description()["reservable"].items():
        expect(send, "POST", "/reservation/v1/os-hosts", {"name": name, **capabilities})
    moment = now or datetime.now(UTC)
    for wanted in description()["leases"]:
        expect(send, "POST", "/reservation/v1/leases", lease_body(wanted, moment))


def lease_body(wanted: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """A lease of the description as the API takes it."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    start, shown = now, "now"
    if "day" in wanted:
        start = midnight + timedelta(days=wanted["day"], hours=wanted["hour"])
        shown = start.strftime(_DATE)
    if "hosts" in wanted:
        asked = {"resource_type": "physical:host", "min": wanted["hosts"], "max": wanted["hosts"]}
    else:
        asked = {"resource_type": "virtual:instance", **wanted["reservation"]}
    end = start + timedelta(hours=wanted["hours"])
    return {"name": wanted["name"], "start_date": shown, "end_date": end.strftime(_DATE), "reservations": [asked]}

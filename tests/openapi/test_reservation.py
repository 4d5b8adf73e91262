"""The reservation API answers as its OpenAPI document says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from schemathesis import Case

from tests.clients.running_service import RunningService
from tests.openapi.conforming import Known, ask, described
from tests.properties import effort

schema = described(
    "reservation",
    refusable=(
        # Dates that are past, in the wrong order or in no calendar; conditions that cannot be read or are on properties
        # that no host has; flavors that there are not.
        "post-v1-leases",
        "put-v1-leases-lease_id",
        "put-v1-os-hosts-host_id-maintenance",
        # And what must be there depends on the type.
        "get-v1-slots",
        "get-v1-availability",
        # A start without an end.
        "get-v1-usage",
        # Days that are in no calendar.
        "get-v1-leases",
        "get-v1-leases-ics",
        # Numbers that are too large, written as text.
        "put-v1-limits-project_id",
    ),
)


@pytest.fixture(scope="module")
def api(sample_service: RunningService) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=sample_service.url, headers={"X-Auth-Token": sample_service.token}) as client:
        yield client


@pytest.fixture(scope="module")
def reserved_hosts(api: httpx.Client) -> list[str]:
    """The hosts that the sample cloud has for leases."""
    return [host["hypervisor_hostname"] for host in _listed(api, "/reservation/v1/os-hosts")]


@pytest.fixture
def known(api: httpx.Client, reserved_hosts: list[str]) -> Iterator[Known]:
    """The hosts of the sample cloud, brought back if other tests took them away, its leases, and one of this test."""
    hosts = {host["hypervisor_hostname"]: host["id"] for host in _listed(api, "/reservation/v1/os-hosts")}
    for name in reserved_hosts:
        if name not in hosts:
            api.post("/reservation/v1/os-hosts", json={"name": name}).raise_for_status()
        else:
            api.put(f"/reservation/v1/os-hosts/{hosts[name]}/maintenance", json={"maintenance": []}).raise_for_status()
    wish = {"resource_type": "virtual:instance", "amount": 1, "vcpus": 1, "memory_mb": 64, "disk_gb": 0}
    dates = {name: found[0] for name, found in _dates().items() if name in ("start_date", "end_date")}
    order = {"name": f"tried-{uuid4()}", "reservations": [wish], **dates}
    made = api.post("/reservation/v1/leases", json=order)
    assert made.is_success, made.text
    lease = made.json()["lease"]
    leases = [lease, *_listed(api, "/reservation/v1/leases")]
    yield {
        "lease_id": [lease["id"] for lease in leases],
        "marker": [lease["id"] for lease in leases],
        "reservation_id": [reservation["id"] for lease in leases for reservation in lease["reservations"]],
        "first_lease": [reservation["id"] for reservation in lease["reservations"]],
        "host_id": [host["id"] for host in _listed(api, "/reservation/v1/os-hosts")],
        "property_name": [found["property"] for found in _listed(api, "/reservation/v1/os-hosts/properties")],
        "project_id": ["astronomy", "genetics"],
        "flavor_id": [flavor["id"] for flavor in _listed(api, "/compute/v2.1/flavors")],
        "hypervisor_hostname": [host["hypervisor_hostname"] for host in _listed(api, "/compute/v2.1/os-hypervisors")],
        **_dates(),
    }
    # Room for the next test. Those that are being deleted may be gone by now.
    for left in _listed(api, "/reservation/v1/leases"):
        if left["project_id"] == lease["project_id"]:
            api.delete(f"/reservation/v1/leases/{left['id']}")


def _listed(api: httpx.Client, path: str) -> list[Any]:
    [found] = api.get(path).raise_for_status().json().values()
    return list(found)


def _dates() -> Known:
    """Times in the right order, since hardly any that are drawn are."""
    weeks = [f"{datetime.now(UTC) + timedelta(weeks=number):%Y-%m-%d %H:%M}" for number in range(1, 6)]
    early, between, late = ["now", weeks[0]], weeks[2:3], weeks[3:]
    return {
        **dict.fromkeys(("start", "start_date", "ends_after"), early),
        **dict.fromkeys(("before_end_date", "event_date"), between),
        **dict.fromkeys(("end", "end_date", "starts_before"), late),
    }


@schema.parametrize()
@effort(10)
def test_reservation_answers_as_described(
    case: Case[Any], sample_service: RunningService, api: httpx.Client, known: Known
) -> None:
    if case.method == "DELETE" and case.path == "/v1/os-hosts/{host_id}":
        # Hosts are given back once nobody has leases on them.
        for lease_id in known["lease_id"]:
            api.delete(f"/reservation/v1/leases/{lease_id}")
    ask(case, sample_service, "reservation", known, **_names(case, known))


def _names(case: Case[Any], known: Known) -> dict[str, Sequence[str]]:
    """What is called a name or an id in bodies, where that depends on the path."""
    if case.path == "/v1/os-hosts":
        return {"name": known["hypervisor_hostname"]}
    if case.method == "PUT" and case.path == "/v1/leases/{lease_id}":
        # Of one lease, since reservations of others are none of it.
        return {"lease_id": known["lease_id"][:1], "id": known["first_lease"]}
    return {}

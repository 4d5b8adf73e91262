"""`/metrics`: counted by all workers together, how full the cloud is by class and zone, and for whom it is."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import create_engine, insert

from moorage.db.database import utc_now
from moorage.db.upgrade import upgrade
from moorage.placement.index.totals import Total, totals
from moorage.reservations.store.tables import lease_events
from moorage.service.application import all_application
from moorage.service.settings import database_url, load_settings
from moorage.service.workers import lives
from tests.clients.running_service import running_service
from tests.patience import eventually
from tests.placement.index.clouds import cloud_of, provider, stock

REPOSITORY = Path(__file__).parent.parent.parent
HOST = "a0000000-0000-4000-8000-000000000001"
CONSUMER = "a0000000-0000-4000-8000-00000000000c"

Sample = tuple[str, tuple[tuple[str, str], ...]]


def samples(text: str) -> dict[Sample, float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def open_site(directory: Path, **overrides: object) -> httpx.Client:
    given = {"state_path": str(directory), "api.auth_strategy": "noauth2", **overrides}
    settings = load_settings(given, config_files=[])
    upgrade(database_url(settings))
    transport = httpx.WSGITransport(all_application(settings))
    versions = {"openstack-api-version": "placement 1.39"}
    return httpx.Client(transport=transport, base_url="http://site", headers={"x-auth-token": "admin", **versions})


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with open_site(tmp_path_factory.mktemp("site")) as client:
        yield client


def claim(site: httpx.Client, amount: int, generation: int | None) -> int:
    body = {
        "allocations": {HOST: {"resources": {"VCPU": amount}}},
        "project_id": "p",
        "user_id": "u",
        "consumer_type": "INSTANCE",
        "consumer_generation": generation,
    }
    return site.put(f"/placement/allocations/{CONSUMER}", json=body).status_code


def test_requests_claims_and_capacity_are_told(site: httpx.Client) -> None:
    before = samples(site.get("/metrics").text)
    site.post("/placement/resource_providers", json={"uuid": HOST, "name": "host"}).raise_for_status()
    inventories = {"inventories": {"VCPU": {"total": 8}}, "resource_provider_generation": 0}
    site.put(f"/placement/resource_providers/{HOST}/inventories", json=inventories).raise_for_status()
    assert [claim(site, 3, None), claim(site, 3, None), claim(site, 9, 1)] == [204, 409, 409]
    site.get("/placement/resource_providers/nobody")
    after = samples(site.get("/metrics").text)

    def grown(name: str, **labels: str) -> float:
        key = (name, tuple(sorted(labels.items())))
        return after.get(key, 0) - before.get(key, 0)

    assert grown("moorage_claims_total", outcome="made") == 1
    assert grown("moorage_claims_total", outcome="conflict") == 1
    assert grown("moorage_claims_total", outcome="refused") == 1
    route = {"service": "placement", "method": "PUT", "route": "/allocations/{consumer_uuid}"}
    assert grown("moorage_requests_total", **route, status="204") == 1
    assert grown("moorage_requests_total", **route, status="409") == 2
    assert grown("moorage_request_seconds_count", **route) == 3
    assert grown("moorage_resource_capacity", resource_class="VCPU", zone="") == 8
    assert grown("moorage_resource_used", resource_class="VCPU", zone="") == 3
    assert after["moorage_feed_position", ()] == after["moorage_index_position", (("index", "placement"),)]
    assert after["moorage_database_up", ()] == 1


def test_what_there_is_is_told_by_zone(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        site.post("/placement/resource_providers", json={"uuid": HOST, "name": "host"}).raise_for_status()
        inventories = {"inventories": {"VCPU": {"total": 8}}, "resource_provider_generation": 0}
        site.put(f"/placement/resource_providers/{HOST}/inventories", json=inventories).raise_for_status()
        traits = {"traits": ["COMPUTE_NODE"], "resource_provider_generation": 1}
        site.put(f"/placement/resource_providers/{HOST}/traits", json=traits).raise_for_status()
        for name, zone in (("north", "north"), ("fast", None)):
            made = {"aggregate": {"name": name, "availability_zone": zone}}
            number = site.post("/compute/v2.1/os-aggregates", json=made).raise_for_status().json()["aggregate"]["id"]
            joined = site.post(f"/compute/v2.1/os-aggregates/{number}/action", json={"add_host": {"host": "host"}})
            joined.raise_for_status()
        told = samples(site.get("/metrics").text)
    zones = [dict(labels)["zone"] for (name, labels) in told if name == "moorage_resource_capacity"]
    assert zones == ["north"]


def test_the_last_capacity_report_is_told(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        flavor = {"name": "dinghy", "vcpus": 1, "ram": 1024, "disk": 10}
        site.post("/compute/v2.1/flavors", json={"flavor": flavor}).raise_for_status()
        before = samples(site.get("/metrics").text)
        assert not [name for name, _labels in before if name.startswith("moorage_capacity")]
        site.post("/liquid-nova/v1/report-capacity", json={"allAZs": ["north"]}).raise_for_status()
        told, liquids = samples(site.get("/metrics").text), samples(site.get("/liquid-nova/metrics").text)
    assert told["moorage_capacity_report_timestamp_seconds", ()] > 0
    assert told["moorage_capacity", (("resource", "cores"), ("zone", "north"))] == 0
    assert liquids.items() <= told.items()


def test_events_of_leases_that_nobody_takes_are_overdue(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:

        def overdue() -> dict[str, list[float]]:
            told = samples(site.get("/metrics").text)
            names = ("moorage_lease_events_overdue", "moorage_lease_events_overdue_seconds")
            return {state: [told[name, (("state", state),)] for name in names] for state in ("untaken", "unfinished")}

        assert overdue() == {"untaken": [0, 0], "unfinished": [0, 0]}
        engine = create_engine(database_url(load_settings({"state_path": str(tmp_path)}, config_files=[])))
        at = utc_now() - timedelta(hours=1)
        with engine.begin() as connection:
            connection.execute(
                insert(lease_events).values(
                    uuid=CONSUMER,
                    event_type="settle_host",
                    time=at,
                    status="UNDONE",
                    next_attempt_at=at,
                    attempts=0,
                    created_at=at,
                    updated_at=at,
                )
            )
        engine.dispose()
        found = overdue()
    assert found["unfinished"] == [0, 0]
    assert found["untaken"] == [1, pytest.approx(3600, abs=60)]


def test_agents_are_counted_by_state(site: httpx.Client) -> None:
    def counted() -> dict[str, float]:
        found = samples(site.get("/metrics").text)
        return {labels[0][1]: value for (name, labels), value in found.items() if name == "moorage_agents"}

    nobody = dict.fromkeys(("late", "failing", "incomplete", "well", "stopped"), 0.0)
    assert counted() == nobody
    for name, interval, outcome in (("cn1", 60, "well"), ("cn2", 60, "failed"), ("cn3", None, "well")):
        body = {"version": "1.2.3", "interval": interval, "outcome": outcome}
        site.put(f"/placement/moorage/agents/{name}", json=body).raise_for_status()
    assert counted() == nobody | {"well": 1, "failing": 1, "stopped": 1}


def test_a_path_that_nobody_has_is_no_label_of_its_own(site: httpx.Client) -> None:
    for number in range(3):
        site.get(f"/placement/there/is/no/{number}")
    labels = [dict(labels) for (name, labels) in samples(site.get("/metrics").text) if name == "moorage_requests_total"]
    assert not any("/there" in each["route"] for each in labels)


def test_it_takes_a_credential_that_the_policy_accepts(site: httpx.Client, tmp_path: Path) -> None:
    assert site.get("/metrics", headers={"x-auth-token": ""}).status_code == 401
    assert site.get("/metrics", headers={"x-roles": "member"}).status_code == 403
    with open_site(tmp_path, **{"api.open_metrics": True}) as everybodys:
        assert everybodys.get("/metrics", headers={"x-auth-token": ""}).status_code == 200


def test_sums_are_by_class_and_by_the_zone_of_the_root() -> None:
    cloud = cloud_of(
        provider("one", VCPU=stock(8, 3), aggregates=["east"]).over(provider("one-card", GPU=4)),
        provider("two", VCPU=4),
    )
    found = set(totals(cloud, {"zone-east": ["east"]}))
    assert found == {
        Total("VCPU", "zone-east", 1, 8, 3),
        Total("GPU", "zone-east", 1, 4, 0),
        Total("VCPU", "", 1, 4, 0),
    }


def test_all_workers_count_together_and_what_a_dead_one_counted_stays(tmp_path: Path) -> None:
    with running_service(tmp_path, "--workers", "2") as service:
        headers = {"X-Auth-Token": service.token}

        def counted() -> float:
            found = samples(httpx.get(f"{service.url}/metrics", headers=headers).text)
            asked = {"method": "GET", "route": "/resource_providers", "service": "placement", "status": "200"}
            return found["moorage_requests_total", tuple(sorted(asked.items()))]

        def ask() -> None:
            # Each over a connection of its own, which any worker may take.
            httpx.get(f"{service.placement}/resource_providers", headers=headers).raise_for_status()

        for _ in range(20):
            ask()
        assert {counted() for _ in range(6)} == {20}
        workers = {int(pid) for pid in re.findall(r"^\S+ \S+ (\d+) INFO", service.log, re.MULTILINE)}
        assert len(workers) == 2
        victim = min(workers)
        os.kill(victim, signal.SIGKILL)
        # Until it is dead it has a part of the port, and a connection may be given to it that it will never answer.
        eventually(lambda: not lives(victim), "the death of a worker")

        def complete() -> bool:
            return bool(httpx.get(f"{service.url}/healthcheck").json()["workers"] == {"expected": 2, "alive": 2})

        eventually(complete, "a new worker")
        lag = httpx.get(f"{service.url}/healthcheck").json()["index"]["behind_seconds"]
        assert 0 <= lag < 90
        ask()
        assert counted() == 21


def test_every_metric_is_in_the_guide_and_the_dashboard_names_none_that_is_not(site: httpx.Client) -> None:
    told = {family.name for family in text_string_to_metric_families(site.get("/metrics").text)}
    families = {name for name in told if not name.endswith("_created")}  # which the library adds to each
    named = {f"{name}_total" if name.endswith(("requests", "claims", "retries")) else name for name in families}
    guide = (REPOSITORY / "docs" / "watching.md").read_text()
    # What a capacity report says is told on the page of the LIQUID service.
    own = {name for name in named if not name.startswith("moorage_capacity_")}
    assert [name for name in sorted(own) if f"| `{name}` |" not in guide] == []
    dashboard = json.loads((REPOSITORY / "packaging" / "grafana" / "moorage.json").read_text())
    used = {
        re.sub(r"_bucket$", "", name)
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"moorage_\w+", target["expr"])
    }
    # Workers are known only where some were started.
    assert used - named - {"moorage_workers", "moorage_workers_expected"} == set()


def test_no_picture_of_the_dashboard_counts_twice_what_two_machines_tell() -> None:
    """Each number is of one machine, or is what all of them tell about the same cloud."""
    dashboard = json.loads((REPOSITORY / "packaging" / "grafana" / "moorage.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert asked
    for expression in asked:
        aggregated = re.findall(r"(\w+) by \(([\w, ]+)\) \((rate\()?(moorage_\w+)", expression)
        assert len(aggregated) == len(re.findall("moorage_", expression)), expression
        for how, by, counted, name in aggregated:
            # What is counted is summed over machines; of what all tell alike, one is taken, or each stands for itself.
            assert (how == "sum") == bool(counted) or "instance" in by, (expression, name)
        assert "on ()" not in expression

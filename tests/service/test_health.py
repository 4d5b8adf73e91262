"""`/healthcheck`: living and being ready are told apart, and the reason is named."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Insert, create_engine, insert, text

from moorage.db.database import Database, DatabaseUnavailable, utc_now
from moorage.db.upgrade import all_versions, newest_version, upgrade
from moorage.placement.index.cloud import Cloud, empty_cloud
from moorage.reservations.store.tables import lease_events
from moorage.service import health
from moorage.service.health import healthcheck
from moorage.service.settings import database_url, load_settings
from moorage.service.workers import EXPECTED
from tests.service.test_metrics import open_site, samples


@pytest.fixture
def site(tmp_path: Path) -> httpx.Client:
    return open_site(tmp_path)


def written(directory: Path, statement: str | Insert, **values: object) -> None:
    engine = create_engine(database_url(load_settings({"state_path": str(directory)}, config_files=[])))
    with engine.begin() as connection:
        connection.execute(text(statement) if isinstance(statement, str) else statement, values)
    engine.dispose()


def schema_is(directory: Path, version: str) -> None:
    written(directory, "UPDATE alembic_version SET version_num = :version", version=version)


def test_all_is_well(site: httpx.Client) -> None:
    for path in ("/healthcheck", "/healthcheck/ready"):
        answer = site.get(path, headers={"x-auth-token": ""})
        assert answer.status_code == 200
        assert answer.json()["schema"] == newest_version()
        assert answer.json()["index"]["catch_up_seconds"] >= 0


def test_an_old_schema_is_not_ready_but_alive(site: httpx.Client, tmp_path: Path) -> None:
    schema_is(tmp_path, all_versions()[-2])
    refused = site.get("/healthcheck/ready")
    assert refused.status_code == 503
    assert "moorage db upgrade" in refused.json()["status"]
    assert site.get("/healthcheck/live").status_code == 200


def test_a_schema_of_a_newer_release_is_borne(site: httpx.Client, tmp_path: Path) -> None:
    schema_is(tmp_path, "9999")
    assert site.get("/healthcheck/ready").status_code == 200


def test_nothing_else_is_there(site: httpx.Client) -> None:
    assert site.get("/healthcheck/other").status_code == 404


@pytest.mark.parametrize(
    "url",
    ["postgresql+psycopg://me:secret@127.0.0.1:1/moorage", "sqlite:////nowhere/at/all/moorage.sqlite"],
    ids=["server", "file"],
)
def test_without_its_database_it_is_not_ready_but_alive(url: str) -> None:
    database = Database(url, attempts=1)
    with httpx.Client(transport=httpx.WSGITransport(healthcheck(database, None)), base_url="http://site") as site:
        refused = site.get("/ready")
        assert refused.status_code == 503
        assert refused.json() == {"status": "the database cannot be reached", "database": "away"}
        assert site.get("/live").status_code == 200
    database.dispose()


def test_a_database_that_goes_away_while_the_index_catches_up_is_away(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/moorage.sqlite"
    upgrade(url)
    database = Database(url)

    def catch_up() -> Cloud:
        raise DatabaseUnavailable

    with httpx.Client(transport=httpx.WSGITransport(healthcheck(database, catch_up)), base_url="http://site") as site:
        refused = site.get("/ready")
    assert refused.status_code == 503
    assert refused.json() == {"status": "the database cannot be reached", "database": "away"}
    database.dispose()


def test_a_worker_that_is_missing_is_told_of_and_keeps_nobody_from_answering(
    site: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "workers" not in site.get("/healthcheck/ready").json()
    monkeypatch.setenv(EXPECTED, "3")
    monkeypatch.setattr(health, "workers_alive", lambda: 2)
    answer = site.get("/healthcheck/ready")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["status"], told["reasons"]) == ("degraded", ["2 of 3 workers are alive"])
    assert told["workers"] == {"expected": 3, "alive": 2}
    monkeypatch.setattr(health, "workers_alive", lambda: 3)
    assert site.get("/healthcheck/ready").json()["status"] == "ok"


def test_a_worker_that_lags_is_told_of(site: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "behind_seconds" not in site.get("/healthcheck/ready").json()["index"]  # what nobody shares, nobody knows
    site.post("/placement/resource_providers", json={"name": "host"}).raise_for_status()
    written(tmp_path, "UPDATE changes SET created_at = :at", at=utc_now() - timedelta(minutes=2))
    monkeypatch.setattr(health, "slowest_index", lambda: 0)
    told = site.get("/healthcheck/ready").json()
    assert told["status"] == "ok"
    assert told["index"]["behind_seconds"] == pytest.approx(120, abs=30)
    written(tmp_path, "UPDATE changes SET created_at = :at", at=utc_now() - timedelta(minutes=4))
    answer = site.get("/healthcheck/ready")
    assert answer.status_code == 200
    assert answer.json()["status"] == "degraded"
    [reason] = answer.json()["reasons"]
    assert reason.startswith("the index of a worker is 24")
    assert site.get("/healthcheck/live").json() == {"status": "ok"}
    newest = samples(site.get("/metrics").text)["moorage_feed_position", ()]
    monkeypatch.setattr(health, "slowest_index", lambda: int(newest))
    assert site.get("/healthcheck/ready").json()["index"]["behind_seconds"] == 0


def test_an_index_that_catches_up_slowly_is_told_of(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/moorage.sqlite"
    upgrade(url)
    database = Database(url)

    def catch_up() -> Cloud:
        time.sleep(0.02)
        return empty_cloud()

    check = healthcheck(database, catch_up, patience=timedelta(milliseconds=10))
    with httpx.Client(transport=httpx.WSGITransport(check), base_url="http://site") as site:
        answer = site.get("/ready")
    assert answer.status_code == 200
    assert answer.json()["reasons"] == ["the index took 0 seconds to catch up"]
    database.dispose()


def test_events_of_leases_that_nobody_takes_are_told_of(tmp_path: Path) -> None:
    with open_site(tmp_path, **{"api.degraded_after_seconds": 30}) as site:
        assert site.get("/healthcheck/ready").json()["lease_events"] == {"overdue": 0, "overdue_seconds": 0}
        due_at = utc_now() - timedelta(seconds=45)
        values = {"uuid": "event", "event_type": "settle_host", "status": "UNDONE", "attempts": 0}
        times = dict.fromkeys(("time", "next_attempt_at", "created_at", "updated_at"), due_at)
        written(tmp_path, insert(lease_events).values(**values, **times))
        answer = site.get("/healthcheck/ready")
        assert answer.status_code == 200
        assert answer.json()["status"] == "degraded"
        assert answer.json()["reasons"][0].startswith("no worker has taken an event of a lease, due ")
        assert answer.json()["lease_events"]["overdue"] == 1
    with open_site(tmp_path) as site:  # which is more patient
        assert site.get("/healthcheck/ready").json()["status"] == "ok"
    with open_site(tmp_path, **{"api.degraded_after_seconds": 30, "api.services": ["placement"]}) as site:
        assert site.get("/healthcheck/ready").json()["status"] == "ok"

"""`/healthcheck`: living and being ready are told apart, and the reason is named."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, text

from moorage.db.database import Database, DatabaseUnavailable
from moorage.db.upgrade import all_versions, newest_version, upgrade
from moorage.placement.index.cloud import Cloud
from moorage.service import health
from moorage.service.health import healthcheck
from moorage.service.settings import database_url, load_settings
from moorage.service.workers import EXPECTED
from tests.service.test_metrics import open_site


@pytest.fixture
def site(tmp_path: Path) -> httpx.Client:
    return open_site(tmp_path)


def schema_is(directory: Path, version: str) -> None:
    engine = create_engine(database_url(load_settings({"state_path": str(directory)}, config_files=[])))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    engine.dispose()


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
    assert answer.json()["workers"] == {"expected": 3, "alive": 2}

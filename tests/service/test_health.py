"""`/healthcheck`: living and being ready are told apart, and the reason is named."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from sqlalchemy import create_engine, text

from moorage.db.upgrade import all_versions, newest_version
from moorage.service.settings import database_url, load_settings
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

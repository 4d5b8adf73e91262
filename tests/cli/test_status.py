"""`moorage status`: what it finds, and the exit code that goes with it."""

from __future__ import annotations

import csv
import json
import time
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.db.database import Database
from moorage.db.upgrade import upgrade
from moorage.placement.model.agent import Outcome, Sign
from moorage.placement.store import agents
from moorage.placement.store.names import synchronise_standard_names
from moorage.service.credentials import ensure_token
from moorage.service.settings import database_url, load_settings


def status(*arguments: str) -> tuple[int, dict[str, tuple[str, str]]]:
    result = CliRunner().invoke(app, ["status", "--json", *arguments])
    return result.exit_code, {row["name"]: (row["outcome"], row["detail"]) for row in json.loads(result.stdout)}


@pytest.fixture
def ready(installation: Path) -> Path:
    """An installation that was started once."""
    url = database_url(load_settings())
    upgrade(url)
    database = Database(url)
    synchronise_standard_names(database)
    database.dispose()
    ensure_token(installation / "admin-token")
    return installation


@pytest.mark.usefixtures("ready")
def test_all_is_well() -> None:
    code, checks = status()
    assert code == 0, checks
    assert {name: outcome for name, (outcome, _) in checks.items()} == {
        "configuration": "ok",
        "database": "ok",
        "standard names": "ok",
        "agents": "ok",
        "credential": "ok",
    }


def test_before_the_first_start_there_are_warnings_and_nothing_is_made(installation: Path) -> None:
    code, checks = status()
    assert code == 1
    assert "moorage db upgrade" in checks["database"][1]
    assert checks["credential"][0] == "warning"
    assert not installation.exists()


def test_standard_names_that_are_missing_are_a_warning(ready: Path) -> None:
    (ready / "moorage.sqlite").unlink()
    upgrade(database_url(load_settings()))
    code, checks = status()
    assert (code, checks["standard names"][0]) == (1, "warning")


@pytest.mark.usefixtures("ready")
def test_agents_that_are_late_or_fail_are_a_warning() -> None:
    now = int(time.time())
    leave(now, Sign("cn1", "1.2.3", 60.0, Outcome.WELL), Sign("cn2", "1.2.3", None, Outcome.FAILED, "No."))
    assert status()[1]["agents"] == ("ok", "1 well, 1 stopped")
    leave(now - 1000, Sign("cn3", "1.2.3", 60.0, Outcome.WELL))
    leave(now, Sign("cn4", "1.2.3", 60.0, Outcome.FAILED, "No."))
    code, checks = status()
    assert code == 1
    assert checks["agents"] == (
        "warning",
        "1 late, 1 failing, 1 well, 1 stopped; first cn3: `moorage agent list` shows them.",
    )


def leave(at: int, *signs: Sign) -> None:
    database = Database(database_url(load_settings()))
    database.tidy(lambda connection: agents.keep(connection, signs, at))
    database.dispose()


def test_a_token_that_others_can_read_is_a_failure(ready: Path) -> None:
    (ready / "admin-token").chmod(0o644)
    code, checks = status()
    assert (code, checks["credential"][0]) == (2, "failure")
    assert "chmod 600" in checks["credential"][1]


@pytest.mark.usefixtures("ready")
def test_a_database_that_does_not_answer_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OS_DATABASE__CONNECTION", "postgresql+psycopg://me:secret@127.0.0.1:1/moorage")
    code, checks = status()
    assert (code, checks["database"][0]) == (2, "failure")
    assert "secret" not in checks["database"][1]
    assert "standard names" not in checks


@pytest.mark.usefixtures("ready")
def test_a_misspelt_option_is_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "misspelt.conf"
    file.write_text("[api]\nauth_stratagem = token\n")
    code, checks = status("--config", str(file))
    assert (code, checks["configuration"][0]) == (1, "warning")
    assert "[api] auth_stratagem" in checks["configuration"][1]


@pytest.mark.usefixtures("installation")
def test_a_configuration_that_cannot_be_read_is_a_failure(tmp_path: Path) -> None:
    file = tmp_path / "broken.conf"
    file.write_text("[api\n")
    code, checks = status("--config", str(file))
    assert (code, list(checks)) == (2, ["configuration"])


@pytest.mark.usefixtures("ready")
def test_the_table_names_every_check() -> None:
    result = CliRunner().invoke(app, ["status"])
    rows = csv.DictReader(StringIO(CliRunner().invoke(app, ["status", "--csv"]).stdout))
    for row in rows:
        # However long it is, nothing of it is folded where nobody looks.
        assert row["name"] in result.stdout
        assert row["detail"] in result.stdout

"""The command itself: help, version, and how it fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from moorage import __version__

MOORAGE = str(Path(sys.executable).with_name("moorage"))

pytestmark = pytest.mark.usefixtures("installation")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MOORAGE, *arguments], capture_output=True, text=True, check=False)


def test_the_version() -> None:
    assert run("--version").stdout == f"moorage {__version__}\n"


def test_help_does_not_wait_for_the_database_libraries() -> None:
    script = "import sys, moorage.cli.main; print({'sqlalchemy', 'granian', 'oslo_config'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout == "set()\n"


def test_a_mistake_is_one_sentence_on_standard_error() -> None:
    failed = run("serve", "--services", "barber")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert failed.stderr == (
        "moorage: There is no service barber; the services are: placement, identity, compute, reservation, liquid,"
        " console.\n"
    )


def test_an_unforeseen_error_shows_no_traceback() -> None:
    script = (
        "import moorage.cli.main as m, moorage.service.ledger_database as d\n"
        "def broken(*_): raise RuntimeError('oh')\n"
        "d.database_version = broken\n"
        "m.main()"
    )
    failed = subprocess.run(
        [sys.executable, "-c", script, "db", "version"], capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    assert failed.stderr.startswith("moorage: unexpected RuntimeError: oh")
    assert "Traceback" not in failed.stderr


def test_the_database_is_made_and_asked_for_its_version(installation: Path) -> None:
    missing = run("db", "version")
    assert missing.returncode == 1
    assert "moorage db upgrade" in missing.stderr
    assert not installation.exists()

    upgraded = run("db", "upgrade")
    assert upgraded.returncode == 0, upgraded.stderr
    version = run("db", "version").stdout.strip()
    assert f"has version {version}, the newest" in upgraded.stdout


def test_the_database_may_be_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/other.sqlite"
    assert run("db", "upgrade", "--database", url).returncode == 0
    assert (tmp_path / "other.sqlite").exists()

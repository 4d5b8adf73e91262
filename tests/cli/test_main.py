"""The command itself: help, version, and how it fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from ast import literal_eval
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest
import typer

from moorage import __version__
from moorage.cli.main import COMMANDS, app, main
from tests.cli.test_start import HEAVY

MOORAGE = str(Path(sys.executable).with_name("moorage"))

pytestmark = pytest.mark.usefixtures("installation")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([MOORAGE, *arguments], capture_output=True, text=True, check=False)


def test_the_version() -> None:
    assert run("--version").stdout == f"moorage {__version__}\n"


def test_help_waits_for_nothing_that_takes_long_to_load() -> None:
    script = "import sys; from moorage.cli.main import main\ntry: main()\nfinally: print([*sys.modules])"
    ran = subprocess.run([sys.executable, "-c", script, "--help"], capture_output=True, text=True, check=True)
    *told, loaded = ran.stdout.splitlines()
    assert all(any(line.split()[:1] == [name] for line in told) for name in COMMANDS)
    modules = {name.partition(".")[0] for name in literal_eval(loaded)}
    assert "typer" in modules
    assert modules & {*HEAVY, "keystoneauth1", "msgspec", "oslo_config", "requests", "rich"} == set()


def test_a_mistake_is_one_sentence_on_standard_error() -> None:
    failed = run("serve", "--services", "barber")
    assert failed.returncode == 1
    assert failed.stdout == ""
    assert failed.stderr == (
        "moorage: There is no service barber; the services are: placement, identity, compute, reservation, liquid,"
        " console.\n"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["fit"],
        ["lease", "create", "x", "--vcpus", "1", "--memory-mb", "64"],
        ["lease", "extend", "x"],
        ["lease", "resize", "x"],
        ["slots", "--for", "soon", "--hosts", "1"],
        ["usage", "--user", "u"],
        ["flavor", "create", "f", "--vcpus", "1", "--ram", "1", "--property", "x"],
        ["import", "placement"],
        ["openapi", "barber"],
        ["fit", "--colour", "red"],
    ],
    ids=" ".join,
)
def test_what_is_written_wrongly_has_an_exit_code_of_its_own(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["moorage", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err


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
    assert json.loads(run("db", "version", "--json").stdout)["version"] == version


def test_the_database_may_be_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/other.sqlite"
    assert run("db", "upgrade", "--database", url).returncode == 0
    assert (tmp_path / "other.sqlite").exists()


# What goes on until it is stopped, and what is in a form of its own.
ENDLESS = {"serve", "agent", "reservation worker"}
OWN_FORM = {"capacity snapshot", "lease calendar", "provider-config schema", "provider-config sample"}


def test_whatever_is_done_is_told_as_json_and_as_csv() -> None:
    without = {path for path, parameters in commands(app) if not {"as_json", "as_csv"} <= parameters}
    assert without == ENDLESS | OWN_FORM


def commands(group: typer.Typer, path: str = "") -> Iterator[tuple[str, set[str]]]:
    """Commands, by what is typed for them, with their parameters."""
    own = group.registered_callback
    if path and own is not None and own.invoke_without_command is True and own.callback is not None:
        yield path, {*signature(own.callback).parameters}
    for command in group.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        yield f"{path} {name}".strip(), {*signature(command.callback).parameters}
    for child in group.registered_groups:
        assert child.typer_instance is not None
        yield from commands(child.typer_instance, f"{path} {child.name}".strip())


def test_the_shell_completes_commands_and_options() -> None:
    def completed(typed: str) -> list[str]:
        words = typed.split(" ")
        asked = {"_MOORAGE_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
        ran = subprocess.run([MOORAGE], capture_output=True, text=True, check=True, env={**os.environ, **asked})
        return ran.stdout.split()

    assert completed("moorage leas") == ["lease"]
    assert completed("moorage capacity ") == ["snapshot", "simulate", "report", "fit"]
    assert "--explain" in completed("moorage fit --e")

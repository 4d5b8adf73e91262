"""`moorage provider-config`: what it shows, and the exit code that goes with it."""

from __future__ import annotations

import csv
import json
import os
import pty
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from moorage.cli.main import app

MOORAGE = str(Path(sys.executable).with_name("moorage"))

GOOD = """\
meta: {schema_version: 1.0}
providers:
  - identification: {uuid: $COMPUTE_NODE}
    inventories: {additional: {CUSTOM_LLC: {total: 22, reserved: 2}}}
    traits: {additional: [CUSTOM_P_STATE_ENABLED]}
"""
WARNED = GOOD + "note: 1\n"
WARNING = "a.yaml:6:1: warning: note: the field is not known, and ignored\n"
BAD = GOOD.replace("22", "-1")
COMPLAINT = (
    "a.yaml:4:52: providers[0].inventories.additional.CUSTOM_LLC.total: -1 is less than 1; "
    "allowed: a whole number from 1 to 2147483647\n"
)

pytestmark = pytest.mark.usefixtures("installation")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "files"
    place.mkdir()
    place.chmod(0o755)
    return place


def write(directory: Path, content: str, name: str = "a.yaml") -> Path:
    file = directory / name
    file.write_text(content)
    file.chmod(0o644)
    return file


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["provider-config", *arguments])
    return result.exit_code, result.stdout


def check_as_json(directory: Path, *arguments: str) -> tuple[int, Any]:
    code, shown = run("check", str(directory), "--json", *arguments)
    return code, json.loads(shown)


def test_good_files_are_counted(directory: Path) -> None:
    write(directory, GOOD)
    write(directory, GOOD.replace("uuid: $COMPUTE_NODE", "name: a"), "b.yaml")
    assert run("check", str(directory)) == (0, "2 files: 2 records.\n")


def test_every_problem_is_one_line_with_its_place(directory: Path) -> None:
    write(directory, BAD)
    write(directory, "a: [\n", "b.yaml")
    code, shown = run("check", str(directory))
    first, second, summary = shown.splitlines(keepends=True)
    assert (code, first, summary) == (1, COMPLAINT, "2 files: 2 problems.\n")
    assert second.startswith("b.yaml:2:1: this is not YAML: ")


def test_warnings_do_not_keep_files_from_being_used(directory: Path) -> None:
    write(directory, WARNED)
    assert run("check", str(directory)) == (0, f"{WARNING}1 file: 1 record, 1 warning.\n")


def test_warnings_count_when_asked_to(directory: Path) -> None:
    write(directory, WARNED)
    assert run("check", str(directory), "--strict") == (1, f"{WARNING}1 file: 1 record, 1 warning.\n")
    write(directory, GOOD)
    assert run("check", str(directory), "--strict")[0] == 0


def test_findings_come_as_csv(directory: Path) -> None:
    write(directory, BAD + "note: 1\n")
    code, shown = run("check", str(directory), "--csv")
    rows = list(csv.DictReader(StringIO(shown)))
    assert (code, rows[0]["kind"], rows[0]["place"]) == (1, "problem", "a.yaml:4:52")


def test_an_empty_directory_is_fine(directory: Path) -> None:
    assert run("check", str(directory)) == (0, f"There are no files *.yaml in {directory}.\n")


def test_a_directory_that_is_named_must_be_there(tmp_path: Path) -> None:
    failed = subprocess.run(
        [MOORAGE, "provider-config", "check", str(tmp_path / "no")], capture_output=True, text=True, check=False
    )
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == f"moorage: There is no directory {tmp_path}/no; name the one that holds the files.\n"


class TestSettings:
    def test_without_an_argument_it_is_the_configured_directory(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(directory, BAD)
        monkeypatch.setenv("OS_COMPUTE__PROVIDER_CONFIG_LOCATION", str(directory))
        assert run("check") == (1, f"{COMPLAINT}1 file: 1 problem.\n")

    def test_the_configured_directory_need_not_be_there(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OS_COMPUTE__PROVIDER_CONFIG_LOCATION", str(tmp_path / "no"))
        assert run("check") == (0, f"There is no directory {tmp_path}/no.\n")

    def test_a_configuration_file_may_be_named(self, directory: Path, tmp_path: Path) -> None:
        write(directory, GOOD)
        configuration = tmp_path / "other.conf"
        configuration.write_text(f"[compute]\nprovider_config_location = {directory}\n")
        assert run("check", "--config", str(configuration)) == (0, "1 file: 1 record.\n")

    def test_files_that_others_can_write_are_refused_unless_configured_otherwise(
        self, directory: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(directory, GOOD).chmod(0o664)
        complaint = "others than the owner can write this (mode 0664); run chmod go-w\n"
        assert run("check", str(directory)) == (1, f"a.yaml: {complaint}1 file: 1 problem.\n")
        lenient = (0, f"a.yaml: warning: {complaint}1 file: 1 record, 1 warning.\n")
        assert run("check", str(directory), "--permissions", "warn") == lenient
        monkeypatch.setenv("OS_COMPUTE__PROVIDER_CONFIG_PERMISSIONS", "warn")
        assert run("check", str(directory)) == lenient
        assert run("check", str(directory), "--permissions", "refuse")[0] == 1


class TestJson:
    def test_good_files_come_with_their_records(self, directory: Path) -> None:
        write(directory, WARNED)
        code, answer = check_as_json(directory)
        assert code == 0
        assert answer == {
            "directory": str(directory),
            "usable": True,
            "files": ["a.yaml"],
            "problems": [],
            "warnings": [
                {
                    "file": "a.yaml",
                    "line": 6,
                    "column": 1,
                    "path": "note",
                    "value": "",
                    "message": "the field is not known, and ignored",
                    "allowed": "",
                }
            ],
            "notes": [],
            "records": [
                {
                    "file": "a.yaml",
                    "line": 3,
                    "uuid": "$COMPUTE_NODE",
                    "name": None,
                    "inventories": {
                        "CUSTOM_LLC": {
                            "total": 22,
                            "reserved": 2,
                            "min_unit": 1,
                            "max_unit": 2147483647,
                            "step_size": 1,
                            "allocation_ratio": 1.0,
                        }
                    },
                    "traits": ["CUSTOM_P_STATE_ENABLED"],
                }
            ],
        }

    def test_problems_come_in_parts(self, directory: Path) -> None:
        write(directory, BAD)
        code, answer = check_as_json(directory)
        assert (code, answer["usable"], answer["records"]) == (1, False, [])
        assert answer["problems"] == [
            {
                "file": "a.yaml",
                "line": 4,
                "column": 52,
                "path": "providers[0].inventories.additional.CUSTOM_LLC.total",
                "value": "-1",
                "message": "-1 is less than 1",
                "allowed": "a whole number from 1 to 2147483647",
            }
        ]

    def test_warnings_count_when_asked_to(self, directory: Path) -> None:
        write(directory, WARNED)
        assert check_as_json(directory, "--strict")[0] == 1


def test_a_terminal_gets_colours_and_no_line_is_broken(directory: Path) -> None:
    write(directory, BAD)
    ours, theirs = pty.openpty()
    try:
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "40"}
        environment.pop("NO_COLOR", None)
        command = [MOORAGE, "provider-config", "check", str(directory)]
        subprocess.run(command, stdout=theirs, env=environment, check=False)
        shown = os.read(ours, 10_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    first, *_ = shown.splitlines()
    assert first.startswith("\x1b[1;31ma.yaml:4:52\x1b[0m: providers[0]")
    assert first.endswith("allowed: a whole number from 1 to 2147483647")


def test_the_schema_is_printed() -> None:
    code, shown = run("schema")
    assert code == 0
    assert json.loads(shown)["required"] == ["meta"]


def test_the_sample_is_printed_and_passes_the_check(directory: Path) -> None:
    code, shown = run("sample")
    assert code == 0
    assert shown.startswith("# A provider configuration file")
    assert len(yaml.safe_load(shown)["providers"]) == 3
    write(directory, shown)
    assert run("check", str(directory), "--strict") == (0, "1 file: 3 records.\n")

"""`moorage openstack register` for programs: what was done, and the commands that would do it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.client.identity import IdentityClient
from moorage.service.errors import OperatorError
from tests.identity.test_registration import Directory

pytestmark = pytest.mark.usefixtures("installation")

REGISTER = ("openstack", "register", "--url", "http://moorage.example.org", "--services", "placement")


@pytest.fixture
def keystone(monkeypatch: pytest.MonkeyPatch) -> Directory:
    keystone = Directory()
    monkeypatch.setattr("moorage.client.operator.operators_identity", lambda _cloud: IdentityClient(keystone))
    monkeypatch.setattr("moorage.client.operator.operators_region", lambda _cloud: "north")
    return keystone


def shown(*arguments: str) -> Any:
    return json.loads(CliRunner().invoke(app, [*REGISTER, *arguments, "--json"], catch_exceptions=False).stdout)


def test_what_was_done_is_told_and_nothing_the_second_time(keystone: Directory, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("secret\n")
    done = [row["done"] for row in shown("--password-file", str(password))]
    assert done[0] == "made the project service"
    assert len(keystone.entries["endpoints"]) == 2
    assert shown("--password-file", str(password)) == []
    again = CliRunner().invoke(app, [*REGISTER, "--password-file", str(password)])
    assert again.stdout == "everything is there already\n"


def test_what_was_done_before_a_refusal_is_told_as_well(keystone: Directory, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("secret\n")
    keystone.entries["roles"].clear()
    result = CliRunner().invoke(app, [*REGISTER, "--password-file", str(password), "--json"])
    assert isinstance(result.exception, OperatorError)
    assert [row["done"] for row in json.loads(result.stdout)] == [
        "made the project service",
        "made the user moorage",
    ]


def test_a_password_that_is_asked_for_does_not_mix_with_the_answer(keystone: Directory) -> None:
    result = CliRunner().invoke(app, [*REGISTER, "--json"], input="secret\nsecret\n", catch_exceptions=False)
    assert json.loads(result.stdout)
    assert keystone.entries["users"][0]["password"] == "secret"


def test_the_commands_instead(keystone: Directory) -> None:
    commands = [row["command"] for row in shown("--print")]
    assert commands[0] == "openstack project create --or-show --domain default service"
    assert keystone.entries["projects"] == []

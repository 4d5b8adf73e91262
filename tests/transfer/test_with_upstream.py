"""`moorage import` and `moorage export` with a real upstream Placement: its database, its endpoint, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from moorage.cli.main import app
from moorage.db.database import Database
from moorage.service.application import placement_application
from moorage.service.errors import OperatorError
from moorage.service.settings import load_settings
from moorage.transfer.file import write_file
from tests.client.upstream import running_upstream
from tests.transfer.every_answer import Service, candidate_questions, questions, unlike
from tests.transfer.ledgers import fill, make_upstream_schema, random_contents

CONTENTS = random_contents(seed=5, hosts=4, consumers=12)

pytestmark = pytest.mark.usefixtures("installation")


@dataclass(frozen=True)
class Done:
    """What a command came to: the sentence that it fails with, or what it prints."""

    refusal: str
    printed: str


def moorage(*arguments: str, env: dict[str, str] | None = None) -> Done:
    result = CliRunner().invoke(app, arguments, env=env)
    assert result.exception is None or isinstance(result.exception, OperatorError), result.exception
    return Done(str(result.exception or ""), result.stdout)


@pytest.fixture(scope="module")
def database_of_upstream(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("filled")
    file = directory / "placement.sqlite"
    make_upstream_schema(f"sqlite:///{file}")
    fill(f"sqlite:///{file}", CONTENTS)
    return file


@pytest.fixture(scope="module")
def upstream(database_of_upstream: Path) -> Iterator[str]:
    with running_upstream(database_of_upstream.parent) as endpoint:
        yield endpoint


def ours(file: Path) -> Service:
    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
    return Service(placement_application(settings, Database(f"sqlite:///{file}")))


def test_every_answer_is_upstreams_after_an_import_of_its_database(
    upstream: str, database_of_upstream: Path, tmp_path: Path
) -> None:
    configuration = database_of_upstream.parent / "placement.conf"
    target = tmp_path / "moorage.sqlite"
    done = moorage("import", "placement", "--placement-config", str(configuration), "--database", f"sqlite:///{target}")
    assert done.refusal == ""
    assert "now holds 12 providers, 12 consumers" in done.printed
    assert "Every answer of the API was compared with the source; nothing differs." in done.printed
    assert list(unlike(Service(upstream), ours(target), questions(CONTENTS))) == []
    assert list(unlike(Service(upstream), ours(target), candidate_questions(CONTENTS, 15))) == []


def test_an_endpoint_is_as_good_as_a_database(upstream: str, tmp_path: Path) -> None:
    target = tmp_path / "moorage.sqlite"
    credential = {"OS_AUTH_TYPE": "admin_token", "OS_ENDPOINT": upstream, "OS_TOKEN": "admin"}
    done = moorage("import", "placement", upstream, "--database", f"sqlite:///{target}", env=credential)
    assert done.refusal == ""
    assert list(unlike(Service(upstream), ours(target), questions(CONTENTS))) == []


def test_upstream_goes_on_with_what_was_exported(upstream: str, database_of_upstream: Path, tmp_path: Path) -> None:
    target = tmp_path / "moorage.sqlite"
    source = f"sqlite:///{database_of_upstream}"
    done = moorage("import", "placement", source, "--quick", "--database", f"sqlite:///{target}")
    assert done.refusal == ""
    directory = tmp_path / "again"
    directory.mkdir()
    back = f"sqlite:///{directory / 'placement.sqlite'}"
    make_upstream_schema(back)
    configuration = directory / "placement.conf"
    configuration.write_text(f"[placement_database]\nconnection = {back}\n")
    done = moorage("export", "placement", "--placement-config", str(configuration), "--database", f"sqlite:///{target}")
    assert done.refusal == ""
    with running_upstream(directory) as endpoint:
        assert list(unlike(Service(upstream), Service(endpoint), questions(CONTENTS))) == []


def test_a_file_holds_everything(database_of_upstream: Path, tmp_path: Path) -> None:
    first, second = f"sqlite:///{tmp_path / 'first'}", f"sqlite:///{tmp_path / 'second'}"
    file = str(tmp_path / "ledger.json.gz")
    source = f"sqlite:///{database_of_upstream}"
    assert moorage("import", "placement", source, "--quick", "--database", first).refusal == ""
    counts = {"providers": 12, "consumers": 12}
    exported = json.loads(moorage("export", "file", file, "--database", first, "--json").printed)
    assert {**exported, **counts, "target": file} == exported
    imported = json.loads(moorage("import", "file", file, "--database", second, "--json").printed)
    assert {**imported, **counts, "target": second, "written": True} == imported
    again = moorage("import", "placement", source, "--quick", "--database", second)
    assert "holds exactly this already" in again.printed


def test_a_dry_run_writes_nothing(database_of_upstream: Path, tmp_path: Path) -> None:
    target = tmp_path / "moorage.sqlite"
    source = f"sqlite:///{database_of_upstream}"
    told = moorage("import", "placement", source, "--dry-run", "--database", f"sqlite:///{target}")
    assert told.printed.startswith("The source holds 12 providers, 12 consumers and ")
    assert not target.exists()


def test_a_dry_run_finds_what_does_not_hold_together(tmp_path: Path) -> None:
    file = tmp_path / "ledger.json"
    write_file(file, replace(CONTENTS, providers={}))
    refused = moorage("import", "file", str(file), "--dry-run").refusal
    assert refused.startswith("The source does not hold together, so nothing was written.\n  The consumer ")
    assert "which is not there.\n  … and " in refused


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Name the source"),
        (("sqlite:////nowhere/placement.sqlite",), "There is no file /nowhere/placement.sqlite."),
        (("nonsense",), "The database URL is not understood"),
        (("--placement-config", "/nowhere.conf"), "/nowhere.conf"),
        (("sqlite:////nowhere/placement.sqlite", "--placement-config", "/nowhere.conf"), "give one of them"),
    ],
)
def test_a_source_that_is_none_is_one_sentence(arguments: tuple[str, ...], told: str) -> None:
    failed = moorage("import", "placement", *arguments)
    assert told in failed.refusal


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Name the target"),
        (("--placement-config", "/nowhere.conf"), "/nowhere.conf"),
    ],
)
def test_a_target_that_is_none_is_one_sentence(arguments: tuple[str, ...], told: str) -> None:
    failed = moorage("export", "placement", *arguments)
    assert told in failed.refusal

"""What every test may ask for: a database of each kind, upgraded, and emptied before each test."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from moorage.db.upgrade import upgrade
from tests.databases import BACK_ENDS, fresh_database, missing_server, wipe

VECTORS = Path(__file__).parent / "capacity" / "vectors"


def back_ends(names: str) -> list[str]:
    """Read the value of --databases: some of the back ends, separated by commas."""
    chosen = names.split(",")
    if unknown := [name for name in chosen if name not in BACK_ENDS]:
        raise pytest.UsageError(f"--databases: {', '.join(unknown)} is not one of {', '.join(BACK_ENDS)}")
    return chosen


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--databases",
        type=back_ends,
        default=list(BACK_ENDS),
        metavar="NAME[,NAME]",
        help=f"run the tests that need a database on these alone; all of them are {','.join(BACK_ENDS)}",
    )
    parser.addoption(
        "--vectors",
        type=Path,
        default=VECTORS,
        metavar="DIRECTORY",
        help="take the inputs and outputs of the existing capacity service from the JSON files in this directory",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" not in metafunc.fixturenames:
        return
    chosen: list[str] = metafunc.config.getoption("databases")
    for back_end in chosen:
        if complaint := missing_server(back_end):
            pytest.fail(complaint, pytrace=False)
    metafunc.parametrize("database_url", chosen, indirect=True, scope="session")


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Callable[[str], str]]:
    """The URL of this worker's database on a back end: made and upgraded when first asked for, dropped at the end."""
    urls: dict[str, str] = {}
    with contextlib.ExitStack() as dropped_at_the_end:

        def url_of(back_end: str) -> str:
            if back_end not in urls:
                directory = tmp_path_factory.mktemp(back_end)
                url = dropped_at_the_end.enter_context(fresh_database(back_end, directory, worker_id))
                upgrade(url)
                urls[back_end] = url
            return urls[back_end]

        yield url_of


@pytest.fixture(scope="session")
def database_url(request: pytest.FixtureRequest, databases: Callable[[str], str]) -> str:
    """A database with the current schema, on each back end in turn. What earlier tests wrote may still be in it."""
    return databases(request.param)


@pytest.fixture
def empty_database(database_url: str) -> str:
    """The same database with nothing in it but the standard traits and resource classes."""
    wipe(database_url)
    return database_url

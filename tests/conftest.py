"""What every test may ask for: a database of each kind, upgraded, and emptied before each test."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from moorage.db.database import Database
from moorage.db.upgrade import upgrade
from tests.databases import fresh_database, wipe
from tests.installation import installation
from tests.matrix import add_option, databases_of
from tests.quiet_logging import logging_as_it_was
from tests.services import application, service, upstream

__all__ = ["application", "installation", "logging_as_it_was", "service", "upstream"]

VECTORS = Path(__file__).parent / "capacity" / "vectors"


def pytest_addoption(parser: pytest.Parser) -> None:
    add_option(parser)
    parser.addoption(
        "--vectors",
        type=Path,
        default=VECTORS,
        metavar="DIRECTORY",
        help="take the inputs and outputs of the existing capacity service from the JSON files in this directory",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "database_url" in metafunc.fixturenames:
        metafunc.parametrize("database_url", databases_of(metafunc), indirect=True, scope="session")


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
    """A database with the current schema. What earlier tests wrote may still be in it."""
    return databases(request.param)


@pytest.fixture
def empty_database(database_url: str) -> str:
    """The same database with nothing in it but the standard traits and resource classes."""
    wipe(database_url)
    return database_url


@pytest.fixture(scope="session")
def engines() -> Callable[[str], Database]:
    """Databases as applications open them, kept from test to test: engines know the statements that they compiled."""
    return cache(Database)


@pytest.fixture
def database(empty_database: str, installation: Path, engines: Callable[[str], Database]) -> Iterator[Database]:
    """The empty database, opened; connections are new for each test, and closed at its end."""
    database = engines(empty_database)
    database.lasting.clear()
    yield database
    database.dispose()

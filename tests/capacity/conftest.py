"""Runs every test that asks for a vector of some kind once for each that there is; and a database for those who ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from moorage.db.database import Database
from tests.capacity.vector_files import KINDS, read_vectors
from tests.installation import installation

__all__ = ["installation"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for kind in KINDS:
        fixture = f"{kind}_vector"
        if fixture in metafunc.fixturenames:
            directory: Path = metafunc.config.getoption("vectors")
            vectors = read_vectors(directory)[kind]
            metafunc.parametrize(fixture, [vector for _, vector in vectors], ids=[name for name, _ in vectors])


@pytest.fixture
def database(empty_database: str) -> Iterator[Database]:
    database = Database(empty_database)
    yield database
    database.dispose()

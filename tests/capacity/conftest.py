"""Runs every test that asks for a vector of some kind once for each that there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.capacity.vector_files import KINDS, read_vectors


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for kind in KINDS:
        fixture = f"{kind}_vector"
        if fixture in metafunc.fixturenames:
            directory: Path = metafunc.config.getoption("vectors")
            vectors = read_vectors(directory)[kind]
            metafunc.parametrize(fixture, [vector for _, vector in vectors], ids=[name for name, _ in vectors])

"""Vectors come from a directory that somebody names; one without any is a mistake and not a success."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.capacity.vector_files import read_vectors


def test_a_directory_without_vectors_is_a_mistake(tmp_path: Path) -> None:
    for directory in (tmp_path, tmp_path / "misspelt"):
        with pytest.raises(pytest.UsageError, match="there are no files"):
            read_vectors(directory)

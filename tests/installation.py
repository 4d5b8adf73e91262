"""An installation of its own for a test: a state directory under a temporary one, and no other configuration."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from moorage.service.settings import CONFIG_VARIABLE


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state directory that settings loaded in this test have; it does not exist yet."""
    for name in list(os.environ):
        if name.startswith("OS_"):
            monkeypatch.delenv(name)
    configuration = tmp_path / "moorage.conf"
    configuration.write_text("")
    monkeypatch.setenv(CONFIG_VARIABLE, str(configuration))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "moorage"

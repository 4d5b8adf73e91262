"""A cloud in which nobody but the administrator is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from oslo_config import cfg

from moorage.db.database import Database
from moorage.service.settings import load_settings
from tests.identity.cloud import Cloud


@pytest.fixture
def settings(empty_database: str, tmp_path: Path) -> cfg.ConfigOpts:
    values = {"DEFAULT.state_path": str(tmp_path / "state"), "database.connection": empty_database}
    return load_settings(values, config_files=[])


@pytest.fixture
def cloud(settings: cfg.ConfigOpts, database: Database) -> Cloud:
    return Cloud(settings, database)

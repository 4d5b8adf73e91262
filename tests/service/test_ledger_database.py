"""What an operator is told about the database."""

from __future__ import annotations

from pathlib import Path

import pytest

from moorage.db.upgrade import newest_version
from moorage.service.errors import OperatorError
from moorage.service.ledger_database import database_version, masked, upgrade_database


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("sqlite:////var/lib/moorage.sqlite", "sqlite:////var/lib/moorage.sqlite"),
        ("postgresql+psycopg://me:secret@db:5432/moorage", "postgresql+psycopg://me:***@db:5432/moorage"),
        ("postgresql+psycopg://me@db/moorage?password=secret", "postgresql+psycopg://me@db/moorage"),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert masked(url) == shown


def test_an_upgrade_makes_the_database_and_says_its_version(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new/moorage.sqlite"
    assert database_version(url) is None
    assert upgrade_database(url) == newest_version() == database_version(url)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("moorage.sqlite", "must look like"),
        ("oracel://db/moorage", "must look like"),
        ("mysql+mysqldb://me:secret@db/moorage", "driver that is not installed"),
        ("mysql+pymysql://me:secret@127.0.0.1:1/moorage", "cannot be used"),
        ("postgresql+psycopg://me:secret@127.0.0.1:1/moorage", "cannot be used"),
        ("sqlite:////proc/moorage.sqlite", "cannot be used"),
    ],
)
def test_trouble_is_one_sentence_without_the_password(url: str, complaint: str) -> None:
    with pytest.raises(OperatorError, match=complaint) as caught:
        upgrade_database(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)

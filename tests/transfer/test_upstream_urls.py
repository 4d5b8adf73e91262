"""Addresses of databases as they stand in a placement.conf."""

from __future__ import annotations

import pytest

from moorage.transfer.upstream_database import with_our_driver


@pytest.mark.parametrize(
    ("given", "ours"),
    [
        ("mysql://u:p@db/placement", "mysql+pymysql://u:p@db/placement"),
        ("mysql+mysqldb://u:p@db/placement?charset=utf8", "mysql+pymysql://u:p@db/placement?charset=utf8"),
        ("mysql+pymysql://u:p@db/placement?plugin=dbcounter", "mysql+pymysql://u:p@db/placement"),
        ("postgresql+psycopg2://u:p@db/placement", "postgresql+psycopg://u:p@db/placement"),
        ("sqlite:////var/lib/placement.sqlite", "sqlite:////var/lib/placement.sqlite"),
    ],
)
def test_our_drivers_reach_the_same_database(given: str, ours: str) -> None:
    assert with_our_driver(given).render_as_string(hide_password=False) == ours

"""The connection that is kept for one question, and what becomes of it."""

from __future__ import annotations

import pytest
from sqlalchemy import literal, select, text

from moorage.db.database import Database

pytestmark = pytest.mark.every_database

ONE = select(literal(1))
SESSIONS = {
    "postgresql": "SELECT count(*) FROM pg_stat_activity WHERE datname = current_catalog",
    "mariadb": "SELECT count(*) FROM information_schema.processlist WHERE db = database()",
}


def test_it_is_closed_also_if_it_was_used_again_after_it_was_closed(empty_database: str) -> None:
    database, other = Database(empty_database), Database(empty_database)
    if database.dialect == "sqlite":
        pytest.skip("SQLite is asked in the ordinary way")
    sessions = text(SESSIONS[database.dialect])
    before = other.look(lambda connection: connection.execute(sessions).scalar_one())
    feed_connection = database.feed_connection()
    for _ in range(2):
        assert feed_connection.ask(ONE, {}) is not None
        assert other.look(lambda connection: connection.execute(sessions).scalar_one()) == before + 1
        database.dispose()
        assert other.look(lambda connection: connection.execute(sessions).scalar_one()) == before
    other.dispose()

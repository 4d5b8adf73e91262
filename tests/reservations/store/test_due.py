"""Which events are overdue: those that nobody has taken, and those that are taken and not done."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert

from moorage.db.database import Database, Transaction
from moorage.reservations.model.host import Host
from moorage.reservations.store import claims, hosts
from moorage.reservations.store.due import Late, Overdue, overdue, untaken
from moorage.reservations.store.tables import lease_events

NOW = datetime(2030, 1, 1, 12)  # noqa: DTZ001 - as the tables keep it
MINUTE = timedelta(minutes=1)
NONE = Late(0, None)
HOST = Host(
    id=0,
    provider_uuid="provider of pier",
    name="pier",
    service_name="pier",
    availability_zone="nova",
    created_at=NOW,
    updated_at=NOW,
)

pytestmark = pytest.mark.every_database


def ago(minutes: float) -> datetime:
    return NOW - minutes * MINUTE


def event(
    tx: Transaction, number: int, due: float, *, again: float | None = None, status: str = "UNDONE", **more: object
) -> None:
    """An event that was due so many minutes ago, or to be tried again then."""
    values = {
        "uuid": f"event-{number}",
        "event_type": f"settle_{number}",
        "time": ago(due),
        "status": status,
        "next_attempt_at": ago(due if again is None else again),
        "attempts": 0,
        "created_at": NOW,
        "updated_at": NOW,
    }
    tx.connection.execute(insert(lease_events).values(**values, **more))
    tx.changed("lease event", number)


def found(database: Database) -> Overdue:
    told = database.read(lambda connection: overdue(connection, ago(1), NOW))
    assert told.untaken == database.read(lambda connection: untaken(connection, ago(1), NOW))
    return told


def test_none_is_overdue_that_is_young_to_come_or_done(database: Database) -> None:
    assert found(database) == Overdue(NONE, NONE)

    def work(tx: Transaction) -> None:
        event(tx, 1, 0.5)
        event(tx, 2, -10)
        event(tx, 3, 90, status="DONE")

    database.write(work)
    assert found(database) == Overdue(NONE, NONE)


def test_what_nobody_has_taken_is_told_with_the_earliest(database: Database) -> None:
    def work(tx: Transaction) -> None:
        event(tx, 1, 5)
        event(tx, 2, 90, again=7)  # it was put off, and should have been taken up again
        event(tx, 3, 60, status="IN_PROGRESS", owner="the dead", owned_until=ago(30))

    database.write(work)
    assert found(database) == Overdue(Late(3, ago(30)), NONE)
    assert found(database).untaken.seconds(NOW) == 30 * 60


def test_what_is_taken_and_not_done_is_told_by_itself(database: Database) -> None:
    def work(tx: Transaction) -> None:
        event(tx, 1, 90, again=-1)  # put off
        event(tx, 2, 120, status="IN_PROGRESS", owner="somebody", owned_until=ago(-1))
        event(tx, 3, 5, host_id=pier)  # which somebody is at for another reason
        claims.take(tx, "host", pier, "somebody", NOW, ago(-1))

    pier = database.write(lambda tx: hosts.add(tx, HOST))
    database.write(work)
    assert found(database) == Overdue(NONE, Late(3, ago(120)))


def test_without_any_nothing_is_late() -> None:
    assert NONE.seconds(NOW) == 0

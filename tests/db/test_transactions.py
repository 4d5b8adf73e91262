"""What `Database` promises those who read and write through it, also when the database or the way to it fails."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, create_engine, event, insert, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from moorage.db import changes
from moorage.db.changes import Change
from moorage.db.database import Database, DatabaseUnavailable, OutcomeUnknown, Transaction, utc_now
from moorage.db.upgrade import upgrade

pytestmark = pytest.mark.every_database

accounts = Table("accounts", MetaData(), Column("id", Integer, primary_key=True), Column("balance", Integer))

KILL = {"postgresql": "SELECT pg_terminate_backend({})", "mariadb": "KILL {}"}
OWN_NUMBER = {"postgresql": "SELECT pg_backend_pid()", "mariadb": "SELECT CONNECTION_ID()"}


class Refused(Exception):
    """An error of the domain."""


class Pay:
    """A write: move an amount between accounts 1 and 2. Counts how often it was tried."""

    def __init__(self, amount: int = 1, payer: int = 1) -> None:
        self.amount = amount
        self.payer = payer
        self.tries = 0

    def __call__(self, tx: Transaction) -> str:
        self.tries += 1
        self.add(tx, self.payer, -self.amount)
        self.between(tx)
        self.add(tx, 3 - self.payer, self.amount)
        return "paid"

    def add(self, tx: Transaction, account: int, amount: int) -> None:
        tx.connection.execute(
            update(accounts).where(accounts.c.id == account).values(balance=accounts.c.balance + amount)
        )
        tx.changed("account", account)

    def between(self, tx: Transaction) -> None:
        """Where tests interfere."""


@pytest.fixture
def database(empty_database: str) -> Iterator[Database]:
    """A database with two accounts, 100 in each."""
    engine = create_engine(empty_database)
    with engine.begin() as connection:
        accounts.metadata.create_all(connection)
        connection.execute(insert(accounts), [{"id": 1, "balance": 100}, {"id": 2, "balance": 100}])
        connection.execute(changes.changes.delete())
    database = Database(empty_database)
    yield database
    database.dispose()
    accounts.metadata.drop_all(engine)
    engine.dispose()


@pytest.fixture
def server(database: Database) -> Database:
    """The same, where connections can be killed."""
    if database.dialect == "sqlite":
        pytest.skip("SQLite has no connections to kill")
    return database


def balances(database: Database) -> tuple[int, ...]:
    return database.read(
        lambda connection: tuple(connection.execute(select(accounts.c.balance).order_by(accounts.c.id)).scalars())
    )


def feed(database: Database) -> list[tuple[str, int, str]]:
    columns = changes.changes.c
    statement = select(columns.kind, columns.key, columns.marker).order_by(columns.seq)
    return database.read(lambda connection: [tuple(row) for row in connection.execute(statement)])


# --- without faults


def test_a_write_answers_and_is_there(database: Database) -> None:
    assert database.write(Pay(30)) == "paid"
    assert balances(database) == (70, 130)


def test_a_write_leaves_what_it_touched_in_the_feed_under_one_marker(database: Database) -> None:
    database.write(Pay())
    database.write(Pay(payer=2))
    rows = feed(database)
    assert [row[:2] for row in rows] == [("account", 1), ("account", 2), ("account", 2), ("account", 1)]
    first, second = rows[0][2], rows[2][2]
    assert [row[2] for row in rows] == [first, first, second, second]
    assert first != second


def test_a_write_that_touches_nothing_leaves_no_trace(database: Database) -> None:
    assert database.write(lambda tx: tx.connection.execute(select(accounts)).all())
    assert feed(database) == []


def test_a_read_sees_one_snapshot(database: Database) -> None:
    def total_on_two_looks(connection: Connection) -> int:
        first = connection.execute(select(accounts.c.balance).where(accounts.c.id == 1)).scalar_one()
        database.write(Pay(50))
        second = connection.execute(select(accounts.c.balance).where(accounts.c.id == 2)).scalar_one()
        return int(first + second)

    assert database.read(total_on_two_looks) == 200
    assert balances(database) == (50, 150)


# --- errors that another try does not mend


def test_an_error_of_the_domain_undoes_everything_and_is_final(database: Database) -> None:
    class PayAndRefuse(Pay):
        def between(self, _tx: Transaction) -> None:
            raise Refused

    pay = PayAndRefuse()
    with pytest.raises(Refused):
        database.write(pay)
    assert pay.tries == 1
    assert balances(database) == (100, 100)
    assert feed(database) == []


def test_a_mistake_in_a_statement_undoes_everything_and_is_final(database: Database) -> None:
    class PayWrongly(Pay):
        def between(self, tx: Transaction) -> None:
            tx.connection.execute(text("SELECT * FROM nowhere"))

    pay = PayWrongly()
    with pytest.raises(DBAPIError):
        database.write(pay)
    assert pay.tries == 1
    assert balances(database) == (100, 100)


def test_a_fault_that_stays_is_raised_after_the_last_attempt(empty_database: str, database: Database) -> None:
    class OpenTwice(Pay):
        def between(self, tx: Transaction) -> None:
            tx.connection.execute(insert(accounts), {"id": 1, "balance": 0})

    patient = Database(empty_database, attempts=3)
    pay = OpenTwice()
    with pytest.raises(IntegrityError):
        patient.write(pay)
    patient.dispose()
    assert pay.tries == 3
    assert balances(database) == (100, 100)


# --- a database that is away


class Away:
    """Work that does not get through, as often as it is tried."""

    def __init__(self, database: Database) -> None:
        self.tries = 0
        with pytest.raises(DatabaseUnavailable):
            database.read(self)

    def __call__(self, _: Connection) -> None:
        self.tries += 1
        raise OperationalError("SELECT 1", None, ConnectionRefusedError(), connection_invalidated=True)


def test_only_the_first_who_finds_the_database_away_tries_again_and_again(empty_database: str) -> None:
    database = Database(empty_database, attempts=3)
    assert [Away(database).tries for _ in range(3)] == [3, 2, 2]
    database.read(lambda _: None)
    assert Away(database).tries == 3
    database.dispose()


# --- collisions


def test_writers_that_wait_for_each_other_both_succeed(database: Database) -> None:
    both_hold_an_account = threading.Barrier(2)
    patience = 0.5 if database.dialect == "sqlite" else 30

    class PayAfterMeeting(Pay):
        def between(self, _tx: Transaction) -> None:
            # On SQLite they never meet: one writer waits outside until the other is done.
            with suppress(threading.BrokenBarrierError):
                both_hold_an_account.wait(patience)
            both_hold_an_account.abort()

    payments = [PayAfterMeeting(10, payer=1), PayAfterMeeting(1, payer=2)]
    with ThreadPoolExecutor() as threads:
        assert list(threads.map(database.write, payments)) == ["paid", "paid"]
    assert balances(database) == (91, 109)
    tries = sum(payment.tries for payment in payments)
    # Whoever has to begin again may meet the other once more.
    assert tries == 2 if database.dialect == "sqlite" else tries > 2


def test_a_row_that_somebody_else_added_first_is_met_at_the_next_try(database: Database) -> None:
    class OpenOnce(Pay):
        def between(self, tx: Transaction) -> None:
            known = self.tries > 1 and tx.connection.execute(select(accounts.c.id).where(accounts.c.id == 2)).scalar()
            if not known:
                tx.connection.execute(insert(accounts), {"id": 2, "balance": 0})

    pay = OpenOnce()
    assert database.write(pay) == "paid"
    assert pay.tries == 2
    assert balances(database) == (99, 101)


def test_a_busy_sqlite_is_tried_again(tmp_path: Path) -> None:
    file = tmp_path / "busy.sqlite"
    upgrade(f"sqlite:///{file}")
    database = Database(f"sqlite:///{file}")
    event.listen(database._writers, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout = 1"))
    somebody_else = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    somebody_else.execute("BEGIN IMMEDIATE")
    threading.Timer(0.3, somebody_else.rollback).start()
    database.write(lambda tx: tx.changed("account", 1))
    assert len(feed(database)) == 1
    somebody_else.close()
    database.dispose()


# --- lost connections


def number(connection: Connection) -> int:
    """By which the server knows a connection."""
    return int(connection.execute(text(OWN_NUMBER[connection.dialect.name])).scalar_one())


def kill(server: Database, *numbers: int) -> None:
    """End connections from the server's side, as a restart or an impatient operator would."""
    engine = create_engine(server._writers.url)
    with engine.begin() as connection:
        for doomed in numbers:
            connection.execute(text(KILL[server.dialect].format(doomed)))
    engine.dispose()


def test_a_connection_that_is_killed_within_a_write_is_replaced(server: Database) -> None:
    class PayUnderFire(Pay):
        def between(self, tx: Transaction) -> None:
            if self.tries == 1:
                kill(server, number(tx.connection))

    pay = PayUnderFire()
    assert server.write(pay) == "paid"
    assert pay.tries == 2
    assert balances(server) == (99, 101)


def test_a_connection_that_is_killed_right_before_commit_is_replaced(server: Database) -> None:
    event.listen(server._writers, "commit", lambda connection: kill(server, number(connection)), once=True)
    pay = Pay()
    assert server.write(pay) == "paid"
    assert pay.tries == 2
    assert balances(server) == (99, 101)
    assert len(feed(server)) == 2


def test_connections_that_died_while_nobody_used_them_are_replaced(server: Database) -> None:
    kill(server, server.read(number), server.write(lambda tx: number(tx.connection)))
    assert balances(server) == (100, 100)
    assert server.write(Pay()) == "paid"
    assert balances(server) == (99, 101)


def lose_commits(database: Database, monkeypatch: pytest.MonkeyPatch, *, carried_out: bool) -> None:
    """Break the connection during the next COMMIT, before or after the database has carried it out."""
    commit = database._writers.dialect.do_commit
    lost = threading.Event()

    def lose(connection: Any) -> None:
        if not lost.is_set():
            lost.set()
            if carried_out:
                commit(connection)
            connection.dbapi_connection.close()
        commit(connection)

    monkeypatch.setattr(database._writers.dialect, "do_commit", lose)


def test_a_commit_that_was_lost_on_its_way_is_tried_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    lose_commits(database, monkeypatch, carried_out=False)
    pay = Pay()
    assert database.write(pay) == "paid"
    assert pay.tries == 2
    assert balances(database) == (99, 101)
    assert len(feed(database)) == 2


def test_a_commit_whose_answer_was_lost_is_not_carried_out_twice(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_commits(database, monkeypatch, carried_out=True)
    pay = Pay()
    assert database.write(pay) == "paid"
    assert pay.tries == 1
    assert balances(database) == (99, 101)
    assert len(feed(database)) == 2


def test_a_commit_whose_outcome_cannot_be_learned_is_not_carried_out_twice(
    empty_database: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = Database(empty_database, attempts=2)
    lose_commits(impatient, monkeypatch, carried_out=True)
    unreachable = iter([True, True])

    def connect(dialect: Any, *_: Any) -> None:
        if next(unreachable, False):
            raise dialect.loaded_dbapi.OperationalError(2003, "The server is restarting: busy")

    pay = Pay()
    event.listen(impatient._writers, "commit", lambda _: event.listen(impatient._writers, "do_connect", connect))
    with pytest.raises(OutcomeUnknown):
        impatient.write(pay)
    impatient.dispose()
    assert pay.tries == 1
    assert balances(database) == (99, 101)


@pytest.mark.parametrize("ending", ["commit", "rollback"])
def test_whether_a_transaction_was_committed_is_answered_when_it_has_ended(database: Database, ending: str) -> None:
    def ask() -> bool:
        return database._was_committed(mark)

    with database._writers.connect() as connection, ThreadPoolExecutor() as threads:
        mark = changes.record(connection, [Change("account", 1)], "0" * 32, utc_now())
        answer: Future[bool] = threads.submit(ask)
        still_open = wait([answer], timeout=0.3).not_done
        end: Callable[[], None] = getattr(connection, ending)
        end()
        assert still_open
        assert answer.result(timeout=10) == (ending == "commit")

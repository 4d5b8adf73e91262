"""The index of a process follows the database: at once, in whatever order commits come, and whatever goes wrong."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import Connection, Engine, Select, create_engine, delete, func, insert, select, text, update

from moorage.db import changes as feed_rows
from moorage.db.database import Database, DatabaseUnavailable, Transaction, utc_now
from moorage.meters import REGISTRY
from moorage.placement.index.records import Record
from moorage.placement.index_sync import FEED_RETENTION, HOLE_SECONDS, IndexSync, read_all
from moorage.placement.model.allocation import Claim
from moorage.placement.store import claims, feed, providers, view
from moorage.placement.store.tables import changes, inventories, provider_traits, resource_providers, traits
from tests.placement.conftest import open_api
from tests.placement.rest import PROJECT, USER, Api, allocation_body

pytestmark = pytest.mark.every_database


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


class Watch:
    """The index of another worker than the one that writes, and the database to compare it with."""

    def __init__(self, url: str) -> None:
        self.database = Database(url)
        self.clock = Clock()
        self.index_sync = IndexSync(self.database, self.clock)

    def known(self) -> dict[int, Record]:
        return {record.provider.id: record for record in self.index_sync.current().all_records()}

    def names(self) -> set[str]:
        return {record.provider.name for record in self.known().values()}

    def stored(self) -> dict[int, Record]:
        return {record.provider.id: record for record in self.database.read(view.all_records)}

    def agrees(self) -> bool:
        """Whether the index says what the tables say."""
        return self.known() == self.stored()


@pytest.fixture
def watch(empty_database: str, api: Api) -> Iterator[Watch]:
    watch = Watch(empty_database)
    assert watch.names() == set()
    yield watch
    watch.database.dispose()


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    """A way past the application."""
    engine = create_engine(empty_database)
    yield engine
    engine.dispose()


@pytest.fixture
def servers_only(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        pytest.skip("SQLite lets one writer in at a time: numbers are in the order of commits, and there are no holes")
    if engine.dialect.name != "postgresql":
        # Until InnoDB has purged the rows of earlier tests, who takes their names again locks what is beside them.
        with engine.connect() as connection:
            connection.execute(text("SET GLOBAL innodb_max_purge_lag_wait = 0"))


# --- what was written is seen


def test_every_kind_of_write_is_seen_at_once_by_another_worker(api: Api, watch: Watch) -> None:
    def seen(*expected: str) -> None:
        assert watch.names() == set(expected)
        assert watch.agrees()

    host = api.create_provider(
        "host", {"VCPU": 8, "CUSTOM_GOLD": 3}, traits=("CUSTOM_FAST",), aggregates=(str(uuid4()),)
    )
    seen("host")
    cell = api.create_provider("cell", {"VCPU": 4}, parent=host)
    seen("host", "cell")
    consumer = api.allocate({host: {"VCPU": 1}, cell: {"VCPU": 2}})
    seen("host", "cell")
    api.put(f"/allocations/{consumer}", allocation_body({cell: {"VCPU": 3}}, 1))
    seen("host", "cell")
    api.delete(f"/allocations/{consumer}")
    seen("host", "cell")
    other = api.create_provider("other")
    api.put(f"/resource_providers/{cell}", {"name": "moved", "parent_provider_uuid": other})
    seen("host", "moved", "other")
    api.delete(f"/resource_providers/{host}/inventories")
    api.delete(f"/resource_providers/{host}/traits")
    seen("host", "moved", "other")
    api.delete(f"/resource_providers/{host}")
    seen("moved", "other")
    api.delete(f"/resource_providers/{cell}")
    api.create_provider("in its place", {"VCPU": 1})
    seen("other", "in its place")


def test_new_and_removed_names_are_seen(api: Api, watch: Watch) -> None:
    api.put("/traits/CUSTOM_NEW")
    api.put("/resource_classes/CUSTOM_NEW")
    cloud = watch.index_sync.current()
    assert "CUSTOM_NEW" in cloud.traits
    assert "CUSTOM_NEW" in cloud.classes
    api.delete("/traits/CUSTOM_NEW")
    api.delete("/resource_classes/CUSTOM_NEW")
    cloud = watch.index_sync.current()
    assert "CUSTOM_NEW" not in cloud.traits
    assert "CUSTOM_NEW" not in cloud.classes


def test_what_other_rooms_write_leaves_the_cloud_as_it_is(watch: Watch) -> None:
    before = watch.index_sync.current()
    watch.database.write(lambda transaction: transaction.changed("server", 7))
    assert watch.index_sync.current() is before


def test_a_renamed_resource_class_is_seen_in_inventories_and_candidates(api: Api, watch: Watch) -> None:
    host = api.create_provider("host", {"CUSTOM_OLD": 8})
    api.allocate({host: {"CUSTOM_OLD": 3}})
    other_worker = open_api(watch.database)
    assert other_worker.get("/allocation_candidates", {"resources": "CUSTOM_OLD:5"})["allocation_requests"]
    api.at("1.6").put("/resource_classes/CUSTOM_OLD", {"name": "CUSTOM_NEW"})
    for worker in (api, other_worker):
        assert worker.get(f"/resource_providers/{host}/inventories")["inventories"].keys() == {"CUSTOM_NEW"}
        assert worker.get(f"/resource_providers/{host}/usages")["usages"] == {"CUSTOM_NEW": 3}
        found = worker.get("/allocation_candidates", {"resources": "CUSTOM_NEW:5"})
        assert found["provider_summaries"][host]["resources"] == {"CUSTOM_NEW": {"capacity": 8, "used": 3}}
        assert worker.send("GET", "/allocation_candidates", query={"resources": "CUSTOM_OLD:5"}).status == 400
    other_worker.allocate({host: {"CUSTOM_NEW": 1}})
    assert watch.agrees()


# --- numbers that come out of order, or never


@contextmanager
def unfinished(engine: Engine, work: Callable[[Transaction], object]) -> Iterator[Callable[[], None]]:
    """A write that has all its rows, those in the feed as well, and is committed when told to; or else rolled back."""
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
        transaction = Transaction(connection, utc_now(), {})
        work(transaction)
        feed_rows.record(connection, transaction.touched, uuid4().hex, transaction.now)
        yield connection.commit


def making(name: str) -> Callable[[Transaction], object]:
    return lambda tx: providers.create(tx, str(uuid4()), name, None)


def claiming(provider: str, amount: int) -> Callable[[Transaction], object]:
    claim = Claim(str(uuid4()), PROJECT, USER, "INSTANCE", None, {provider: {"VCPU": amount}})
    return lambda tx: claims.claim(tx, [claim])


@pytest.mark.usefixtures("servers_only")
class TestCommitsOutOfOrder:
    def test_a_provider_that_was_numbered_first_and_committed_last_is_seen(
        self, api: Api, watch: Watch, engine: Engine
    ) -> None:
        with unfinished(engine, making("late")) as commit:
            api.create_provider("early", {"VCPU": 1})
            assert watch.names() == {"early"}
            commit()
            assert watch.names() == {"early", "late"}
            assert watch.agrees()

    def test_so_is_a_claim(self, api: Api, watch: Watch, engine: Engine) -> None:
        one, other = (api.create_provider(name, {"VCPU": 8}) for name in ("one", "other"))
        with unfinished(engine, claiming(one, 3)) as commit:
            api.allocate({other: {"VCPU": 1}})
            assert watch.agrees()
            commit()
            assert watch.agrees()
            assert watch.index_sync.current().find(one).stocks["VCPU"].used == 3

    def test_so_are_several_whatever_the_order(self, watch: Watch, engine: Engine) -> None:
        with (
            unfinished(engine, making("first")) as first,
            unfinished(engine, making("second")) as second,
            unfinished(engine, making("third")) as third,
        ):
            for commit, name in ((third, "third"), (first, "first"), (second, "second")):
                commit()
                assert name in watch.names()
                assert watch.agrees()

    def test_a_reader_that_starts_meanwhile_waits_for_the_number_as_well(
        self, api: Api, engine: Engine, empty_database: str
    ) -> None:
        with unfinished(engine, making("late")) as commit:
            api.post("/resource_providers", {"name": "early", "uuid": str(uuid4())})
            starting = Watch(empty_database)
            assert starting.names() == {"early"}
            commit()
            assert starting.names() == {"early", "late"}
            assert starting.agrees()
            starting.database.dispose()

    def test_also_when_everything_before_it_is_old(self, api: Api, engine: Engine, empty_database: str) -> None:
        api.create_provider("old")
        age_feed(engine, timedelta(minutes=10))
        with unfinished(engine, making("late")) as commit:
            api.post("/resource_providers", {"name": "early", "uuid": str(uuid4())})
            starting = Watch(empty_database)
            assert starting.names() == {"old", "early"}
            commit()
            assert starting.names() == {"old", "early", "late"}
            starting.database.dispose()


@pytest.mark.usefixtures("servers_only")
class TestHoles:
    def test_left_by_a_write_that_was_rolled_back_are_forgotten_after_a_while(
        self, api: Api, watch: Watch, engine: Engine
    ) -> None:
        with unfinished(engine, making("never")):
            pass
        api.create_provider("host")
        assert watch.names() == {"host"}
        assert watch.index_sync._holes
        watch.clock.now += HOLE_SECONDS - 1
        assert watch.agrees()
        assert watch.index_sync._holes
        watch.clock.now += 2
        assert watch.agrees()
        assert len(watch.index_sync._holes) == 0

    def test_are_waited_for_until_then(self, api: Api, watch: Watch, engine: Engine) -> None:
        with unfinished(engine, making("slow")) as commit:
            api.create_provider("host")
            assert watch.names() == {"host"}
            watch.clock.now += HOLE_SECONDS - 1
            commit()
            assert watch.names() == {"host", "slow"}


# On a Galera cluster every node counts in steps of its own, so most numbers are nobody's.


def write_feed(engine: Engine, numbers: Iterable[int], name: str = "counted in steps") -> None:
    """Rows of the feed under these numbers, about a thing that is nobody's business here, or this provider."""
    with engine.begin() as connection:
        key = connection.execute(select(resource_providers.c.id).where(resource_providers.c.name == name)).scalar()
        about = {"kind": "provider", "key": key} if key else {"kind": "something", "key": 0}
        row = {"marker": uuid4().hex, "created_at": utc_now(), **about}
        connection.execute(insert(changes), [{"seq": number, **row} for number in numbers])


def rename(engine: Engine, name: str, new: str) -> None:
    """By a row that the feed does not tell of yet."""
    with engine.begin() as connection:
        values = {"name": new, "revision": resource_providers.c.revision + 1}
        connection.execute(update(resource_providers).where(resource_providers.c.name == name).values(**values))


@pytest.mark.parametrize("older", [2, 900], ids=["young", "old"])
def test_one_of_thousands_of_holes_is_filled(api: Api, watch: Watch, engine: Engine, older: int) -> None:
    api.create_provider("host", {"VCPU": 1})
    assert watch.names() == {"host"}
    high = watch.database.read(feed.highest)
    write_feed(engine, range(high + 3, high + 3000, 3))
    assert watch.names() == {"host"}
    assert len(watch.index_sync._holes) > 1900
    rename(engine, "host", "renamed")
    assert watch.names() == {"host"}
    write_feed(engine, [high + 3000 - 3 * older + 1], "renamed")
    assert watch.names() == {"renamed"}
    assert watch.agrees()


@pytest.mark.parametrize("holes", [1, 500], ids=["one", "many"])
def test_what_a_late_row_leads_to_is_read_in_one_snapshot(
    api: Api, watch: Watch, engine: Engine, monkeypatch: pytest.MonkeyPatch, holes: int
) -> None:
    """Between the two statements that find the row, somebody else changes the same provider."""
    api.create_provider("host", {"VCPU": 8})
    assert watch.names() == {"host"}
    high = watch.database.read(feed.highest)
    write_feed(engine, range(high + 1 + holes, high + 1200))
    assert watch.names() == {"host"}
    with engine.begin() as connection:
        key = connection.execute(select(resource_providers.c.id)).scalar_one()
        row = {"kind": "usage", "key": key, "marker": uuid4().hex, "created_at": utc_now()}
        connection.execute(insert(changes), [{"seq": high + 1, **row}])
    asked = watch.index_sync._ask

    def ask(statement: Select[Any], values: Mapping[str, Any]) -> feed.Rows:
        rows = asked(statement, values)
        if "high" in values:
            with engine.begin() as connection:
                connection.execute(update(inventories).values(total=9, capacity=9))
                moved = {name: resource_providers.c[name] + 1 for name in ("generation", "revision")}
                connection.execute(update(resource_providers).values(**moved))
            write_feed(engine, [high + 1200], "host")
        return rows

    monkeypatch.setattr(watch.index_sync, "_ask", ask)
    cloud = watch.index_sync.current()
    assert {record.provider.id: record for record in cloud.all_records()} == watch.stored()


def test_holes_that_stay_are_counted_and_not_named(
    api: Api, watch: Watch, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    high = watch.database.read(feed.highest)
    assert watch.names() == {"host"}
    write_feed(engine, range(high + 3, high + 3000, 3))
    assert watch.names() == {"host"}
    named: list[int] = []
    ask = watch.index_sync._ask

    def counting(statement: Select[Any], values: Mapping[str, Any]) -> feed.Rows:
        named.extend(values.get("numbers", ()))
        return ask(statement, values)

    monkeypatch.setattr(watch.index_sync, "_ask", counting)
    write_feed(engine, [high + 3000])
    assert watch.names() == {"host"}
    assert watch.index_sync.current().find(host).stocks["VCPU"].used == 0
    assert named == []


# --- asking little


def test_where_nothing_happens_only_that_is_asked(api: Api, watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    host = api.create_provider("host", {"VCPU": 8})
    if watch.database.dialect == "sqlite":
        pytest.skip("SQLite is not asked at all where nothing happens")
    assert watch.names() == {"host"}
    columns: list[int] = []
    ask = watch.index_sync._ask

    def counting(statement: Select[Any], values: Mapping[str, Any]) -> feed.Rows:
        columns.append(len(statement.selected_columns))
        return ask(statement, values)

    def asked() -> list[int]:
        columns.clear()
        assert watch.agrees()
        return [min(2, each) for each in columns]

    monkeypatch.setattr(watch.index_sync, "_ask", counting)
    watch.clock.now += HOLE_SECONDS + 1
    asked()
    assert asked() == [1]
    api.allocate({host: {"VCPU": 1}})
    assert asked() == [1, 2]  # this time there is something
    api.allocate({host: {"VCPU": 1}})
    assert asked() == [2]  # where much happens, nobody asks whether it does
    assert asked() == [2]
    assert asked() == [1]


# --- looking away, and pruning


def age_feed(engine: Engine, by: timedelta) -> None:
    """Let everything in the feed have been written earlier."""
    with engine.begin() as connection:
        connection.execute(update(changes).values(created_at=utc_now() - by))


def feed_length(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(changes)).scalar_one()


def test_a_reader_that_looked_away_for_too_long_begins_anew(api: Api, watch: Watch, engine: Engine) -> None:
    api.create_provider("forgotten", {"VCPU": 2})
    age_feed(engine, FEED_RETENTION * 2)
    assert feed.prune(watch.database, FEED_RETENTION) > 0
    assert feed_length(engine) == 1
    watch.clock.now += FEED_RETENTION.total_seconds() / 2 + 1
    assert watch.names() == {"forgotten"}
    assert watch.agrees()


def test_a_reader_that_looked_in_time_loses_nothing_to_pruning(api: Api, watch: Watch, engine: Engine) -> None:
    api.create_provider("old", {"VCPU": 2})
    age_feed(engine, FEED_RETENTION * 2)
    assert watch.names() == {"old"}
    young = api.create_provider("young", {"VCPU": 2})
    api.allocate({young: {"VCPU": 1}})
    feed.prune(watch.database, FEED_RETENTION)
    assert feed_length(engine) > 0
    watch.clock.now += FEED_RETENTION.total_seconds() / 2 - 1
    assert watch.names() == {"old", "young"}
    assert watch.agrees()


def test_pruning_deletes_the_oldest_a_bounded_number_at_a_time(api: Api, watch: Watch, engine: Engine) -> None:
    for name in ("one", "two", "three"):
        api.create_provider(name)
    age_feed(engine, FEED_RETENTION * 2)
    length = feed_length(engine)
    assert feed.prune(watch.database, FEED_RETENTION, most=2) == 2
    assert feed_length(engine) == length - 2
    assert feed.prune(watch.database, FEED_RETENTION) == length - 3  # the newest one stays
    assert feed.prune(watch.database, FEED_RETENTION) == 0


def test_a_pruned_feed_never_starts_again_at_the_same_numbers(api: Api, watch: Watch, engine: Engine) -> None:
    api.create_provider("old")
    assert watch.names() == {"old"}
    with engine.begin() as connection:
        connection.execute(delete(changes))
    api.create_provider("new")
    assert watch.names() == {"old", "new"}


# --- drift


def end_all_sessions(engine: Engine) -> None:
    """But for the own one, from the server's side."""
    others = {
        "postgresql": "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
        "mariadb": "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    }
    with engine.connect() as connection:
        ended = connection.execute(text(others[engine.dialect.name])).scalars().all()
        for number in ended if engine.dialect.name == "mariadb" else ():
            connection.exec_driver_sql(f"KILL {number}")
    assert len(ended) > 1


def renamed_by_hand(engine: Engine) -> None:
    with engine.begin() as connection:
        values = {"name": "by hand", "revision": resource_providers.c.revision + 1}
        connection.execute(update(resource_providers).where(resource_providers.c.name == "host").values(**values))


def removed_by_hand(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(update(resource_providers).values(root_provider_id=None))
        connection.execute(delete(provider_traits))
        connection.execute(delete(resource_providers))


def test_names_that_the_feed_did_not_tell_of_are_found_and_logged(
    api: Api, watch: Watch, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    assert watch.index_sync.repair() == 0
    with engine.begin() as connection:
        connection.execute(insert(traits).values(name="CUSTOM_MISSED", created_at=utc_now(), updated_at=utc_now()))
    with caplog.at_level(logging.ERROR):
        watch.index_sync.repair()
    assert "did not know all resource classes and traits" in caplog.text
    assert "CUSTOM_MISSED" in watch.index_sync.current().traits
    caplog.clear()
    watch.index_sync.repair()
    assert not caplog.records


@pytest.mark.parametrize("tamper", [renamed_by_hand, removed_by_hand])
def test_drift_is_found_repaired_and_logged(
    api: Api, watch: Watch, engine: Engine, caplog: pytest.LogCaptureFixture, tamper: Callable[[Engine], None]
) -> None:
    api.create_provider("host", traits=("CUSTOM_FAST",))
    assert watch.names() == {"host"}
    tamper(engine)
    assert watch.names() == {"host"}  # the feed says nothing of it
    with caplog.at_level(logging.ERROR):
        assert watch.index_sync.repair() == 1
    assert "drifted from the database at 1 provider" in caplog.text
    assert watch.agrees()
    assert watch.index_sync.repair() == 0


def test_nothing_is_said_where_nothing_has_drifted(api: Api, watch: Watch, caplog: pytest.LogCaptureFixture) -> None:
    host = api.create_provider("host", {"VCPU": 2})
    assert watch.index_sync.repair() == 0  # also when there was something to catch up with
    api.allocate({host: {"VCPU": 1}})
    assert watch.index_sync.repair() == 0
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def go_back(api: Api, watch: Watch, engine: Engine) -> list[int]:
    """Another server takes over before it has everything, or a backup is put back; the numbers that are given again."""
    for name in ("host", "other", "lost"):
        api.create_provider(name)
    assert watch.names() == {"host", "other", "lost"}
    with engine.begin() as connection:
        numbers = connection.execute(select(changes.c.seq).order_by(changes.c.seq)).scalars().all()
        connection.execute(delete(changes).where(changes.c.seq > numbers[0]))
        lost = resource_providers.c.name == "lost"
        connection.execute(update(resource_providers).where(lost).values(root_provider_id=None))
        connection.execute(delete(resource_providers).where(lost))
    return list(numbers[1:])


def test_a_database_that_went_back_is_read_anew(
    api: Api, watch: Watch, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    again = go_back(api, watch, engine)
    with caplog.at_level(logging.ERROR):
        watch.index_sync.repair()
    assert "The change feed went back" in caplog.text
    rename(engine, "host", "renamed")
    write_feed(engine, again[:1], "renamed")
    assert watch.names() == {"renamed", "other"}
    assert watch.agrees()


def test_so_is_one_that_was_written_to_beyond_where_it_was(
    api: Api, watch: Watch, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    again = go_back(api, watch, engine)
    rename(engine, "host", "renamed")
    write_feed(engine, [*again, again[-1] + 1], "renamed")
    with caplog.at_level(logging.ERROR):
        watch.index_sync.repair()
    assert "The change feed went back" in caplog.text
    assert watch.names() == {"renamed", "other"}
    assert watch.agrees()


@pytest.mark.usefixtures("servers_only")
def test_it_is_noticed_at_once_where_the_connection_broke(
    api: Api, watch: Watch, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    again = go_back(api, watch, engine)
    end_all_sessions(engine)
    rename(engine, "host", "renamed")
    write_feed(engine, [*again, again[-1] + 1], "renamed")
    with caplog.at_level(logging.ERROR):
        assert watch.names() == {"renamed", "other"}
    assert "The change feed went back" in caplog.text
    assert watch.agrees()


def test_a_quiet_feed_that_was_pruned_has_not_gone_back(
    api: Api, watch: Watch, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    api.create_provider("host")
    assert watch.names() == {"host"}
    age_feed(engine, FEED_RETENTION * 2)
    feed.prune(watch.database, FEED_RETENTION)
    assert watch.index_sync.repair() == 0
    assert not caplog.records


def test_whoever_watches_sees_a_worker_move_on_that_nobody_asks(watch: Watch) -> None:
    def position() -> float | None:
        return REGISTRY.get_sample_value("moorage_index_position", {"index": "placement"})

    for name in ("host", "other"):
        watch.database.write(making(name))
        assert position() != watch.database.read(feed.highest)
        watch.index_sync.repair()
        assert position() == watch.database.read(feed.highest)


def test_what_is_written_while_all_are_compared_is_no_drift_and_nobody_waits(
    api: Api, watch: Watch, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = api.create_provider("host", {"VCPU": 2})
    revisions = feed.revisions

    def while_others_write(connection: Connection) -> dict[int, int]:
        api.allocate({host: {"VCPU": 1}})
        assert threads.submit(watch.names).result(10) == {"host"}
        api.create_provider("another")
        return revisions(connection)

    monkeypatch.setattr(feed, "revisions", while_others_write)
    with ThreadPoolExecutor(1) as threads:
        assert watch.index_sync.repair() == 0
    assert watch.agrees()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


# --- threads


def test_each_thread_sees_what_was_committed_before_it_asked(watch: Watch, api: Api) -> None:
    def write_then_read(number: int) -> bool:
        name = f"host-{number}"
        api.create_provider(name, {"VCPU": number + 1})
        return name in watch.names()

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(write_then_read, range(24)))
    assert watch.agrees()


def gone() -> None:
    raise DatabaseUnavailable("It went away")


@pytest.mark.parametrize("is_there", [True, False], ids=["and its cloud", "and its failure"])
def test_those_who_ask_while_a_reading_is_under_way_share_the_next(
    watch: Watch, monkeypatch: pytest.MonkeyPatch, *, is_there: bool
) -> None:
    readings = 0
    under_way, go_on = threading.Event(), threading.Event()
    catch_up = watch.index_sync._catch_up if is_there else gone

    def slowly() -> None:
        nonlocal readings
        readings += 1
        under_way.set()
        assert go_on.wait(10)
        catch_up()

    monkeypatch.setattr(watch.index_sync, "_catch_up", slowly)
    with ThreadPoolExecutor(9) as threads:
        first = threads.submit(watch.index_sync.current)
        assert under_way.wait(10)
        others = [threads.submit(watch.index_sync.current) for _ in range(8)]
        while threads._work_queue.qsize():  # until each has its thread
            pass
        threading.Event().wait(0.2)  # and waits for its turn
        go_on.set()
        answers = [one.exception(10) for one in (first, *others)]
    assert readings == 2
    assert {type(answer) for answer in answers} == {type(None) if is_there else DatabaseUnavailable}


# --- what goes wrong


@pytest.mark.usefixtures("servers_only")
def test_lost_connections_heal(api: Api, watch: Watch, engine: Engine) -> None:
    api.create_provider("before", {"VCPU": 1})
    assert watch.names() == {"before"}
    end_all_sessions(engine)
    assert watch.names() == {"before"}
    api.create_provider("after", {"VCPU": 1})
    assert watch.agrees()
    assert watch.index_sync.repair() == 0


class Interrupted(Exception):
    """Something nobody expected."""


@pytest.mark.parametrize(("module", "function"), [(feed, "read"), (view, "some_records"), (view, "all_names")])
def test_an_error_on_the_way_leads_to_a_new_beginning(
    api: Api, watch: Watch, monkeypatch: pytest.MonkeyPatch, module: Any, function: str
) -> None:
    host = api.create_provider("host", {"CUSTOM_GOLD": 2, "VCPU": 4}, traits=("CUSTOM_FAST",))
    api.allocate({host: {"VCPU": 1}})

    def fail(*_: object) -> None:
        raise Interrupted

    with monkeypatch.context() as broken:
        broken.setattr(module, function, fail)
        with pytest.raises(Interrupted):
            watch.index_sync.current()
    assert watch.names() == {"host"}
    assert watch.agrees()


def test_an_error_between_two_steps_never_leaves_half_a_change(
    api: Api, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The feed was read and the providers were, but how far it was read could not be noted any more."""
    host = api.create_provider("host", {"VCPU": 4})

    def fail(*_: object) -> None:
        raise Interrupted

    def claim_some() -> None:
        api.allocate({host: {"VCPU": 1}})

    def make_another() -> None:
        api.create_provider("other")

    for change in (claim_some, make_another):
        change()
        with monkeypatch.context() as broken:
            broken.setattr(watch.index_sync, "_note", fail)
            with pytest.raises(Interrupted):
                watch.index_sync.current()
        assert watch.agrees()


def test_an_error_while_everything_is_read_leaves_the_next_one_to_do_it(
    api: Api, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.create_provider("host", {"VCPU": 4})
    watch.clock.now += FEED_RETENTION.total_seconds()

    def fail(*_: object) -> None:
        raise Interrupted

    with monkeypatch.context() as broken:
        broken.setattr(view, "all_records", fail)
        with pytest.raises(Interrupted):
            watch.index_sync.current()
    assert watch.names() == {"host"}


# --- what is inherited


def test_a_worker_goes_on_from_what_its_parent_has_read(api: Api, watch: Watch) -> None:
    api.create_provider("before", {"VCPU": 8})
    beginning = read_all(watch.database, watch.clock)
    api.create_provider("after", {"VCPU": 4})
    watch.index_sync = IndexSync(watch.database, watch.clock, beginning)
    assert watch.names() == {"before", "after"}
    assert watch.agrees()


def test_what_was_read_too_long_ago_is_read_again(api: Api, watch: Watch, engine: Engine) -> None:
    beginning = read_all(watch.database, watch.clock)
    api.create_provider("since", {"VCPU": 8})
    with engine.begin() as connection:
        connection.execute(delete(changes))  # pruned meanwhile
    watch.clock.now += FEED_RETENTION.total_seconds()
    watch.index_sync = IndexSync(watch.database, watch.clock, beginning)
    assert watch.names() == {"since"}
    assert watch.agrees()

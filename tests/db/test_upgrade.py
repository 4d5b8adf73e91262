"""How a database comes to the schema that the code works with."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    Float,
    Table,
    create_engine,
    delete,
    event,
    func,
    inspect,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.dialects.mysql import DOUBLE

from moorage.db.database import Database, Transaction
from moorage.db.upgrade import all_versions, current_version, newest_version, upgrade
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from moorage.placement.store import aggregates, inventories, names, origins, providers
from moorage.placement.store import traits as provider_traits
from moorage.placement.store.tables import metadata, provider_origins, resource_providers, traits
from tests.databases import fresh_database
from tests.processes import FORKS

pytestmark = pytest.mark.every_database


@pytest.fixture
def blank_database(database_url: str, tmp_path: Path, worker_id: str) -> Iterator[str]:
    """A database without tables, on each back end in turn."""
    with fresh_database(make_url(database_url).get_backend_name(), tmp_path, worker_id) as url:
        yield url


@pytest.fixture
def engine(blank_database: str) -> Iterator[Engine]:
    """A way into that database that no code of ours has prepared."""
    engine = create_engine(blank_database)
    yield engine
    engine.dispose()


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    yield database
    database.dispose()


@pytest.fixture
def database(empty_database: str) -> Iterator[Database]:
    with opened(empty_database) as database:
        yield database


def differences(engine: Engine) -> list[object]:
    """What a migration would still have to do to bring the tables to what the code says."""

    def differs(*types: Any) -> bool | None:
        *_, found, declared = types
        # MariaDB's name for FLOAT(53); None leaves the question to Alembic.
        return False if isinstance(found, DOUBLE) and isinstance(declared, Float) else None

    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": differs, "compare_server_default": True})
        return list(compare_metadata(context, metadata))


def rows_of(engine: Engine, tables: Sequence[Table]) -> dict[str, list[Any]]:
    """Everything in these tables."""
    with engine.connect() as connection:
        return {table.name: sorted(map(repr, connection.execute(select(table)))) for table in tables}


def ask(database: Database, statement: Executable) -> list[Any]:
    """The first column of what a statement finds."""
    return database.read(lambda connection: list(connection.execute(statement).scalars()))


# --- versions


def test_a_database_without_tables_has_no_version(blank_database: str) -> None:
    assert current_version(blank_database) is None


def test_versions_are_listed_from_the_oldest_to_the_newest() -> None:
    assert all_versions() == sorted(all_versions())
    assert all_versions()[-1] == newest_version()


@pytest.mark.parametrize("version", [None, *all_versions()])
def test_every_version_is_brought_to_the_tables_in_the_code(
    blank_database: str, engine: Engine, version: str | None
) -> None:
    if version is not None:
        upgrade(blank_database, version)
        assert current_version(blank_database) == version
    upgrade(blank_database)
    assert current_version(blank_database) == newest_version()
    assert differences(engine) == []


def furnish(tx: Transaction, host: str, cell: str) -> None:
    """A provider with all it can have below another one, by what the first release could do."""
    names.ensure_trait(tx, "CUSTOM_RAID")
    providers.create(tx, host, "host", parent_uuid=None)
    providers.create(tx, cell, "cell", parent_uuid=host)
    inventories.add(tx, cell, "VCPU", Inventory(8))
    provider_traits.replace(tx, cell, None, ["CUSTOM_RAID"])
    aggregates.replace(tx, cell, None, [host])


def test_the_ledger_of_the_first_release_is_kept_and_goes_on(blank_database: str, engine: Engine) -> None:
    host, cell = str(uuid4()), str(uuid4())
    upgrade(blank_database, "0001")
    with opened(blank_database) as database:
        names.synchronise_standard_names(database)
        database.write(partial(furnish, host=host, cell=cell))
    old_tables = [table for table in metadata.sorted_tables if inspect(engine).has_table(table.name)]
    before = rows_of(engine, old_tables)
    upgrade(blank_database)
    assert rows_of(engine, old_tables) == before
    with opened(blank_database) as database:
        origin = Origin("cn1", made=True, traits={"CUSTOM_RAID": "file:raid.yaml"})
        database.write(partial(origins.replace, provider_uuid=cell, generation=None, wanted=origin))
        kept = database.read(partial(origins.find, provider_uuid=cell))
        assert kept is not None
        assert kept.origin == origin
        database.write(partial(providers.remove, uuid=cell))
        assert ask(database, select(func.count()).select_from(provider_origins)) == [0]


def test_a_worker_of_the_first_release_deletes_providers_that_have_an_origin(database: Database) -> None:
    """It does not know that there are origins."""
    uuid = str(uuid4())
    database.write(partial(providers.create, uuid=uuid, name="host", parent_uuid=None))
    database.write(partial(origins.replace, provider_uuid=uuid, generation=None, wanted=Origin("cn1")))

    def delete_as_it_did(tx: Transaction) -> None:
        row = resource_providers.c.uuid == uuid
        tx.connection.execute(update(resource_providers).where(row).values(root_provider_id=None))
        tx.connection.execute(delete(resource_providers).where(row))
        tx.changed("provider", 1)

    database.write(delete_as_it_did)
    assert ask(database, select(func.count()).select_from(provider_origins)) == [0]


def test_a_second_upgrade_changes_nothing(empty_database: str, database: Database) -> None:
    database.write(partial(names.ensure_trait, name="CUSTOM_RAID"))
    before = ask(database, select(traits.c.name))
    upgrade(empty_database)
    assert ask(database, select(traits.c.name)) == before


# --- at the same time as others


def test_eight_processes_upgrade_at_the_same_time(blank_database: str, engine: Engine) -> None:
    processes = [FORKS.Process(target=upgrade, args=(blank_database,)) for _ in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(timeout=60)
    assert [process.exitcode for process in processes] == [0] * 8
    assert current_version(blank_database) == newest_version()
    assert differences(engine) == []


def test_an_upgrade_waits_until_another_is_committed(blank_database: str) -> None:
    slow = threading.Event()

    @event.listens_for(Engine, "commit")
    def hesitate(_connection: Connection) -> None:
        if not slow.is_set():
            slow.set()
            time.sleep(0.5)

    try:
        with ThreadPoolExecutor() as threads:
            first = threads.submit(upgrade, blank_database)
            assert slow.wait(timeout=10)
            upgrade(blank_database)
            first.result()
    finally:
        event.remove(Engine, "commit", hesitate)


def add_traits_until_told(url: str, pipe: Pipe) -> None:
    """Serve writes; say when the first was acknowledged, and in the end how many were."""
    database = Database(url)
    acknowledged = 0
    while not pipe.poll():
        database.write(partial(names.ensure_trait, name=f"CUSTOM_{acknowledged}"))
        acknowledged += 1
        if acknowledged == 1:
            pipe.send(acknowledged)
    pipe.send(acknowledged)
    database.dispose()


def test_a_process_that_serves_writes_does_not_notice_an_upgrade(empty_database: str, database: Database) -> None:
    pipe, far_end = FORKS.Pipe()
    process = FORKS.Process(target=add_traits_until_told, args=(empty_database, far_end))
    process.start()
    assert pipe.recv() == 1
    for _ in range(3):
        upgrade(empty_database)
    pipe.send("enough")
    acknowledged = pipe.recv()
    process.join(timeout=10)
    assert process.exitcode == 0
    assert ask(database, select(func.count()).where(traits.c.name.startswith("CUSTOM_"))) == [acknowledged]


# --- names


@pytest.mark.parametrize(
    "others",
    [("Disk", "DISK"), ("disk ", " disk"), ("dísk", "di\u0301sk", "d\u0131sk"), ("disk\u00ad", "di\u200dsk")],
    ids=["case", "spaces", "accents", "invisible"],
)
def test_names_are_compared_byte_by_byte(database: Database, others: tuple[str, ...]) -> None:
    spellings = {name: str(uuid4()) for name in ("disk", *others)}

    def create_all(tx: Transaction) -> None:
        for name, uuid in spellings.items():
            providers.create(tx, uuid, name, parent_uuid=None)

    database.write(create_all)
    for name, uuid in spellings.items():
        statement = select(resource_providers.c.uuid).where(resource_providers.c.name == name)
        assert ask(database, statement) == [uuid]


def test_mariadb_compares_every_text_byte_by_byte(database: Database) -> None:
    if database.dialect != "mariadb":
        pytest.skip("only MariaDB compares text in another way by default")
    statement = text(
        "SELECT DISTINCT collation_name FROM information_schema.columns"
        " WHERE table_schema = database() AND table_name <> 'alembic_version' AND collation_name IS NOT NULL"
    )
    assert ask(database, statement) == ["utf8mb4_nopad_bin"]


def test_only_its_owner_can_read_what_sqlite_keeps(tmp_path: Path) -> None:
    file = tmp_path / "new" / "ledger.sqlite"
    url = f"sqlite:///{file}"
    upgrade(url)
    database = Database(url)
    database.write(lambda tx: tx.changed("nothing", 0))
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}
    database.dispose()

"""Upstream's database into ours and back, on every database; what is refused leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, make_url, select, text, update

from moorage.db.database import Database
from moorage.placement.model.contents import HeldConsumer, differences
from moorage.placement.store.whole import read_contents, read_used
from moorage.transfer import upstream_tables as upstream
from moorage.transfer.errors import TransferRefused
from moorage.transfer.moving import Outcome, fill_ledger, fill_upstream
from moorage.transfer.upstream_database import opened
from moorage.transfer.upstream_reading import Reading, read_upstream
from tests.transfer.ledgers import fill, random_contents, upstream_database

pytestmark = pytest.mark.every_database

CONTENTS = random_contents(seed=1, hosts=12, consumers=40)


def nobody(_what: str, _count: int) -> None:
    """Nobody looks at the progress."""


@pytest.fixture
def source(empty_database: str, tmp_path: Path, worker_id: str) -> Iterator[str]:
    """An empty database of upstream's Placement, on the same kind of server as ours."""
    with upstream_database(make_url(empty_database).get_backend_name(), tmp_path / "upstream", worker_id) as url:
        yield url


def reading_of(url: str) -> Reading:
    with opened(url) as connection:
        return read_upstream(connection)


def test_all_goes_over_and_back_and_nothing_differs(database: Database, source: str) -> None:
    fill(source, CONTENTS)
    reading = reading_of(source)
    assert reading.broken == ()
    assert list(differences(CONTENTS, reading.contents)) == []

    assert fill_ledger(database, reading.contents, nobody) is Outcome.WRITTEN
    ours = database.read(read_contents)
    assert list(differences(CONTENTS, ours)) == []
    assert {key: used for key, used in database.read(read_used).items() if used} == dict(CONTENTS.usages())


def test_some_providers_are_fuller_than_full() -> None:
    """Or the other tests would not show that these go over, too."""
    capacity = {
        (p.uuid, name): each.capacity for p in CONTENTS.providers.values() for name, each in p.inventories.items()
    }
    assert any(used > capacity[key] for key, used in CONTENTS.usages().items())


def test_the_way_back(database: Database, source: str) -> None:
    fill_ledger(database, CONTENTS, nobody)
    with opened(source) as connection:
        fill_upstream(connection, database.read(read_contents), nobody)
    assert list(differences(CONTENTS, reading_of(source).contents)) == []


def test_a_second_import_changes_nothing_and_counts_nothing_twice(database: Database) -> None:
    fill_ledger(database, CONTENTS, nobody)
    before = database.read(read_used)
    assert fill_ledger(database, CONTENTS, nobody) is Outcome.THERE_ALREADY
    assert database.read(read_used) == before


def test_a_ledger_that_holds_something_else_is_refused(database: Database) -> None:
    fill_ledger(database, CONTENTS, nobody)
    with pytest.raises(TransferRefused, match="is not empty, and holds something else"):
        fill_ledger(database, random_contents(seed=2, hosts=2, consumers=2), nobody)
    assert list(differences(CONTENTS, database.read(read_contents))) == []


def test_what_is_held_without_an_inventory_is_refused_whole(database: Database) -> None:
    [provider, *_] = CONTENTS.providers.values()
    broken = HeldConsumer(provider.uuid, 1, "p", "u", None, {provider.uuid: {"VGPU": 1}})
    with pytest.raises(TransferRefused, match="VGPU of the provider"):
        fill_ledger(database, replace(CONTENTS, consumers={**CONTENTS.consumers, broken.uuid: broken}), nobody)
    assert database.read(read_contents).is_empty


def test_a_mistake_in_the_middle_is_not_told_as_the_sources(database: Database) -> None:
    def mistaken(what: str, _count: int) -> None:
        if what == "allocations":
            raise KeyError("a mistake")

    with pytest.raises(KeyError, match="a mistake"):
        fill_ledger(database, CONTENTS, mistaken)
    assert database.read(read_contents).is_empty


def test_an_import_that_is_cut_off_leaves_nothing(database: Database) -> None:
    def killed(what: str, _count: int) -> None:
        if what == "allocations":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill_ledger(database, CONTENTS, killed)
    assert database.read(read_contents).is_empty
    assert fill_ledger(database, CONTENTS, nobody) is Outcome.WRITTEN


def test_an_export_that_is_cut_off_leaves_nothing(source: str) -> None:
    def killed(what: str, _count: int) -> None:
        if what == "allocations":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), opened(source) as connection:
        fill_upstream(connection, CONTENTS, killed)
    assert reading_of(source).contents.is_empty


def test_an_export_into_a_placement_in_use_is_refused(source: str) -> None:
    fill(source, CONTENTS)
    with pytest.raises(TransferRefused, match="not empty"), opened(source) as connection:
        fill_upstream(connection, CONTENTS, nobody)


def test_what_fits_nowhere_is_named(source: str) -> None:
    fill(source, CONTENTS)
    [consumer, *_] = CONTENTS.consumers
    with opened(source) as connection:
        held = upstream.allocations
        provider = connection.execute(
            select(held.c.resource_provider_id).where(held.c.consumer_id == consumer)
        ).scalar()
        row = {"resource_provider_id": provider, "resource_class_id": 0, "used": 3}
        connection.execute(insert(held).values(row | {"consumer_id": "00000000-0000-0000-0000-00000000dead"}))
        connection.execute(insert(held).values(row | {"consumer_id": consumer, "resource_provider_id": 999_999}))
        connection.execute(insert(held).values(row | {"consumer_id": consumer, "resource_class_id": 8}))
        connection.execute(
            insert(upstream.consumers).values(
                uuid="empty", project_id=1, user_id=1, generation=0, consumer_type_id=None
            )
        )
    reading = reading_of(source)
    assert reading.empty_consumers == 1
    assert any("an unknown provider" in sentence for sentence in reading.broken)
    assert any("which has no such inventory" in sentence for sentence in reading.broken)
    assert any("00000000-0000-0000-0000-00000000dead" in sentence for sentence in reading.broken)
    assert list(differences(CONTENTS, reading.contents)) == []


def test_generations_of_none_are_zero(source: str) -> None:
    fill(source, CONTENTS)
    with opened(source) as connection:
        connection.execute(update(upstream.resource_providers).values(generation=None))
    assert {provider.generation for provider in reading_of(source).contents.providers.values()} == {0}


def test_contents_of_another_kind_of_database_are_refused(empty_database: str) -> None:
    with pytest.raises(TransferRefused, match="a database of Moorage"), opened(empty_database):
        pass


def test_a_schema_of_the_future_is_refused(source: str) -> None:
    with opened(source) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'abc'"))
    with pytest.raises(TransferRefused, match="has the version abc"), opened(source):
        pass

"""Flavors in the database: what those who write at the same time find."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from moorage.compute.model.flavor import Flavor
from moorage.compute.store import flavors
from moorage.compute.store.errors import AlreadyThere, NotFound
from moorage.db.database import Database, Transaction

pytestmark = pytest.mark.every_database

SMALL = Flavor(
    flavor_id="1",
    name="small",
    ram_mb=1024,
    vcpus=1,
    extra_specs={"b": "2", "a": "1"},
    projects=frozenset({"p", "q"}),
    is_public=False,
    description="ü",
)


def test_a_flavor_is_kept_whole(database: Database) -> None:
    assert database.write(lambda tx: flavors.create(tx, SMALL)) == SMALL
    assert database.read(lambda connection: flavors.find(connection, "1")) == SMALL
    assert database.read(flavors.all_flavors) == [SMALL]


def test_one_of_many_gets_the_name(database: Database) -> None:
    def create(number: int) -> bool:
        new = Flavor(flavor_id=str(number), name="same", ram_mb=1, vcpus=1)
        try:
            database.write(lambda tx: flavors.create(tx, new))
        except AlreadyThere:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(create, range(6))) == [False] * 5 + [True]
    assert len(database.read(flavors.all_flavors)) == 1


def test_extra_specs_written_at_once_are_all_kept(database: Database) -> None:
    database.write(lambda tx: flavors.create(tx, Flavor(flavor_id="1", name="small", ram_mb=1, vcpus=1)))

    def add(number: int) -> None:
        database.write(lambda tx: flavors.set_extra_specs(tx, "1", {"same": str(number), f"key{number}": "x"}))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(add, range(6)))
    found = database.read(lambda connection: flavors.find(connection, "1")).extra_specs
    assert found.keys() == {"same", *(f"key{number}" for number in range(6))}


def test_names_that_differ_little_differ(database: Database) -> None:
    def work(tx: Transaction) -> None:
        for number, name in enumerate(("small", "Small", "small ", "smäll")):
            flavors.create(tx, Flavor(flavor_id=str(number), name=name, ram_mb=1, vcpus=1))

    database.write(work)
    assert len(database.read(flavors.all_flavors)) == 4


def test_many_are_read_at_once(database: Database) -> None:
    def work(tx: Transaction) -> None:
        for number in range(501):
            new = Flavor(flavor_id=f"f{number}", name=f"n{number}", ram_mb=1, vcpus=1, extra_specs={"a": "b"})
            flavors.create(tx, new)

    database.write(work)
    assert all(flavor.extra_specs == {"a": "b"} for flavor in database.read(flavors.all_flavors))


def test_what_is_not_there(database: Database) -> None:
    with pytest.raises(NotFound):
        database.write(lambda tx: flavors.describe(tx, "1", "text"))
    with pytest.raises(NotFound):
        database.write(lambda tx: flavors.remove(tx, "1"))

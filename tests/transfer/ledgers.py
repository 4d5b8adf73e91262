"""Ledgers to carry over: random contents of any size, with all that a real cloud has, and databases for upstream."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from uuid import UUID

import os_resource_classes
import os_traits
from placement.db.sqlalchemy import models
from sqlalchemy import create_engine, insert, text

from moorage.db.database import utc_now
from moorage.placement.model.contents import Contents, HeldConsumer, HeldProvider
from moorage.placement.model.inventory import Inventory
from moorage.transfer.upstream_database import KNOWN_REVISIONS, opened, with_our_driver
from moorage.transfer.upstream_tables import resource_classes, traits
from moorage.transfer.upstream_writing import write_upstream
from tests.databases import fresh_database

CUSTOM_CLASS, CUSTOM_TRAIT = "CUSTOM_FPGA", "CUSTOM_GOLD"
TRAITS = ("HW_CPU_X86_AVX2", "HW_CPU_X86_VMX", "STORAGE_DISK_SSD", CUSTOM_TRAIT)


def random_contents(seed: int, hosts: int, consumers: int) -> Contents:
    """Hosts with two NUMA nodes each, in aggregates; some fuller than full, some reparented, types known or not."""
    rng = Random(seed)
    aggregates = [_uuid(rng) for _ in range(5)]
    providers = [provider for number in range(hosts) for provider in _tree(rng, number, aggregates)]
    held = [_consumer(rng, providers) for _ in range(consumers)]
    return Contents(
        frozenset({*os_resource_classes.STANDARDS, CUSTOM_CLASS}),
        frozenset({*os_traits.get_traits(), CUSTOM_TRAIT}),
        {provider.uuid: provider for provider in providers},
        {consumer.uuid: consumer for consumer in held},
    )


def _uuid(rng: Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))


def _tree(rng: Random, number: int, aggregates: list[str]) -> Iterator[HeldProvider]:
    root = _uuid(rng)
    some = frozenset(each for each in TRAITS if rng.random() < 0.5)
    member = frozenset(each for each in aggregates if rng.random() < 0.3)
    disk = {"DISK_GB": Inventory(2000, 10), CUSTOM_CLASS: Inventory(4, max_unit=1)}
    yield HeldProvider(root, f"größter-host-{number}", rng.randrange(1, 99), None, disk, some, member)
    for node in range(2):
        memory = Inventory(65536, 512, step_size=2, allocation_ratio=rng.choice((1.0, 1.1)))
        processors = Inventory(32, max_unit=16, allocation_ratio=rng.choice((16.0, 0.1, 4.25)))
        offered = {"VCPU": processors, "MEMORY_MB": memory}
        yield HeldProvider(
            _uuid(rng), f"host-{number}-numa{node}", rng.randrange(1, 99), root, offered, some, frozenset()
        )


def _consumer(rng: Random, providers: list[HeldProvider]) -> HeldConsumer:
    place = rng.randrange(len(providers))
    amounts = {name: rng.randrange(1, 9) for name in providers[place].inventories}
    held = {providers[place].uuid: amounts}
    if rng.random() < 0.3:
        other = providers[rng.randrange(len(providers))]
        held[other.uuid] = dict.fromkeys(other.inventories, 1)
    kind = rng.choice(("INSTANCE", "MIGRATION", None))
    return HeldConsumer(_uuid(rng), rng.randrange(1, 9), f"project-{place % 7}", f"user-{place % 3}", kind, held)


def make_upstream_schema(url: str) -> None:
    """The tables as `placement-manage db sync` leaves them, and the standard names that the first start writes."""
    engine = create_engine(with_our_driver(url))
    with engine.begin() as connection:
        models.BASE.metadata.create_all(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text(f"INSERT INTO alembic_version VALUES ('{KNOWN_REVISIONS[-1]}')"))
        if connection.dialect.name in ("mysql", "mariadb"):
            connection.execute(text("SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'"))  # the number of VCPU is 0
        standard = enumerate(os_resource_classes.STANDARDS)
        rows = [{"id": number, "name": name, "created_at": utc_now()} for number, name in standard]
        connection.execute(insert(resource_classes), rows)
        connection.execute(insert(traits), [{"name": name, "created_at": utc_now()} for name in os_traits.get_traits()])
    engine.dispose()


@contextmanager
def upstream_database(back_end: str, directory: Path, worker: str) -> Iterator[str]:
    """A new, empty database of upstream's Placement."""
    directory.mkdir(exist_ok=True)
    with fresh_database(back_end, directory, f"upstream_{worker}") as url:
        make_upstream_schema(url)
        yield url


def fill(url: str, contents: Contents) -> None:
    with opened(url) as connection:
        write_upstream(connection, contents, utc_now(), lambda _what, _count: None)

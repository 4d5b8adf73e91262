"""A database that is set up, counted on, backed up and put back as the documents say: on each kind of it."""

from __future__ import annotations

import gc
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import URL, make_url, select, text

from moorage.db.database import Database, utc_now
from moorage.db.upgrade import upgrade
from moorage.placement.store.tables import traits
from tests.databases import administration, execute
from tests.docs.documents import REPOSITORY, Step, blocks, matches, steps
from tests.docs.session import STATE, Reader, newcomer
from tests.patience import eventually

INSTALLING = REPOSITORY / "docs" / "install.md"

# How the document calls a kind of database.
TITLES = {"sqlite": "SQLite", "postgresql": "PostgreSQL", "mysql": "MariaDB", "mariadb": "MariaDB"}

# By which word the blocks are found that back a kind of database up, and that put it back.
BACK_UP_AND_RESTORE = {
    "SQLite": ("sqlite3.connect", "-wal"),
    "PostgreSQL": ("pg_dump", "pg_restore"),
    "MariaDB": ("mariadb-dump", "< ~/moorage.sql"),
}


@dataclass(frozen=True, slots=True)
class Site:
    """An operator with an empty ledger, in a database that was made as documented."""

    operator: Reader
    url: str
    # What the database is called where the document says "moorage", if it is on a server.
    name: str = "moorage"

    def type(self, typed: list[Step]) -> None:
        """Do as a block says; each command shows what is written."""
        for step, shown in zip(typed, self.operator.type(typed), strict=True):
            assert matches(step.expected, shown), f"$ {step.command}\n{shown}"

    def type_for_this_database(self, typed: list[Step]) -> None:
        self.type([replace(step, command=step.command.replace("moorage", self.name)) for step in typed])


@pytest.fixture
def site(database_url: str, tmp_path: Path) -> Iterator[Site]:
    server, operator = make_url(database_url), newcomer(tmp_path)
    title, name = title_of(server), f"docs_{uuid4().hex[:12]}"
    if title == "SQLite":
        file = tmp_path / STATE / "moorage.sqlite"
        file.parent.mkdir(parents=True)
        made = Site(operator, f"sqlite:///{file}")
        upgrade(made.url)
        yield made
        return
    with administration(server.set(database="postgres" if title == "PostgreSQL" else None)) as engine:
        try:
            for statement in statements(title):
                execute(engine, statement.replace("moorage", name))
            documented = connection(title).set(username=name, host=server.host, port=server.port, database=name)
            made = Site(operator, documented.render_as_string(hide_password=False), name)
            upgrade(made.url)
            operator.environment.update(administration_environment(server, tmp_path), OS_DATABASE__CONNECTION=made.url)
            yield made
        finally:
            execute(engine, f"DROP DATABASE IF EXISTS {name}")
            execute(engine, f"DROP USER IF EXISTS {name}")


def title_of(url: URL) -> str:
    return TITLES[url.get_backend_name()]


def statements(title: str) -> Iterator[str]:
    """The SQL that the document gives for a server."""
    (block,) = (b for b in blocks(INSTALLING, "sql") if b.lines[0] == f"-- {title}")
    for line in block.lines[1:]:
        yield line.removesuffix(";")


def connection(title: str) -> URL:
    """The URL that the document gives for a server."""
    scheme = {"PostgreSQL": "postgresql+", "MariaDB": "mysql+"}[title]
    urls = re.findall(r"connection = (\S+)", "\n".join("\n".join(b.lines) for b in blocks(INSTALLING, "ini")))
    (url,) = (url for url in urls if url.startswith(scheme))
    return make_url(url)


def administration_environment(server: URL, home: Path) -> dict[str, str]:
    """What has the programs of a server ask this one, as its administrator."""
    client = {"host": server.host, "port": server.port, "user": server.username, "password": server.password or ""}
    settings = "\n".join(f"{name}={value}" for name, value in client.items())
    (home / ".my.cnf").write_text(f"[client]\nprotocol=tcp\n{settings}\n")
    return {f"PG{name.upper()}": str(value) for name, value in client.items()}


@pytest.mark.every_database
def test_what_was_backed_up_can_be_put_back(site: Site) -> None:
    back_up, restore = map(commands, BACK_UP_AND_RESTORE[title_of(make_url(site.url))])
    for program in {step.command.split()[0] for step in back_up + restore}:
        if shutil.which(program, path=site.operator.environment["PATH"]) is None:
            pytest.skip(f"{program} is not installed")
    make = make_trait_and_be_killed if site.url.startswith("sqlite") else make_trait_and_leave
    make(site.url, "CUSTOM_BEFORE")
    site.type_for_this_database(back_up)
    make(site.url, "CUSTOM_AFTER")
    site.type_for_this_database(restore)
    assert custom_traits(site.url) == ["CUSTOM_BEFORE"]


def commands(word: str) -> list[Step]:
    """The commands of the block that a word is in."""
    both = [*blocks(INSTALLING, "console"), *blocks(INSTALLING, "shell-session")]
    (block,) = (block for block in both if word in "\n".join(block.lines))
    return steps(block)


def make_trait(url: str, name: str) -> Database:
    row = {"name": name, "created_at": utc_now(), "updated_at": utc_now()}
    database = Database(url)
    database.tidy(lambda connection: connection.execute(traits.insert().values(row)))
    return database


def make_trait_and_leave(url: str, name: str) -> None:
    make_trait(url, name).dispose()


def make_trait_and_be_killed(url: str, name: str) -> None:
    """So what SQLite has not merged into its file stays beside it."""
    script = (
        "import os, sys; from tests.docs.test_databases import make_trait;"
        "database = make_trait(*sys.argv[1:]); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, url, name], cwd=REPOSITORY, check=True)


def custom_traits(url: str) -> list[str]:
    with administration(make_url(url)) as engine, engine.connect() as connected:
        return list(connected.execute(select(traits.c.name).where(traits.c.name.startswith("CUSTOM_"))).scalars())


# --- how many connections there are

COUNT = {
    "PostgreSQL": "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()",
    "MariaDB": "SELECT count(*) FROM information_schema.processlist WHERE db = database()",
}


@pytest.mark.every_database
def test_a_worker_has_as_many_connections_as_documented(database_url: str) -> None:
    title = title_of(make_url(database_url))
    if title == "SQLite":
        return  # a file counts no connections
    size = 2
    (each, one), (most, _) = re.findall(r"(\d+) × max_pool_size(?: \+ (\d+))?", INSTALLING.read_text(encoding="utf-8"))
    with administration(make_url(database_url)) as engine, engine.connect() as observer, ExitStack() as in_use:
        gc.collect()  # with what earlier tests have left open
        others = observer.execute(text(COUNT[title])).scalar_one()
        database = Database(database_url, pool_size=size)
        in_use.callback(database.dispose)
        feed_connection = database.feed_connection()
        assert feed_connection.ask(select(traits.c.name).limit(1), {}) is not None
        with ExitStack() as rush:
            for pool in (database._readers, database._writers, database._lookers):
                while pool.pool.checkedout() < 2 * size:  # type: ignore[attr-defined]
                    rush.enter_context(pool.connect())
            assert observer.execute(text(COUNT[title])).scalar_one() - others == int(most) * size
        settled = int(each) * size + int(one)
        # A server notices a little later that a client has gone.
        eventually(lambda: observer.execute(text(COUNT[title])).scalar_one() - others == settled)

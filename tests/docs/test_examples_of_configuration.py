"""What the documents tell an operator to write into files, or to run on a database server, is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import yaml
from oslo_policy import policy
from sqlalchemy import URL, make_url

from moorage.db.database import Database
from moorage.db.upgrade import upgrade
from moorage.placement.api import policies
from moorage.placement.api.routes import ROUTES
from moorage.placement.store.names import synchronise_standard_names
from moorage.service.settings import load_settings, unknown_options
from tests.databases import administration, execute
from tests.docs.documents import DOCUMENTS, REPOSITORY, Block, blocks, name_of

CONFIGURATIONS = [
    pytest.param(block, id=f"{name_of(document)}:{block.line}")
    for document in DOCUMENTS
    for block in blocks(document, "ini")
]


@pytest.mark.usefixtures("installation")
@pytest.mark.parametrize("block", CONFIGURATIONS)
def test_settings_are_known_and_can_be_used(block: Block, tmp_path: Path) -> None:
    file = tmp_path / "documented.conf"
    file.write_text("\n".join(block.lines))
    assert unknown_options(load_settings(config_files=[str(file)])) == []


def test_policies_name_rules_that_there_are() -> None:
    known = {rule.name for rule in policies.rules(ROUTES)}
    for block in blocks(REPOSITORY / "docs" / "policy.md", "yaml"):
        rules = policy.Rules.load("\n".join(block.lines))
        assert set(rules) <= known
        named = re.findall(r"rule:(\w+)", " ".join(yaml.safe_load("\n".join(block.lines)).values()))
        assert set(named) <= known


# --- setting up a database server

TITLES = {"postgresql": "PostgreSQL", "mariadb": "MariaDB"}


@pytest.fixture
def server(database_url: str) -> URL:
    """The server that a test's database is on, as its administrator."""
    return make_url(database_url).set(database=None)


@pytest.mark.every_database
def test_a_database_set_up_as_documented_can_be_used(server: URL) -> None:
    back_end = "mariadb" if server.get_backend_name() == "mysql" else server.get_backend_name()
    if back_end not in TITLES:
        return  # a file needs no setting up
    name = f"docs_{uuid4().hex[:12]}"
    administrator = server if back_end == "mariadb" else server.set(database="postgres")
    with administration(administrator) as engine:
        try:
            for statement in statements(TITLES[back_end]):
                execute(engine, statement.replace("moorage", name))
            documented = connection(TITLES[back_end]).set(
                username=name, host=server.host, port=server.port, database=name
            )
            use(documented.render_as_string(hide_password=False))
        finally:
            execute(engine, f"DROP DATABASE IF EXISTS {name}")
            execute(engine, f"DROP USER IF EXISTS {name}")


def statements(title: str) -> Iterator[str]:
    """The SQL that the document gives for a server."""
    (block,) = (b for b in blocks(REPOSITORY / "docs" / "install.md", "sql") if b.lines[0] == f"-- {title}")
    for line in block.lines[1:]:
        yield line.removesuffix(";")


def connection(title: str) -> URL:
    """The URL that the document gives for a server."""
    scheme = {"PostgreSQL": "postgresql+", "MariaDB": "mysql+"}[title]
    urls = re.findall(
        r"connection = (\S+)", "\n".join("\n".join(b.lines) for b in blocks(REPOSITORY / "docs" / "install.md", "ini"))
    )
    (url,) = (url for url in urls if url.startswith(scheme))
    return make_url(url)


def use(url: str) -> None:
    upgrade(url)
    database = Database(url)
    try:
        synchronise_standard_names(database)
    finally:
        database.dispose()

"""Which test runs on which databases.

Most tests are about something else than the database under them: a form of the API, a rule, a refusal. Such a test runs
on one of the databases, which its name picks once and for all, so that the tests of one file meet all of them. Where
the database is the subject (what a store asks and writes, transactions, locks, races, kills, upgrades, and upstream's
own API tests) a test has the mark `every_database` and runs on each. `--databases` runs everything on those it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import pytest

from tests.databases import BACK_ENDS, missing_server

EVERY_DATABASE = "every_database"
ALL = "all"


def add_option(parser: pytest.Parser) -> None:
    parser.addoption(
        "--databases",
        type=named,
        metavar="NAME[,NAME]",
        help=f"run each test that needs a database on all of these: {', '.join(BACK_ENDS)}, or {ALL}; otherwise those "
        f"that have the mark {EVERY_DATABASE} run on each, and the others on one that their name picks",
    )


def named(names: str) -> Sequence[str]:
    """Read the value of --databases: some of the back ends, separated by commas."""
    if names == ALL:
        return BACK_ENDS
    chosen = names.split(",")
    if unknown := [name for name in chosen if name not in BACK_ENDS]:
        raise pytest.UsageError(f"--databases: {', '.join(unknown)} is not one of {', '.join((*BACK_ENDS, ALL))}")
    return chosen


def databases_of(metafunc: pytest.Metafunc) -> Sequence[str]:
    """The back ends that a test runs on; without the servers for them, no test is collected."""
    wanted: Sequence[str] | None = metafunc.config.getoption("databases")
    for back_end in wanted or BACK_ENDS:
        if complaint := missing_server(back_end):
            pytest.fail(complaint, pytrace=False)
    if wanted:
        return wanted
    if metafunc.definition.get_closest_marker(EVERY_DATABASE):
        return BACK_ENDS
    return [picked(metafunc.definition.nodeid)]


def picked(name: str) -> str:
    """The database of a test that runs on one: the same on every machine and on every day."""
    return BACK_ENDS[crc32(name.encode()) % len(BACK_ENDS)]

"""The checks behind `moorage status`: is this installation able to serve, and is it up to date?

Each check is a line with an outcome and, unless all is well, what to do. Nothing here changes anything.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum

import os_resource_classes
import os_traits
from oslo_config import cfg

from moorage.db.database import Database
from moorage.db.upgrade import newest_version
from moorage.placement.model.agent import State
from moorage.placement.store import agents
from moorage.placement.store.names import list_resource_classes, list_traits
from moorage.service.credentials import clouds_file, read_token, require_private
from moorage.service.errors import OperatorError
from moorage.service.ledger_database import database_version, masked, plain_errors
from moorage.service.settings import database_url, load_settings, token_file, unknown_options


class Outcome(IntEnum):
    """How a check ended; the worst one is the exit code of the command."""

    OK = 0
    WARNING = 1
    FAILURE = 2


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report."""

    name: str
    outcome: Outcome
    detail: str


def run_checks(config_files: Sequence[str] | None = None) -> list[Check]:
    """Run all checks; those that need what an earlier one found broken are left out."""
    try:
        settings = load_settings(config_files=config_files)
    except OperatorError as error:
        return [Check("configuration", Outcome.FAILURE, str(error))]
    checks = [check_configuration(settings), _guarded("database", check_database, settings)]
    if checks[-1].outcome is Outcome.OK:
        checks.append(_guarded("standard names", check_standard_names, settings))
        checks.append(_guarded("agents", check_agents, settings))
    if settings.api.auth_strategy == "token":
        checks.append(_guarded("credential", check_credential, settings))
    return checks


def worst(checks: Sequence[Check]) -> Outcome:
    """The outcome that counts."""
    return max(check.outcome for check in checks)


def check_configuration(settings: cfg.ConfigOpts) -> Check:
    """Are all values readable, and all names known?"""
    if misspelt := unknown_options(settings):
        detail = f"Nobody reads these options, are they misspelt? {', '.join(misspelt)}"
        return Check("configuration", Outcome.WARNING, detail)
    return Check("configuration", Outcome.OK, ", ".join(settings.config_file) or "defaults and environment")


def check_database(settings: cfg.ConfigOpts) -> Check:
    """Is the database there, with the tables that this release works with?"""
    url = database_url(settings)
    version, newest = database_version(url), newest_version()
    if version is None:
        detail = f"{masked(url)} has no tables yet: run `moorage db upgrade`, or `moorage serve`, which does it too."
        return Check("database", Outcome.WARNING, detail)
    if version != newest:
        detail = f"{masked(url)} has version {version}, but {newest} is wanted: run `moorage db upgrade`."
        return Check("database", Outcome.FAILURE, detail)
    return Check("database", Outcome.OK, f"{masked(url)}, version {version}")


def check_standard_names(settings: cfg.ConfigOpts) -> Check:
    """Does the ledger know the standard traits and resource classes of the installed libraries?"""
    with _database(settings) as database:
        known = {name.name for list_names in (list_resource_classes, list_traits) for name in database.read(list_names)}
    standard = {*os_resource_classes.STANDARDS, *os_traits.get_traits()}
    if missing := sorted(standard - known):
        detail = f"{len(missing)} of {len(standard)} are missing, first {missing[0]}: start the service, it adds them."
        return Check("standard names", Outcome.WARNING, detail)
    return Check("standard names", Outcome.OK, f"all {len(standard)} traits and resource classes are known")


def check_agents(settings: cfg.ConfigOpts) -> Check:
    """Do all agents that keep hosts true still tell that they are alive and well?"""
    now = int(time.time())
    with _database(settings) as database:
        counts, urgent = database.read(
            lambda connection: agents.overview(connection, now, (State.LATE, State.FAILING), limit=1)
        )
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    if urgent:
        detail = f"{told}; first {urgent[0].sign.name}: `moorage agent list` shows them."
        return Check("agents", Outcome.WARNING, detail)
    return Check("agents", Outcome.OK, told or "none has left a sign of life")


def check_credential(settings: cfg.ConfigOpts) -> Check:
    """Is the admin token there, and for its owner's eyes only?"""
    file = token_file(settings)
    if not file.exists():
        return Check(
            "credential", Outcome.WARNING, f"There is no admin token in {file} yet: `moorage serve` makes one."
        )
    read_token(file)
    if clouds_file(file).exists():
        require_private(clouds_file(file))
    return Check("credential", Outcome.OK, f"only its owner can read {file}")


@contextmanager
def _database(settings: cfg.ConfigOpts) -> Iterator[Database]:
    url = database_url(settings)
    with plain_errors(url):
        database = Database(url)
        try:
            yield database
        finally:
            database.dispose()


def _guarded(name: str, check: Callable[[cfg.ConfigOpts], Check], settings: cfg.ConfigOpts) -> Check:
    try:
        return check(settings)
    except OperatorError as error:
        return Check(name, Outcome.FAILURE, str(error))

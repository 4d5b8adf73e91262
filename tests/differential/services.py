"""The two services that are compared: upstream's, as installed from PyPI, and ours, both called in this process.

Only requests and answers are looked at, so nothing here depends on how either of them works. Upstream keeps its
database engine in a module, so there can be one upstream per process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol
from wsgiref.types import WSGIApplication

import httpx
from oslo_config import cfg
from placement import conf as upstream_options
from placement import db_api as upstream_database
from placement import deploy as upstream_deploy
from placement.db.sqlalchemy import migration as upstream_migration
from placement.db.sqlalchemy import models as upstream_models

from moorage.db.database import Database
from moorage.db.upgrade import upgrade
from moorage.service.application import placement_application
from moorage.service.settings import load_settings
from tests.conformance.fixtures import Configuration, settings_of
from tests.databases import wipe

NEWEST = 39


@dataclass(frozen=True)
class Generation:
    """How an operator may have candidates generated: the three options, by upstream's names, on both sides."""

    max_allocation_candidates: int = -1
    allocation_candidates_generation_strategy: str = "depth-first"
    randomize_allocation_candidates: bool = False

    @property
    def most(self) -> int | None:
        """The largest number of candidates."""
        return None if self.max_allocation_candidates < 0 else self.max_allocation_candidates


USUAL = Generation()


@dataclass(frozen=True)
class Call:
    """A request, printed as one can send it again."""

    method: str
    path: str
    minor: int = NEWEST
    body: Any = None

    def __str__(self) -> str:
        body = "" if self.body is None else " " + json.dumps(self.body, sort_keys=True)
        return f"{self.method} {self.path} (1.{self.minor}){body}"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def code(self) -> str | None:
        """The error's code, which answers have since 1.23."""
        if not isinstance(self.body, dict) or not self.body.get("errors"):
            return None
        code: str | None = self.body["errors"][0].get("code")
        return code

    def __str__(self) -> str:
        return f"{self.status} {json.dumps(self.body, sort_keys=True)}"


class Service(Protocol):
    """What both sides can do."""

    def reset(self, generation: Generation = USUAL) -> None:
        """Forget everything but the standard traits and resource classes, and go on with these options."""

    def send(self, call: Call) -> Answer:
        """Ask, as an administrator."""


@dataclass(frozen=True)
class Pair:
    upstream: Service
    ours: Service

    def reset(self, generation: Generation = USUAL) -> None:
        self.upstream.reset(generation)
        self.ours.reset(generation)

    def send(self, call: Call) -> tuple[Answer, Answer]:
        return self.upstream.send(call), self.ours.send(call)


class _Client:
    def __init__(self, application: WSGIApplication) -> None:
        # An exception that escapes is a difference like any other, and must not end the run.
        transport = httpx.WSGITransport(application, raise_app_exceptions=False)
        self._http = httpx.Client(
            transport=transport, base_url="http://placement", headers={"x-auth-token": "admin", "accept": "*/*"}
        )

    def send(self, call: Call) -> Answer:
        version = {"openstack-api-version": f"placement 1.{call.minor}"}
        response = self._http.request(call.method, call.path, json=call.body, headers=version)
        is_json = response.headers.get("content-type", "").startswith("application/json")
        return Answer(response.status_code, response.headers, response.json() if is_json else response.text)


class _Upstream:
    def __init__(self) -> None:
        self._options = options = cfg.ConfigOpts()
        upstream_options.register_opts(options)
        options.set_override("connection", "sqlite://", "placement_database")
        options.set_override("auth_strategy", "noauth2", "api")
        options.set_override("enforce_new_defaults", False, "oslo_policy")
        options([], default_config_files=[], default_config_dirs=[])
        upstream_database.configure(options)
        upstream_migration.create_schema()
        self._client = _Client(upstream_deploy.loadapp(options))

    def reset(self, generation: Generation = USUAL) -> None:
        for name, value in asdict(generation).items():
            self._options.set_override(name, value, "placement")
        names = {upstream_models.Trait.__table__, upstream_models.ResourceClass.__table__}
        with upstream_database.get_placement_engine().begin() as connection:
            for table in reversed(upstream_models.BASE.metadata.sorted_tables):
                standard_stay = ~table.c.name.like("CUSTOM_%") if table in names else None
                connection.execute(table.delete() if standard_stay is None else table.delete().where(~standard_stay))

    def send(self, call: Call) -> Answer:
        return self._client.send(call)


class _Ours:
    def __init__(self, database_url: str, directory: Path) -> None:
        self._url = database_url
        self._directory = directory
        self._database = Database(database_url)

    def reset(self, generation: Generation = USUAL) -> None:
        """A new application each time: it may remember what it has read, and does not see who empties its tables."""
        self._database.dispose()
        wipe(self._url)
        chosen = settings_of(Configuration.OLD_POLICY_DEFAULTS, self._url, self._directory)
        chosen |= {f"placement.{name}": value for name, value in asdict(generation).items()}
        settings = load_settings(chosen, [])
        self._client = _Client(placement_application(settings, self._database))

    def send(self, call: Call) -> Answer:
        return self._client.send(call)

    def close(self) -> None:
        self._database.dispose()


_upstream: list[_Upstream] = []


@contextmanager
def both_services(directory: Path, database_url: str | None = None) -> Iterator[Pair]:
    """Upstream on a database in memory; ours on the given database, which is emptied, or on a file of its own."""
    if database_url is None:
        database_url = f"sqlite:///{directory / 'moorage.sqlite'}"
    upgrade(database_url)
    if not _upstream:
        _upstream.append(_Upstream())
    ours = _Ours(database_url, directory)
    try:
        yield Pair(_upstream[0], ours)
    finally:
        ours.close()

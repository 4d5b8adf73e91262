"""Runs a load on one database server: cloud by cloud, row by row, both sides next to each other."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench import processes
from bench.comparison import difference, require_same_cloud
from bench.databases import fresh_database
from bench.insert import insert_cloud
from bench.load import Bounds, BulkLoad, Cloud, Get, Load, Memory, Row, Shape, Start, Step
from bench.providers import Provider, providers
from bench.results import Figure, Result, Unit, memory_figure, rate_figure, time_figure
from bench.sampling import at_once, in_turn
from bench.service import Program, Service, ServiceError
from bench.steps import runnable


class Watcher(Protocol):
    """Somebody who wants to know how far a run is."""

    def doing(self, what: str) -> None:
        """Something begins."""

    def done(self, result: Result) -> None:
        """A row is measured."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A cloud that is served by all its sides and ready to be measured."""

    name: str
    services: Mapping[str, Service]
    cloud: Sequence[Provider]
    shapes: Mapping[str, Shape]
    bounds: Bounds

    @property
    def roots(self) -> list[Provider]:
        """The providers without a parent."""
        return [provider for provider in self.cloud if provider.parent is None]


def run(load: Load, database: str, programs: Sequence[Program], watcher: Watcher) -> Iterator[Result]:
    """Measure every row of the load; `database` is a kind of database, see `databases.KINDS`."""
    for cloud in load.clouds:
        with _scene(load, cloud, database, programs, watcher) as scene:
            for row in cloud.rows:
                watcher.doing(f"{cloud.name}: {row.work.title}")
                result = _measure(scene, row)
                watcher.done(result)
                yield result


@contextlib.contextmanager
def _scene(load: Load, cloud: Cloud, database: str, programs: Sequence[Program], watcher: Watcher) -> Iterator[Scene]:
    """Start all sides with the same cloud, and stop them at the end."""
    content = providers(cloud.trees, load.shapes)
    with contextlib.ExitStack() as ending:
        directory = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="moorage-bench-")))
        services = {}
        for program in programs:
            if program.name not in cloud.sides:
                continue
            watcher.doing(f"{cloud.name}: loading {len(content):,} providers into {program.name}")
            url = ending.enter_context(fresh_database(database, f"bench_{program.name.lower()}", directory))
            service = Service(program, url, directory / program.name.lower(), load.bounds.timeout)
            ending.callback(service.stop)
            _load(service, content)
            services[program.name] = service
        require_same_cloud(list(services.values()), content)
        yield Scene(cloud.name, services, content, load.shapes, load.bounds)


def _load(service: Service, cloud: Sequence[Provider]) -> None:
    """Let the server make its tables and the names, then write the providers behind its back and start it anew."""
    service.prepare()
    service.start()
    if not cloud:
        return
    traits = {name for provider in cloud for name in provider.traits}
    classes = {name for provider in cloud for name in provider.inventories}
    with service.connect() as connection:
        for path in [f"/traits/{name}" for name in traits] + [f"/resource_classes/{name}" for name in classes]:
            if re.search(r"/CUSTOM_\w+$", path) and not connection.send("PUT", path).succeeded:
                raise ServiceError(f"{service.name} refused PUT {path}")
    service.stop()
    insert_cloud(service.name, service.database, cloud)
    service.start()


def _measure(scene: Scene, row: Row) -> Result:
    services = [scene.services[side] for side in row.sides]
    match row.work.action:
        case Memory():
            figures = {service.name: memory_figure(processes.largest_worker(service.pid)) for service in services}
        case Start(path):
            figures = {service.name: _start(service, path) for service in services}
        case BulkLoad(trees):
            new = providers(trees, scene.shapes, prefix="bulk-")
            figures = {service.name: _bulk_load(service, new) for service in services}
        case step:
            return _sample(scene, row, step, services)
    return Result(scene.name, row, figures)


def _sample(scene: Scene, row: Row, step: Step, services: Sequence[Service]) -> Result:
    with contextlib.ExitStack() as ending:
        clients = {
            service.name: [
                (runnable(step, scene.roots, seed), ending.enter_context(service.connect()))
                for seed in range(row.work.clients or 1)
            ]
            for service in services
        }
        before = {service.name: processes.cpu_seconds(service.pid) for service in services}
        if row.work.clients:
            samples = at_once(clients, scene.bounds)
        else:
            samples = in_turn({side: client for side, (client,) in clients.items()}, scene.bounds)
        spent = {service.name: processes.cpu_seconds(service.pid) - before[service.name] for service in services}
    for service in services:
        if samples[service.name].timed_out:
            service.restart()
    figure = rate_figure if row.work.clients else time_figure
    figures = {side: figure(of_side, spent[side]) for side, of_side in samples.items()}
    answers = {side: of_side.last for side, of_side in samples.items()}
    return Result(scene.name, row, figures, difference(answers) if isinstance(step, Get) else "")


def _start(service: Service, path: str) -> Figure:
    service.stop()
    return Figure(service.start(path), Unit.SECONDS)


def _bulk_load(service: Service, new: Sequence[Provider]) -> Figure:
    by_number = {provider.number: provider for provider in new}
    content = [
        {
            "name": provider.name,
            "uuid": provider.uuid,
            "parent_provider_uuid": by_number[provider.parent].uuid if provider.parent else None,
            "inventories": provider.inventories,
            "traits": provider.traits,
            "aggregates": provider.aggregates,
        }
        for provider in new
    ]
    begin = time.perf_counter()
    with service.connect() as connection:
        answer = connection.send("POST", "/moorage/providers", {"providers": content})
    seconds = time.perf_counter() - begin
    if not answer.succeeded:
        return Figure(None, Unit.SECONDS, remark=f"answered with {answer.status}")
    return Figure(seconds, Unit.SECONDS)

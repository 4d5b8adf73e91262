"""Agents that somebody would have to start, and to wait for: only what they have told is there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import httpx

from moorage.db.database import Database
from moorage.placement.model.agent import Outcome, Sign
from moorage.placement.store import agents
from moorage.service.sample_cloud import Provider, identifier, sample_cloud
from tests.clients.running_service import RunningService

FLEET = [
    Sign(
        "az1-compute-04",
        "0.1.0",
        60.0,
        Outcome.FAILED,
        "The description of nodes cannot be read: Permission denied.",
        1,
    ),
    Sign("az2-gpu-01", "0.1.0", 60.0, Outcome.INCOMPLETE, "az2-gpu-01: CUSTOM_LLC is held by 3 consumers.", 5),
    Sign("az1-gpu-01", "0.1.0", 60.0, Outcome.WELL, None, 5),
    *(Sign(f"az3-compute-{number:02}", "0.1.0", 60.0, Outcome.WELL, None, 1) for number in range(1, 4)),
]
# By host and source, traits that its agent has added; Nova, Neutron and others have added the rest.
ADDED = {
    "az1-gpu-01": {
        "driver:linux": {"HW_CPU_X86_AVX2", "HW_CPU_X86_AVX512F"},
        "file:10-disks.yaml": {"STORAGE_DISK_SSD"},
        "file:20-graphics.yaml": {"CUSTOM_GPU_L40S", "CUSTOM_GPU_H100"},
    }
}
DEAD = [Sign("az1-compute-02", "0.1.0", 60.0, Outcome.WELL, None, 1)]


@contextmanager
def agents_of(service: RunningService, signs: Sequence[Sign], age: int = 0) -> Iterator[None]:
    """Agents that have told this, so many seconds ago."""
    database = Database(f"sqlite:///{service.state / 'moorage.sqlite'}")
    database.tidy(lambda connection: agents.keep(connection, signs, int(time.time()) - age))
    try:
        yield
    finally:
        database.tidy(lambda connection: [agents.forget(connection, sign.name) for sign in signs])
        database.dispose()


@contextmanager
def origins_of(service: RunningService, added: Mapping[str, Mapping[str, set[str]]] = ADDED) -> Iterator[None]:
    """Hosts of the sample cloud that agents keep: what each has added, by the name of its host."""
    kept = [each for each in sample_cloud().providers if each.root in added]

    def write(origin: Callable[[Provider], object]) -> None:
        providers = [{"uuid": identifier(each.name), "name": each.name, "origin": origin(each)} for each in kept]
        headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
        path = f"{service.placement}/moorage/providers"
        httpx.post(path, headers=headers, json={"providers": providers}).raise_for_status()

    def told(provider: Provider) -> object:
        sources = added[provider.root]
        traits = {name: source for source, names in sources.items() for name in names.intersection(provider.traits)}
        return {"host": provider.root, "traits": traits}

    write(told)
    try:
        yield
    finally:
        write(lambda _provider: None)

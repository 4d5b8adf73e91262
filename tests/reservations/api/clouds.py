"""A cloud with hosts to reserve: the real applications over one database, a clock that tests turn, and people."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import httpx

from moorage.db.database import Database
from moorage.reservations.events.worker import Worker
from moorage.reservations.room import Room
from moorage.service.application import Deployment
from moorage.service.mounting import mounted
from moorage.service.reservation_service import reservation_application
from moorage.service.reservation_workers import open_worker_context
from moorage.service.settings import load_settings
from tests.compute.api.people import Cloud

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

BEGIN = datetime.fromisoformat("2030-01-01T12:00:00")


@dataclass
class Clock:
    now: datetime = BEGIN
    # How much passes between two looks at it.
    passing: timedelta = timedelta()

    def __call__(self) -> datetime:
        self.now += self.passing
        return self.now


def at(hours: float) -> str:
    """A date as requests have it, so many hours after the test begins."""
    return (BEGIN + timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M")


def shown(hours: float) -> str:
    """The same as answers have it."""
    return (BEGIN + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S.%f")


@dataclass(frozen=True)
class Reserver:
    """Somebody who reserves."""

    application: WSGIApplication
    token: str
    roles: str

    def send(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None, **query: Any
    ) -> httpx.Response:
        sent = {"X-Auth-Token": self.token, "X-Roles": self.roles, **(headers or {})}
        transport = httpx.WSGITransport(app=self.application)
        with httpx.Client(transport=transport, base_url="http://cloud/reservation/v1") as client:
            return client.request(method, path, json=body, params=query or None, headers=sent)

    def ask(self, method: str, path: str, body: object = None, **query: Any) -> Any:
        answer = self.send(method, path, body, **query)
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def refused(self, method: str, path: str, body: object = None, **query: Any) -> tuple[int, str]:
        answer = self.send(method, path, body, **query)
        assert answer.status_code >= 400, answer.text
        content = answer.json()
        assert content["error_code"] == content["error_name"] == answer.status_code
        return answer.status_code, content["error_message"]

    def lease(self, start: float = 1, end: float = 25, *reservations: object, **more: Any) -> Any:
        """A new lease."""
        return self.ask("POST", "/leases", new_lease(start, end, *reservations, **more))["lease"]

    def change(self, lease: Any, **fields: Any) -> Any:
        return self.ask("PUT", f"/leases/{lease['id']}", fields)["lease"]

    def shown(self, lease: Any) -> Any:
        return self.ask("GET", f"/leases/{lease['id']}")["lease"]


def new_lease(start: float, end: float, *reservations: object, **more: Any) -> dict[str, Any]:
    return {
        "name": "mine",
        "start_date": at(start),
        "end_date": at(end),
        "reservations": list(reservations),
        **more,
    }


def instances(amount: int = 1, vcpus: int = 1, **more: Any) -> dict[str, Any]:
    shape = {"resource_type": "virtual:instance", "vcpus": vcpus, "memory_mb": 512, "disk_gb": 1}
    return {**shape, "amount": amount, **more}


def whole_hosts(least: int, most: int | None = None, **more: Any) -> dict[str, Any]:
    return {"resource_type": "physical:host", "min": least, "max": most or least, **more}


@dataclass
class ReservationCloud:
    """All services over one database. Its hosts have 8 VCPUs each unless a test says otherwise."""

    database: Database
    clock: Clock = field(default_factory=Clock)
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        overrides = {name.replace("__", "."): value for name, value in self.settings.items()}
        loaded = load_settings({"api.auth_strategy": "noauth2", **overrides}, config_files=[])
        deployment = Deployment(loaded, self.database, housekeeping=False)
        self.room: Room = replace(deployment.reservations, now=self.clock)
        self.application = mounted({**deployment.compute, "/reservation": reservation_application(self.room)})
        self.compute = Cloud(self.application, deployment.placement)

    @property
    def admin(self) -> Reserver:
        return Reserver(self.application, "admin:operations", "admin,member,reader")

    @property
    def tycho(self) -> Reserver:
        return Reserver(self.application, "tycho:astronomy", "member,reader")

    @property
    def maria(self) -> Reserver:
        return Reserver(self.application, "maria:botany", "member,reader")

    def add_host(self, name: str, *, vcpus: int = 8, **capabilities: Any) -> Any:
        """A host of compute's that was handed over for reservations."""
        self.compute.add_host(name, vcpus=vcpus)
        return self.admin.ask("POST", "/os-hosts", {"name": name, **capabilities})["host"]

    def names(self) -> dict[str, str]:
        """The names of hosts, by their numbers."""
        return {host["id"]: host["hypervisor_hostname"] for host in self.admin.ask("GET", "/os-hosts")["hosts"]}

    def settle(self, hours: float | None = None) -> None:
        """Have all carried out that is due, at a time so many hours after the test begins."""
        if hours is not None:
            self.clock.now = BEGIN + timedelta(hours=hours)
        worker = Worker(open_worker_context(self.room))
        while worker.work_once():
            pass

    def slots(self, lease: Any) -> dict[str, int]:
        """How many slots a lease has on each host, by the host's number."""
        found = self.admin.ask("GET", "/os-hosts/allocations", lease_id=lease["id"])["allocations"]
        return {item["resource_id"]: len(item["reservations"]) for item in found}


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_message: object) -> None:
        """Nobody reads it."""


class _Threads(ThreadingMixIn, WSGIServer):
    daemon_threads = True


@contextmanager
def serving(cloud: ReservationCloud) -> Iterator[str]:
    """The cloud over HTTP, at an address."""
    server = make_server("127.0.0.1", 0, cloud.application, server_class=_Threads, handler_class=_Quiet)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

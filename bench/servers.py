"""Servers placed by many clients at once through the compute API, with the service killed in the middle if one likes.

    python -m bench.servers --database sqlite --hosts 1000 --servers 5000 --clients 8 --kill

There is no other program to compare with here, so it tells Moorage's own figures, and whether the books are right
afterwards: nothing oversold, nothing lost that was acknowledged, and after `moorage audit --fix` no orphans.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from bench import processes
from bench.client import Connection
from bench.databases import KINDS, describe, fresh_database, missing_server
from bench.service import Program, Service, ServiceError
from bench.this_moorage import moorage

_COMPUTE = "/compute/v2.1"
_TIMEOUT = 60
_PAGE = 1000
_HOST = {"VCPU": 8, "MEMORY_MB": 16384, "DISK_GB": 200}
_FLAVOR = {"id": "small", "name": "small", "vcpus": 1, "ram": 1024, "disk": 10}
_NO_QUOTAS = {f"OS_QUOTA__{name}": "-1" for name in ("INSTANCES", "CORES", "RAM")}


@dataclass(slots=True)
class Tally:
    """What the clients were told, and how long each answer took."""

    acknowledged: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    # Orders whose answer did not come: nobody knows what became of them.
    unanswered: int = 0
    refused: Counter[int] = field(default_factory=Counter)


def main(
    *,
    database: Annotated[str, typer.Option(help=f"On which database: {', '.join(KINDS)}.")] = "sqlite",
    hosts: Annotated[int, typer.Option(help="How many hosts there are, each with room for 8 servers.")] = 1000,
    servers: Annotated[int, typer.Option(help="How many servers are ordered, one by one.")] = 5000,
    clients: Annotated[int, typer.Option(help="By how many clients at once.")] = 8,
    kill: Annotated[bool, typer.Option("--kill", help="Kill the service when half of them are placed.")] = False,
) -> None:
    """Place servers, say how fast it was, and look whether the books are right."""
    if complaint := missing_server(database):
        raise typer.BadParameter(complaint, param_hint="--database")
    with tempfile.TemporaryDirectory(prefix="moorage-bench-") as temporary:
        directory = Path(temporary)
        with fresh_database(database, "bench_servers", directory) as url:
            service = Service(_program(), url, directory / "moorage", _TIMEOUT)
            try:
                service.prepare()
                service.start()
                _fill(service, hosts)
                typer.echo(f"{describe(database)}: {servers:,} servers on {hosts:,} hosts by {clients} clients")
                _report(service, *_place(service, servers, clients, kill=kill))
            finally:
                service.stop()


def _program() -> Program:
    usual = moorage(("placement", "compute"))
    return replace(usual, environment=lambda url, directory: {**usual.environment(url, directory), **_NO_QUOTAS})


def _fill(service: Service, hosts: int) -> None:
    inventories = {name: {"total": total, "max_unit": total} for name, total in _HOST.items()}
    providers = [
        {"uuid": f"{number:08x}-0000-4000-8000-000000000000", "name": f"host-{number}", "inventories": inventories}
        for number in range(hosts)
    ]
    with service.connect() as placement, _compute(service) as compute:
        answers = [
            placement.send(
                "POST",
                "/moorage/providers",
                {"providers": [{**provider, "traits": ["COMPUTE_NODE"]} for provider in providers]},
            ),
            compute.send("POST", "/flavors", {"flavor": _FLAVOR}),
        ]
    for answer in answers:
        if not answer.succeeded:
            raise ServiceError(f"The cloud cannot be made: {answer.body.decode()}")


def _compute(service: Service) -> Connection:
    return Connection(service.port, _COMPUTE, _TIMEOUT)


# --- placing


def _place(service: Service, servers: int, clients: int, *, kill: bool) -> tuple[Tally, float, float]:
    """What the clients were told, and the seconds that it took, of the clock and of the service's processors."""
    tally, tickets, lock = Tally(), iter(range(servers)), threading.Lock()

    def order_until_none_is_left(_client: int) -> None:
        with _compute(service) as connection:
            while True:
                with lock:
                    if (number := next(tickets, None)) is None:
                        return
                while not _order(connection, f"server-{number}", tally):
                    time.sleep(0.1)

    begin, cpu = time.perf_counter(), processes.cpu_seconds(service.pid)
    with ThreadPoolExecutor(clients) as pool:
        running = [pool.submit(order_until_none_is_left, client) for client in range(clients)]
        if kill:
            while len(tally.acknowledged) < servers // 2 and not all(each.done() for each in running):
                time.sleep(0.01)
            service.kill()
            cpu = 0.0
            service.start()
        for each in running:
            each.result()
    return tally, time.perf_counter() - begin, processes.cpu_seconds(service.pid) - cpu


def _order(connection: Connection, name: str, tally: Tally) -> bool:
    """Order a server; whether there was an answer."""
    begin = time.perf_counter()
    try:
        answer = connection.send("POST", "/servers", {"server": {"name": name, "flavorRef": "small", "imageRef": ""}})
    except OSError:
        tally.unanswered += 1
        return False
    if answer.succeeded:
        tally.seconds.append(time.perf_counter() - begin)
        tally.acknowledged.append(answer.json()["server"]["id"])
    else:
        tally.refused[answer.status] += 1
    return True


# --- the books afterwards


def _report(service: Service, tally: Tally, elapsed: float, cpu: float) -> None:
    done = len(tally.acknowledged)
    low, high = statistics.median(tally.seconds) * 1000, statistics.quantiles(tally.seconds, n=20)[-1] * 1000
    typer.echo(f"  {done:,} placed in {elapsed:.1f} s: {done / elapsed:.0f}/s, p50 {low:.0f} ms, p95 {high:.0f} ms")
    typer.echo(f"  {cpu / done * 1000:.1f} ms of the service's processor time each (of the last start alone)")
    typer.echo(f"  {tally.unanswered} requests were not answered, {sum(tally.refused.values())} refused")
    for arguments in (["--fix"], []):
        audit = service.run("audit", "--age", "0", *arguments)
        typer.echo(f"  moorage audit {' '.join(arguments)}: {audit.stdout.splitlines()[-1]}")
    wrong = list(_mistakes(service, set(tally.acknowledged)))
    for mistake in wrong:
        typer.echo(f"  WRONG: {mistake}")
    if wrong or tally.refused:
        raise typer.Exit(1)
    typer.echo("  None oversold, none lost, no orphan.")


def _mistakes(service: Service, acknowledged: set[str]) -> Iterator[str]:
    servers = list(_servers(service))
    placed = {server["id"]: server["OS-EXT-SRV-ATTR:host"] for server in servers if server["status"] == "ACTIVE"}
    if lost := acknowledged - set(placed):
        yield f"{len(lost)} servers were acknowledged and are not there"
    if stuck := Counter(server["status"] for server in servers if server["status"] not in ("ACTIVE", "ERROR")):
        yield f"servers are left in the status {dict(stuck)}"
    on_host = Counter(placed.values())
    with service.connect() as placement:
        providers = placement.get("/moorage/providers?include=usages,inventories").json()["providers"]
    for provider in providers:
        yield from _mistakes_of_host(provider, on_host[provider["name"]])


def _mistakes_of_host(provider: Mapping[str, Any], servers: int) -> Iterator[str]:
    for name, used in provider["usages"].items():
        if used > provider["inventories"][name]["total"]:
            yield f"{provider['name']} gave out {used} of {provider['inventories'][name]['total']} {name}"
    if provider["usages"].get("VCPU", 0) != servers:
        yield f"{provider['name']} has {servers} servers and gave out {provider['usages']}"


def _servers(service: Service) -> Iterator[dict[str, Any]]:
    marker = ""
    with _compute(service) as connection:
        while True:
            page = connection.get(f"/servers/detail?all_tenants=1&limit={_PAGE}{marker}").json()["servers"]
            yield from page
            if len(page) < _PAGE:
                return
            marker = f"&marker={page[-1]['id']}"


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    try:
        app()
    except ServiceError as error:
        sys.exit(f"bench: {error}")

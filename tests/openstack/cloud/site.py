"""Where a cloud lives: one folder for all that it keeps, and a loopback port for each of its services."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
OPENSTACK = REPOSITORY / ".venv-openstack"
"""The environment with the releases of OpenStack."""

MOORAGE = REPOSITORY / ".venv"
"""The environment with Moorage, its tests and the stock clients."""

ADDRESS = "127.0.0.1"
LOWEST_PORT = 10_000
EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")
REGION = "RegionOne"
PASSWORD = "harbour"  # of every account: nobody but this machine can reach them
COMPUTES = ("cmp1", "cmp2", "cmp3")

LISTENERS = (
    "mariadb",
    "moorage-mariadb",
    "rabbitmq",
    "erlang",
    "epmd",
    "keystone",
    "glance",
    "neutron",
    "nova",
    "moorage",
    "placement",
)


@dataclass(frozen=True, slots=True)
class Site:
    """A cloud's folder and ports."""

    home: Path
    ports: Mapping[str, int]

    @property
    def settings(self) -> Path:
        """Where configuration files are."""
        return self.home / "etc"

    @property
    def logs(self) -> Path:
        """Where each program writes what it has to say."""
        return self.home / "log"

    @property
    def temporary(self) -> Path:
        """Where programs may leave temporary files."""
        return self.home / "tmp"

    @property
    def identity(self) -> str:
        """Keystone's address, from which everything else is found."""
        return f"{self.url('keystone')}/v3"

    def url(self, service: str) -> str:
        """Where a service listens."""
        return f"http://{ADDRESS}:{self.ports[service]}"

    def database(self, name: str, charset: str = "utf8mb3", server: str = "mariadb") -> str:
        """A database of the cloud, as SQLAlchemy names it."""
        return f"mysql+pymysql://root:{PASSWORD}@{ADDRESS}:{self.ports[server]}/{name}?charset={charset}"


def new_site(home: Path) -> Site:
    """A place for a cloud that is not there yet, with ports that nobody listens on."""
    ports = dict(zip(LISTENERS, _free_ports(), strict=False))
    for folder in ("etc", "log", "run", "lock", "tmp"):
        (home / folder).mkdir(parents=True)
    (home / "ports.json").write_text(json.dumps(ports))
    return Site(home, ports)


def _free_ports() -> Iterator[int]:
    """Ports that nobody listens on, and that connections do not take while a server is stopped for a moment."""
    above = int(EPHEMERAL.read_text().split()[0])
    for port in random.sample(range(LOWEST_PORT, max(above, 2 * LOWEST_PORT)), k=LOWEST_PORT):
        with socket.socket() as probe, suppress(OSError):
            probe.bind((ADDRESS, port))
            yield port


def known_site(home: Path) -> Site:
    """The place of a cloud that is there."""
    return Site(home, json.loads((home / "ports.json").read_text()))

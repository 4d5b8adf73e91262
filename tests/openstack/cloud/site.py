"""Where a cloud lives: one folder for all that it keeps, and a loopback port for each of its services."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
OPENSTACK = REPOSITORY / ".venv-openstack"
"""The environment with the releases of OpenStack."""

MOORAGE = REPOSITORY / ".venv"
"""The environment with Moorage, its tests and the stock clients."""

ADDRESS = "127.0.0.1"
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
    probes = {name: socket.socket() for name in LISTENERS}
    for probe in probes.values():
        probe.bind((ADDRESS, 0))
    ports = {name: int(probe.getsockname()[1]) for name, probe in probes.items()}
    for probe in probes.values():
        probe.close()
    for folder in ("etc", "log", "run", "lock"):
        (home / folder).mkdir(parents=True)
    (home / "ports.json").write_text(json.dumps(ports))
    return Site(home, ports)


def known_site(home: Path) -> Site:
    """The place of a cloud that is there."""
    return Site(home, json.loads((home / "ports.json").read_text()))

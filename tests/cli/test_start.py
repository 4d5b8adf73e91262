"""What makes commands answer at once: that they load little, ask little, and look for nothing they know."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

import pytest

from moorage.client.operator import operators_cloud
from tests.clients.running_service import RunningService, clean_environment

# Runs a command, and says in the end what it has loaded and what it has asked for.
WATCHED = """
import atexit, json, sys
import stevedore, urllib3.connectionpool
from moorage.cli.main import main

requests, searches = [], []
urlopen, search = urllib3.connectionpool.HTTPConnectionPool.urlopen, stevedore.ExtensionManager.list_entry_points

def counting(self, method, url, *arguments, **more):
    requests.append(f"{method} {url.partition('?')[0]}")
    return urlopen(self, method, url, *arguments, **more)

def searching(self):
    searches.append(self.namespace)
    return search(self)

urllib3.connectionpool.HTTPConnectionPool.urlopen = counting
stevedore.ExtensionManager.list_entry_points = searching
atexit.register(lambda: print(json.dumps([sorted(sys.modules), sorted(requests), searches]), file=sys.stderr))
main()
"""
# What services are made of, and what takes long to load.
HEAVY = {
    "alembic",
    "falcon",
    "granian",
    "jsonschema",
    "jsonschema_rs",
    "keystonemiddleware",
    "numpy",
    "openstack",
    "oslo_middleware",
    "oslo_policy",
    "sqlalchemy",
}
LOGIN = ["GET /identity/v3", "POST /identity/v3/auth/tokens"]
VERSION = "GET /placement/"

pytestmark = pytest.mark.usefixtures("installation")


@dataclass(frozen=True)
class Watched:
    """A command that was run: what it said and did."""

    output: str
    modules: frozenset[str]
    requests: list[str]
    searches: list[str]


@pytest.fixture
def cloud(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment in which a service with a flavor is the cloud that commands speak with."""
    environment = {"OS_CLIENT_CONFIG_FILE": str(service.clouds_file), "OS_CLOUD": "moorage", "COLUMNS": "160"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    compute = operators_cloud(None).compute
    if compute.flavor("quick") is None:
        compute.create_flavor("quick", "quick", vcpus=1, ram_mb=1, disk_gb=1)
    return {**clean_environment(), **environment}


def watched(environment: dict[str, str], *arguments: str) -> Watched:
    ran = subprocess.run(
        [sys.executable, "-c", WATCHED, *arguments], capture_output=True, text=True, check=False, env=environment
    )
    modules, requests, searches = json.loads(ran.stderr.splitlines()[-1])
    return Watched(ran.stdout, frozenset(name.partition(".")[0] for name in modules), requests, searches)


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (
            ("capacity", "fit", "quick", "quick"),
            [
                "GET /compute/v2.1/flavors/detail",
                "GET /compute/v2.1/os-aggregates",
                "GET /compute/v2.1/os-hypervisors/detail",
                "GET /placement/moorage/providers",
                VERSION,
            ],
        ),
        (
            ("fit", "quick", "--json"),
            [
                "GET /compute/v2.1/flavors/detail",
                "GET /compute/v2.1/moorage/placement-query",
                "GET /placement/allocation_candidates",
                VERSION,
            ],
        ),
        (("provider", "list"), ["GET /placement/resource_providers", VERSION]),
        (("provider", "tree", "--json"), ["GET /placement/moorage/providers", VERSION]),
        (("candidates", "--resources", "VCPU:1", "--json"), ["GET /placement/allocation_candidates", VERSION]),
        (("lease", "list"), ["GET /reservation/v1/leases"]),
        (("flavor", "list"), ["GET /compute/v2.1/flavors/detail"]),
    ],
)
def test_a_command_loads_and_asks_no_more_than_it_needs(
    cloud: dict[str, str], arguments: tuple[str, ...], asked: list[str]
) -> None:
    ran = watched(cloud, *arguments)

    assert ran.output
    assert ran.modules & HEAVY == set()
    assert ran.requests == sorted([*LOGIN, *asked])
    assert ran.searches == []


def test_a_command_loads_no_other_command(cloud: dict[str, str]) -> None:
    script = "import sys; from moorage.cli.main import main\ntry: main()\nfinally: print([*sys.modules])"
    ran = subprocess.run(
        [sys.executable, "-c", script, "trait", "--help"], capture_output=True, text=True, check=True, env=cloud
    )
    assert "moorage.cli.trait" in ran.stdout
    assert "moorage.cli.lease" not in ran.stdout

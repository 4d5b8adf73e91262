"""The `openstack` command with osc-placement as a whole: every command is used, and failures read well.

What the commands do is in the modules beside this one: test_osc_providers, test_osc_inventories, test_osc_allocations,
test_osc_candidates and test_osc_names.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.clients.openstack_command import OpenStack

COMMANDS = [entry_point.name.replace("_", " ") for entry_point in entry_points(group="openstack.placement.v1")]
EXAMPLES = "\n".join(module.read_text() for module in Path(__file__).parent.glob("test_osc_*.py"))

NOWHERE = "9c0a4b7e-2f6d-4a1e-8d5b-000000000000"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str) -> None:
    assert re.search(rf'openstack\.\w+\(\s*f?"{command}[ "]', EXAMPLES)


def test_the_installed_command_finds_the_cloud_by_its_name(openstack: OpenStack) -> None:
    openstack.shows("resource provider create az1-compute-01")
    program = Path(sys.executable).with_name("openstack")
    command = [str(program), "--os-cloud", "moorage", "resource", "provider", "list", "-f", "value", "-c", "name"]
    listed = subprocess.run(command, env=openstack.environment, capture_output=True, text=True, check=True)
    assert listed.stdout == "az1-compute-01\n"


@pytest.mark.parametrize(
    "command",
    [
        f"resource provider show {NOWHERE}",
        f"resource provider delete {NOWHERE}",
        f"resource provider inventory list {NOWHERE}",
        f"resource provider aggregate list {NOWHERE}",
        f"resource provider trait list {NOWHERE}",
        f"resource provider usage show {NOWHERE}",
    ],
)
def test_what_does_not_exist_is_said_not_to_exist(openstack: OpenStack, command: str) -> None:
    error = openstack.refuses(command)
    assert error.startswith("No resource provider with uuid")
    assert NOWHERE in error
    assert error.endswith("(HTTP 404)")


def test_a_conflict_is_explained(openstack: OpenStack) -> None:
    openstack.shows("resource provider create az1-compute-01")
    error = openstack.refuses("resource provider create az1-compute-01")
    assert error == "Conflicting resource provider name: az1-compute-01 already exists. (HTTP 409)"


def test_the_client_keeps_old_versions_from_what_they_do_not_have(openstack: OpenStack) -> None:
    error = openstack.refuses("trait list", version="1.0")
    assert error == "Operation or argument is not supported with version 1.0; requires at least version 1.6"

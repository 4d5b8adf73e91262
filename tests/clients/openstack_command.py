"""The `openstack` command, run in this process so that a test can afford many of them."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shlex
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from openstackclient.shell import OpenStackShell
from osc_lib.clientmanager import ClientManager

from moorage.service.credentials import CLOUD_NAME
from tests.clients.running_service import clean_environment

# python-blazarclient 4.6.0 announces a command that it does not have, and `openstack` says so each time. The tests have
# both in one environment; a user need not.
_BROKEN_PLUGIN = re.compile(r"^Could not load 'reservation_host_unset'.*\n?", re.MULTILINE)


def without_the_broken_plugin(shown: str) -> str:
    """What `openstack` shows where that client is not installed."""
    return _BROKEN_PLUGIN.sub("", shown)


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    output: str
    errors: str


class OpenStack:
    """A user at a shell; commands are written as they are typed there.

    Without a version the client agrees with the server on the newest one that it knows without gaps, which is 1.29.
    """

    def __init__(self, clouds_file: Path) -> None:
        self.environment = {**clean_environment(), "OS_CLIENT_CONFIG_FILE": str(clouds_file)}

    def shows(self, command: str, version: str = "") -> Any:
        """What a command shows, of which the user asks JSON."""
        outcome = self.run(f"{command} -f json", version)
        assert outcome.code == 0, outcome.errors
        return json.loads(outcome.output)

    def does(self, command: str, version: str = "") -> None:
        """Run a command that succeeds and shows nothing."""
        assert self.run(command, version) == Outcome(0, "", "")

    def refuses(self, command: str, version: str = "") -> str:
        """What a command that fails tells the user."""
        outcome = self.run(command, version)
        assert outcome.code != 0
        assert not outcome.output
        return outcome.errors.strip()

    def run(self, command: str, version: str = "") -> Outcome:
        options = ["--os-cloud", CLOUD_NAME]
        if version:
            options += ["--os-placement-api-version", version]
        output, errors = io.StringIO(), io.StringIO()
        with as_in_a_process_of_its_own(self.environment), redirect_stdout(output), redirect_stderr(errors):
            try:
                code = OpenStackShell().run([*options, *shlex.split(command)])
            except SystemExit as end:  # how argparse refuses what it does not understand
                code = int(end.code or 0)
        return Outcome(code, output.getvalue(), without_the_broken_plugin(errors.getvalue()))


@contextmanager
def as_in_a_process_of_its_own(environment: Mapping[str, str]) -> Iterator[None]:
    """What the command takes for its own is as at the start of a process, and nothing of it is left afterwards."""
    for client in vars(ClientManager).values():
        if hasattr(client, "_handle"):
            client._handle = None  # the connection, kept with the version of the last command
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        with mock.patch.dict(os.environ, environment, clear=True), warnings.catch_warnings():
            yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)

"""A reader who follows a document: a fresh home, one shell for all commands, and a service with the sample cloud."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from moorage.service.settings import CONFIG_VARIABLE
from tests.clients.openstack_command import without_the_broken_plugin
from tests.docs.documents import REPOSITORY, Step
from tests.patience import eventually

PROGRAMS = Path(sys.executable).parent
START_SECONDS = 60
SESSION_SECONDS = 300

# The ports that documents use, which may be taken here: the service's own, and one for whatever else is started.
DOCUMENTED_PORTS = ("8778", "8779")

# Where a service keeps what it has, in the home of whoever starts it.
STATE = Path(".local/share/moorage")


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody at a shell, for whom `moorage serve --sample` runs."""

    environment: dict[str, str]
    ports: dict[str, str]
    greeting_file: Path
    # What is typed before anything else.
    beginning: str
    # Where all that is shown is kept, and for how long a whole document may take.
    record: Path
    patience: float = SESSION_SECONDS

    @property
    def greeting(self) -> str:
        """What `moorage serve` said, in the document's terms."""
        return self.as_documented(self.greeting_file.read_text())

    def type(self, steps: Sequence[Step]) -> list[str]:
        """Run commands one after the other in one shell; what each of them shows, in the document's terms."""
        mark = f"--- {uuid.uuid4()} ---"
        typed = "\n".join(f"{self._here(step.command)}\nprintf '\\n%s\\n' '{mark}'" for step in steps)
        script = f"{self.beginning}\n{typed}"
        # A session of its own, so that what a command left in the background can be ended with it.
        with self.record.open("w") as record:
            shell = subprocess.Popen(
                ["bash", "--noprofile", "--norc", "-c", script],
                env=self.environment,
                cwd=REPOSITORY,
                stdin=subprocess.DEVNULL,
                stdout=record,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        try:
            shell.wait(timeout=self.patience)
        except subprocess.TimeoutExpired:
            pytest.fail(f"no end after {self.patience:g} seconds:\n{self.record.read_text()}", pytrace=False)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        shown = self.record.read_text()
        outputs = shown.split(f"\n{mark}\n")
        assert len(outputs) == len(steps) + 1, f"the shell ended early:\n{shown}"
        return [self.as_documented(output) for output in outputs[:-1]]

    def as_documented(self, text: str) -> str:
        for documented, here in self.ports.items():
            text = text.replace(here, documented)
        return without_the_broken_plugin(text)

    def _here(self, text: str) -> str:
        for documented, here in self.ports.items():
            text = text.replace(documented, here)
        return text


@contextmanager
def reader(home: Path, beginning: str = "", sample: Path | None = None) -> Iterator[Reader]:
    """Somebody with a home of their own, for whom a service runs with the sample cloud, if they need one."""
    if lacking := [program for program in ("bash", "curl") if shutil.which(program) is None]:
        pytest.fail(f"The commands in the documents cannot be tried without {' and '.join(lacking)}.", pytrace=False)
    somebody = newcomer(home, beginning)
    if sample is None:
        yield somebody
        return
    shutil.copytree(sample, home / STATE)
    with _service(somebody, home / "log"):
        yield somebody


def sample_cloud(home: Path) -> Path:
    """The directory of a service that was started once, with the sample cloud, and stopped when that was all there."""
    somebody = newcomer(home)
    with _service(somebody, home / "log"):
        eventually(lambda: _is_settled(somebody), "what the leases of the sample cloud need")
    return home / STATE


def _is_settled(somebody: Reader) -> bool:
    """Whether the hosts for leases have been set apart."""
    command = [str(PROGRAMS / "moorage"), "reservation", "audit"]
    return subprocess.run(command, env=somebody.environment, capture_output=True, check=False).returncode == 0


def newcomer(home: Path, beginning: str = "") -> Reader:
    """Somebody with a home of their own, for whom nothing runs."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OS_", "XDG_", "MOORAGE_"))}
    configuration = home / "moorage.conf"
    configuration.write_text("")
    environment = {
        **kept,
        "HOME": str(home),
        "PATH": f"{PROGRAMS}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "120",
        # A configuration of the machine that runs the tests shall not matter.
        CONFIG_VARIABLE: str(configuration),
    }
    ports = dict(zip(DOCUMENTED_PORTS, _free_ports(len(DOCUMENTED_PORTS)), strict=True))
    return Reader(environment, ports, home / "greeting", beginning, home / "session")


@contextmanager
def _service(somebody: Reader, log: Path) -> Iterator[None]:
    """Start the service as `make run` does, and stop it at the end."""
    port = somebody.ports[DOCUMENTED_PORTS[0]]
    command = [str(PROGRAMS / "moorage"), "serve", "--sample", "--workers", "1", "--port", port]
    with somebody.greeting_file.open("w") as greeting, log.open("w") as errors:
        service = subprocess.Popen(command, env=somebody.environment, stdout=greeting, stderr=errors)
    try:
        _await_start(service, f"http://127.0.0.1:{port}/healthcheck", log)
        yield
    finally:
        service.terminate()
        service.wait(timeout=60)


def _await_start(service: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and service.poll() is None:
        with suppress(urllib.error.URLError, OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(0.05)
    pytest.fail(f"The service did not start.\n{log.read_text()}")


def _free_ports(count: int) -> list[str]:
    """Ports nobody listens on."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [str(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports

"""Programs in the background: each has a session and a log of its own, and is known by its process id."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from tests.openstack.cloud.site import ADDRESS, Site

START_SECONDS = 120
STOP_SECONDS = 30


class NotStarted(Exception):
    """A program ended, or did not do what it was started for; the text is the end of its log."""


class Programs:
    """Those of one cloud. They outlive this process, so that a cloud can be kept between runs."""

    def __init__(self, site: Site) -> None:
        self.site = site
        # Those that this process started; only their parent can tell whether they have ended.
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
        """Start a program, unless it runs already."""
        if self.is_running(name):
            return
        with self.log(name).open("ab") as output:
            child = subprocess.Popen(
                command,
                env=self._environment(environment),
                cwd=self.site.home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self._children[name] = child
        self._note(name).write_text(str(child.pid))

    def stop(self, name: str, number: signal.Signals = signal.SIGTERM) -> None:
        """End a program and whatever it has started."""
        if not self._note(name).exists():
            return
        pid = self.pid(name)
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        deadline = time.monotonic() + STOP_SECONDS
        while self.is_running(name) and time.monotonic() < deadline:
            time.sleep(0.1)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        if child := self._children.pop(name, None):
            child.wait()
        self._note(name).unlink()

    def stop_all(self, last: Sequence[str] = ()) -> None:
        """End all programs: the `last` ones in this order, and before them, all at once, those that need them."""
        names = [note.name for note in self._notes.iterdir()] if self._notes.exists() else []
        self.stop_together([name for name in names if name not in last])
        for name in last:
            self.stop(name)

    def stop_together(self, names: Sequence[str]) -> None:
        """End programs that need not wait for each other."""
        for name in names:
            with suppress(ProcessLookupError):
                os.kill(self.pid(name), signal.SIGTERM)
        for name in names:
            self.stop(name)

    def is_running(self, name: str) -> bool:
        """Whether a program runs."""
        if not self._note(name).exists():
            return False
        pid = self.pid(name)
        child = self._children.get(name)
        # Another process may have started it anew.
        if child is not None and child.pid == pid:
            return child.poll() is None
        return _is_alive(pid)

    def pid(self, name: str) -> int:
        """A program's process id."""
        return int(self._note(name).read_text())

    def log(self, name: str) -> Path:
        """Where a program writes."""
        return self.site.logs / f"{name}.log"

    def await_port(self, name: str, port: int) -> None:
        """Wait until a program listens."""
        self.await_that(name, lambda: _is_open(port))

    def await_that(self, name: str, is_so: Callable[[], bool]) -> None:
        """Wait until something is so that a program has to bring about."""
        deadline = time.monotonic() + START_SECONDS
        while not is_so():
            if not self.is_running(name) or time.monotonic() > deadline:
                raise NotStarted(f"{name} did not start:\n{_end_of(self.log(name))}")
            time.sleep(0.1)

    def run(self, name: str, command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> None:
        """Run a step of the preparation to its end; what it says goes to a log."""
        with self.log(name).open("ab") as output:
            done = subprocess.run(
                command,
                env=self._environment(environment),
                cwd=self.site.home,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                check=False,
            )
        if done.returncode:
            raise NotStarted(f"{' '.join(map(str, command))} failed:\n{_end_of(self.log(name))}")

    def _environment(self, more: Mapping[str, str] | None) -> dict[str, str]:
        """What a program finds in its environment; what it leaves in temporary files goes with the cloud."""
        return plain_environment() | {"TMPDIR": str(self.site.temporary)} | dict(more or {})

    @property
    def _notes(self) -> Path:
        return self.site.home / "run"

    def _note(self, name: str) -> Path:
        return self._notes / name


def plain_environment() -> dict[str, str]:
    """The environment without what would configure a service or a client, and without warnings of old libraries."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OS_", "MOORAGE_", "PYTHON"))}
    return {**kept, "PYTHONWARNINGS": "ignore"}


def _is_alive(pid: int) -> bool:
    """Whether there is such a process, other than one that has ended and whose parent has not looked yet."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((ADDRESS, port)) == 0


def _end_of(log: Path, lines: int = 40) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])

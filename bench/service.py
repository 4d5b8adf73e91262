"""A running server of one side: started, asked, measured and stopped, whichever program it is."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import processes
from bench.client import Connection

WORKERS = 2
START_SECONDS = 120
STOP_SECONDS = 10


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServiceError(Exception):
    """A side cannot be brought to work."""


@dataclass(frozen=True, slots=True)
class Program:
    """How to run one side: the environment for a database and a state directory, preparations, and the server.

    `configuration` is the name of a file in the state directory, empty, so that all settings but ours have defaults.
    """

    name: str
    version: str
    mount: str
    configuration: str
    environment: Callable[[str, Path], Mapping[str, str]]
    prepare: Sequence[Sequence[str]]
    command: Callable[[int], Sequence[str]]


@dataclass(slots=True)
class Service:
    """A program on its own port, with its own database and directory."""

    program: Program
    database: str
    directory: Path
    timeout: float
    port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        """The side's name."""
        return self.program.name

    @property
    def pid(self) -> int:
        """The process whose children are the workers."""
        if self._process is None:
            raise AssertionError(f"{self.name} is not running")
        return self._process.pid

    def connect(self) -> Connection:
        """A new connection."""
        return Connection(self.port, self.program.mount, self.timeout)

    def prepare(self) -> None:
        """Do what must be done once for a database."""
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / self.program.configuration).touch()
        for command in self.program.prepare:
            done = subprocess.run(command, env=self._environment(), capture_output=True, text=True, check=False)
            if done.returncode:
                raise ServiceError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")

    def start(self, path: str = "/") -> float:
        """Start the server and wait until it answers a request; say how many seconds that took."""
        begin = time.monotonic()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self.program.command(self.port), env=self._environment(), stdout=log, stderr=log
            )
        while not self._answers(path):
            if self._process.poll() is not None or time.monotonic() > begin + START_SECONDS:
                self.stop()
                raise ServiceError(f"{self.name} did not start; the end of its log:\n{self._end_of_log()}")
            time.sleep(0.02)
        return time.monotonic() - begin

    def stop(self) -> None:
        """Stop the server; workers that are too busy to listen are killed."""
        if self._process is None:
            return
        with contextlib.suppress(FileNotFoundError):
            started = processes.family(self._process.pid)
            self._process.terminate()
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                for pid in started:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def kill(self) -> None:
        """End the server and its workers at once, as a power cut would."""
        for pid in processes.family(self.pid):
            os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()
        self._process = None

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run another of the program's commands on the same database."""
        command = [self.program.command(self.port)[0], *arguments]
        return subprocess.run(command, env=self._environment(), capture_output=True, text=True, check=False)

    def restart(self) -> None:
        """Stop and start."""
        self.stop()
        self.start()

    def _answers(self, path: str) -> bool:
        with contextlib.suppress(OSError), self.connect() as connection:
            return connection.get(path).succeeded
        return False

    def _environment(self) -> dict[str, str]:
        """The environment of this process without anybody's settings, and with those of the program."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("OS_", "MOORAGE_"))}
        return inherited | dict(self.program.environment(self.database, self.directory))

    @property
    def _log(self) -> Path:
        return self.directory / f"{self.name.lower()}.log"

    def _end_of_log(self) -> str:
        return "\n".join(self._log.read_text(errors="replace").splitlines()[-20:])

"""The `openstack` command for a reader's shell, forked from a process that has it loaded, which takes two seconds.

Each command still is a process of its own, with the arguments, environment, directory and streams of the shell that
asks for it. Run as a program this is that process; `ask_openstack.py` is what the shell runs instead of the command.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.documents import REPOSITORY

ASK = Path(__file__).with_name("ask_openstack.py")
START_SECONDS = 60
STREAMS = (0, 1, 2)


@contextlib.contextmanager
def loaded_openstack(directory: Path) -> Iterator[str]:
    """A shell function `openstack` that does what the command does, sooner."""
    address, log = directory / "socket", directory / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(address)],
            cwd=REPOSITORY,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not address.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"The openstack command cannot be loaded.\n{log.read_text()}")
            time.sleep(0.05)
        yield f'openstack() {{ {shlex.join([sys.executable, "-I", "-S", str(ASK), str(address)])} "$@"; }}'
    finally:
        process.terminate()
        process.wait(timeout=30)


def main(address: str) -> None:
    load()
    with socket.socket(socket.AF_UNIX) as listener:
        # Whoever sees the file can connect.
        listener.bind(f"{address}.unfinished")
        listener.listen()
        Path(f"{address}.unfinished").rename(address)
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                answer(connection)
            connection.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def load() -> None:
    """Import what commands import when they run."""
    from openstackclient.shell import OpenStackShell

    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.suppress(SystemExit):
        OpenStackShell().run(["--help"])


def answer(connection: socket.socket) -> None:
    """Be the command that is asked for, and tell how it ended."""
    _, streams, _, _ = socket.recv_fds(connection, 1, len(STREAMS))
    with connection.makefile("rb") as sent:
        request = json.load(sent)
    for own, stream in zip(STREAMS, streams, strict=True):
        os.dup2(stream, own)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["directory"])
    sys.argv = ["openstack", *request["arguments"]]
    code: int | str | None = 1
    try:
        from openstackclient.shell import main as openstack

        code = openstack(request["arguments"])
    except SystemExit as end:  # how argparse refuses what it does not understand
        code = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        connection.sendall(str(code or 0).encode())
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])

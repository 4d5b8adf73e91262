"""Upstream Placement, as installed from PyPI, in a process of its own: it keeps its database engine in a module.

Run as a program it serves with a database of its own and the strategy noauth2 until it is told to stop.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest

from tests.client.serving import serving
from tests.clients.running_service import clean_environment

ADMIN = "admin"
"""The token of an administrator."""

_REPOSITORY = Path(__file__).parent.parent.parent


@contextmanager
def running_upstream(directory: Path) -> Iterator[str]:
    """The endpoint of an empty Placement."""
    configuration = directory / "placement.conf"
    configuration.write_text(f"""
[placement_database]
connection = sqlite:///{directory / "placement.sqlite"}
sync_on_startup = true
[api]
auth_strategy = noauth2
""")
    with (directory / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.client.upstream", str(directory)],
            cwd=_REPOSITORY,
            env={**clean_environment(), "OS_PLACEMENT_CONFIG_DIR": str(directory)},
            stdout=log,
            stderr=log,
        )
    try:
        yield _address(directory, process)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _address(directory: Path, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if (file := directory / "address").exists():
            return file.read_text()
        time.sleep(0.05)
    pytest.fail(f"Upstream's Placement did not start.\n{(directory / 'log').read_text()}")


def main(directory: Path) -> None:
    from placement.wsgi import init_application

    with serving(init_application()) as address:
        unfinished = directory / "address.unfinished"
        unfinished.write_text(address)
        unfinished.rename(directory / "address")
        Event().wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

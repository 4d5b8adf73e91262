"""Starts a cloud, runs the tests on it, and stops it again.

python -m tests.openstack                     what `make test-openstack` does
python -m tests.openstack --keep -- -k lease  leave the cloud running; what is after -- goes to pytest
python -m tests.openstack --reuse FOLDER      take a cloud that was kept, start what of it does not run, and keep it
python -m tests.openstack --stop FOLDER       stop a cloud that was kept, and remove its folder
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.openstack.cloud import installation, whole
from tests.openstack.cloud.programs import NotStarted, Programs
from tests.openstack.cloud.site import ADDRESS, REPOSITORY, known_site, new_site

SITE_VARIABLE = "MOORAGE_TEST_OPENSTACK"
"""Names the folder of the cloud to the tests."""

LEAVING_SECONDS = 60
"""How long tests may clear away what they are at, when somebody ends all of it."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.openstack", usage=__doc__)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--reuse", type=Path)
    parser.add_argument("--stop", type=Path)
    parser.add_argument("pytest", nargs="*")
    wanted = parser.parse_args(arguments)
    if wanted.stop:
        whole.stop(Programs(known_site(wanted.stop)))
        shutil.rmtree(wanted.stop)
        return 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    _reach_loopback_directly()
    installation.install_packages(say)
    home = wanted.reuse or Path(tempfile.mkdtemp(prefix="moorage-openstack-"))
    programs = Programs(known_site(home) if wanted.reuse else new_site(home))
    code = 1
    try:
        if wanted.reuse:
            installation.install_releases(say)
            whole.resume(programs)
        else:
            whole.start(programs, say)
        code = _run_tests(home, wanted.pytest)
    except NotStarted as error:
        say(str(error))
    finally:
        if wanted.keep or wanted.reuse:
            say(f"the cloud is kept; stop it with: python -m tests.openstack --stop {home}")
        else:
            whole.stop(programs)
            _clear(home, keep_logs=bool(code))
    return code


def _run_tests(home: Path, arguments: Sequence[str]) -> int:
    command = [sys.executable, "-m", "pytest", str(REPOSITORY / "tests" / "openstack"), *arguments]
    tests = subprocess.Popen(command, env=os.environ | {SITE_VARIABLE: str(home)}, cwd=REPOSITORY)
    try:
        return tests.wait()
    except SystemExit:
        tests.terminate()
        raise
    finally:
        # An interrupt from the keyboard they have seen, too. They clear away what they are at, if that is quickly done.
        with suppress(subprocess.TimeoutExpired):
            tests.wait(LEAVING_SECONDS)
        tests.kill()
        tests.wait()


def _reach_loopback_directly() -> None:
    """A proxy of this machine is for what is installed, and not for the cloud's own services."""
    for name in ("no_proxy", "NO_PROXY"):
        os.environ[name] = ",".join(filter(None, (os.environ.get(name), ADDRESS, "localhost")))


def _clear(home: Path, *, keep_logs: bool) -> None:
    """Remove the folder of a cloud that was stopped; what it wrote stays when somebody will want to read it."""
    if not keep_logs:
        shutil.rmtree(home)
        return
    for entry in home.iterdir():
        if entry.name in {"log", "etc"}:
            continue
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    say(f"logs and settings are in {home}")


_BEGIN = time.monotonic()


def say(sentence: str) -> None:
    print(f"[{time.monotonic() - _BEGIN:5.0f} s] {sentence}", file=sys.stderr, flush=True)  # noqa: T201 - a command


def _leave(number: int, _frame: object) -> None:
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

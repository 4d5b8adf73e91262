"""What the cloud is made of: releases of OpenStack from PyPI, database and broker from Debian's packages."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.openstack.cloud.site import OPENSTACK, REPOSITORY

LISTS = [REPOSITORY / "tests" / "openstack" / name for name in ("requirements.txt", "constraints.txt")]
PROGRAMS = {
    "curl": Path("/usr/bin/curl"),
    "mariadb-server": Path("/usr/sbin/mariadbd"),
    "mariadb-client": Path("/usr/bin/mariadb-admin"),
    "rabbitmq-server": Path("/usr/lib/rabbitmq/bin/rabbitmq-server"),
}
"""A program of each package of Debian that is needed."""

POLICY = Path("/usr/sbin/policy-rc.d")


def install_packages(say: Callable[[str], None]) -> None:
    """Install what is missing of Debian's packages."""
    _install_packages([package for package, program in PROGRAMS.items() if not program.exists()], say)


def install_releases(say: Callable[[str], None]) -> None:
    """An environment with exactly the releases that are asked for; it is kept until the lists change."""
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in LISTS)).hexdigest()
    stamp = OPENSTACK / ".installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say("installing OpenStack from PyPI (some minutes) ...")
    shutil.rmtree(OPENSTACK, ignore_errors=True)
    _quietly([sys.executable, "-m", "venv", str(OPENSTACK)])
    pip = [str(OPENSTACK / "bin" / "python"), "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    requirements, constraints = map(str, LISTS)
    _quietly([*pip, "--requirement", requirements, "--constraint", constraints])
    stamp.write_text(wanted)


def _install_packages(packages: Sequence[str], say: Callable[[str], None]) -> None:
    if not packages:
        return
    if os.geteuid() != 0:
        raise SystemExit(f"{' and '.join(packages)} must be installed first: sudo apt-get install {' '.join(packages)}")
    say(f"installing {' and '.join(packages)} from Debian's packages ...")
    apt = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
    with _no_services():
        wanted = [*apt, "install", "--no-install-recommends", *packages]
        try:
            _quietly(wanted)
        except SystemExit:
            _quietly([*apt, "update"])
            _quietly(wanted)


@contextmanager
def _no_services() -> Iterator[None]:
    """Debian starts the services that it installs, unless this program says 101 (see invoke-rc.d(8))."""
    if POLICY.exists():
        yield
        return
    POLICY.write_text("#!/bin/sh\nexit 101\n")
    POLICY.chmod(0o755)
    try:
        yield
    finally:
        POLICY.unlink()


def _quietly(command: Sequence[str]) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")

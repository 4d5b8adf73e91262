"""Upstream Placement as its users run it: from PyPI, in a virtual environment of its own, served by gunicorn."""

from __future__ import annotations

import subprocess
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import make_url

from bench.load import UPSTREAM
from bench.service import WORKERS, Program

VERSION = "16.0.0"
THREADS = 8

_REQUIREMENTS = (f"openstack-placement=={VERSION}", "gunicorn", "psycopg2-binary", "pymysql")
_HOME = Path(__file__).with_name(".venv-upstream")
_BIN = _HOME / "bin"
_STAMP = _HOME / "installed"


def upstream() -> Program:
    """Install it if need be, and say how to run it."""
    wanted = "\n".join(_REQUIREMENTS)
    if not _STAMP.exists() or _STAMP.read_text() != wanted:
        venv.create(_HOME, with_pip=True, clear=True)
        subprocess.run([_BIN / "python", "-m", "pip", "install", "--quiet", *_REQUIREMENTS], check=True)
        _STAMP.write_text(wanted)
    return Program(
        UPSTREAM,
        f"openstack-placement {VERSION}",
        mount="",
        configuration="placement.conf",
        environment=_environment,
        prepare=[[str(_BIN / "placement-manage"), "db", "sync"]],
        command=_command,
    )


def _environment(database: str, directory: Path) -> Mapping[str, str]:
    return {
        "OS_PLACEMENT_CONFIG_DIR": str(directory),
        "OS_PLACEMENT_DATABASE__CONNECTION": _with_upstream_driver(database),
        "OS_API__AUTH_STRATEGY": "noauth2",
    }


def _command(port: int) -> Sequence[str]:
    return [
        str(_BIN / "gunicorn"),
        "placement.wsgi.api:application",
        f"--bind=127.0.0.1:{port}",
        f"--workers={WORKERS}",
        f"--threads={THREADS}",
        "--keep-alive=120",
        "--timeout=0",
        "--graceful-timeout=5",
        "--no-control-socket",
    ]


def _with_upstream_driver(database: str) -> str:
    """The URL with the drivers that upstream is tested with; it wants MySQL's name for MariaDB, too."""
    drivers = {"postgresql": "postgresql+psycopg2", "mariadb": "mysql+pymysql", "sqlite": "sqlite"}
    url = make_url(database)
    return url.set(drivername=drivers[url.get_backend_name()]).render_as_string(hide_password=False)

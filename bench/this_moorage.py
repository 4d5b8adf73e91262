"""Moorage as it is installed beside this package."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.load import MOORAGE
from bench.service import WORKERS, Program
from moorage import __version__
from moorage.service.settings import CONFIG_VARIABLE

_COMMAND = Path(sys.executable).with_name("moorage")


# The one service that upstream's is: like is compared with like.
_COMPARED = ("placement",)


def moorage(services: Sequence[str] = _COMPARED) -> Program:
    """How to run it; it prepares its database when it starts."""
    return Program(
        MOORAGE,
        f"Moorage {__version__}",
        mount="/placement",
        configuration="moorage.conf",
        environment=_environment,
        prepare=(),
        command=partial(_command, ",".join(services)),
    )


def _environment(database: str, directory: Path) -> Mapping[str, str]:
    return {
        CONFIG_VARIABLE: str(directory / "moorage.conf"),
        "XDG_DATA_HOME": str(directory),
        "OS_DATABASE__CONNECTION": database,
        "OS_API__AUTH_STRATEGY": "noauth2",
    }


def _command(services: str, port: int) -> Sequence[str]:
    return [str(_COMMAND), "serve", "--services", services, "--port", str(port), "--workers", str(WORKERS)]

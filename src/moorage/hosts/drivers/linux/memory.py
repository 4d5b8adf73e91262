"""How much memory there is, in all or in one NUMA node."""

from __future__ import annotations

import re
from pathlib import Path

from moorage.hosts.drivers.driver import DriverError
from moorage.hosts.drivers.linux.files import text_of

_KB_PER_MB = 1024
# A NUMA node's own file begins each line with "Node 0 ".
_TOTAL = re.compile(r"^(?:Node \d+ )?MemTotal:\s+(\d{1,18}) kB$", re.MULTILINE)


def memory_mb(root: Path) -> int:
    """The memory that the kernel manages, in whole MiB."""
    return memory_mb_in(root / "proc/meminfo")


def memory_mb_in(file: Path) -> int:
    """The total in a file such as /proc/meminfo."""
    text = text_of(file)
    if text is None:
        raise DriverError(f"How much memory there is cannot be said: there is no {file}.")
    total = _TOTAL.search(text)
    if total is None:
        raise DriverError(f"{file} cannot be understood: it has no line such as MemTotal: 16318480 kB.")
    return int(total[1]) // _KB_PER_MB

"""How large the file system is that holds the disks of servers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from moorage.hosts.drivers.driver import DriverError

_BYTES_PER_GB = 1024**3


class FileSystemStatus(Protocol):
    """The part of `os.statvfs_result` that counts."""

    @property
    def f_frsize(self) -> int:
        """Bytes in a block."""
        ...

    @property
    def f_blocks(self) -> int:
        """Blocks in all."""
        ...


StatusOf = Callable[[Path], FileSystemStatus]


def disk_gb(path: Path, status_of: StatusOf) -> int:
    """The size of the file system that a path is on, in whole GiB; what is used of it does not matter."""
    try:
        status = status_of(path)
    except OSError as error:
        raise DriverError(
            f"The size of the file system of {path} ([compute] instances_path) is unknown: {error.strerror}."
        ) from error
    return status.f_frsize * status.f_blocks // _BYTES_PER_GB

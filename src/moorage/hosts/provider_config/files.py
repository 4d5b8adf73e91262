"""Opens the files of a directory, and looks at who could have written them.

Everything is judged on what was opened, never on a name: between looking at a name and opening it, somebody could put
another file there.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUFFIX = ".yaml"

MAX_BYTES = 1024 * 1024
"""The largest file that is read: room for some three thousand providers, and parsed in seconds at worst."""


_READS = 5


class Unusable(Exception):
    """A file that cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of a file, and why it cannot be trusted, if so."""

    data: bytes
    distrust: str | None


@contextmanager
def opened(directory: Path) -> Iterator[int]:
    """The directory as a descriptor; FileNotFoundError if it is not there, Unusable if it cannot be read."""
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise
    except NotADirectoryError as error:
        raise Unusable("this is not a directory") from error
    except OSError as error:
        raise Unusable(f"the directory cannot be read: {error.strerror}") from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def names(directory: int) -> list[str]:
    """The names in the directory that can mean files to read, in lexicographic order; hidden ones are passed over."""
    try:
        return sorted(name for name in os.listdir(directory) if not name.startswith("."))
    except OSError as error:
        raise Unusable(f"the directory cannot be read: {error.strerror}") from error


def read(directory: int, name: str, own_uid: int) -> Content | None:
    """A file of the directory, None if it has just been removed; symbolic links are followed."""
    try:
        # Opening a named pipe would otherwise wait for somebody to write into it.
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
        descriptor = os.open(name, flags, dir_fd=directory)
    except FileNotFoundError as error:
        if _is_gone(directory, name):
            return None
        raise Unusable("the symbolic link leads nowhere") from error
    except OSError as error:
        raise Unusable(f"the file cannot be read: {error.strerror}") from error
    try:
        return _content(descriptor, own_uid)
    except OSError as error:
        raise Unusable(f"the file cannot be read: {error.strerror}") from error
    finally:
        os.close(descriptor)


def _content(descriptor: int, own_uid: int) -> Content:
    for _ in range(_READS):
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise Unusable("this is not a file")
        if before.st_size > MAX_BYTES:
            raise Unusable(f"the file has {before.st_size} bytes; more than {MAX_BYTES} are not read")
        data = os.pread(descriptor, MAX_BYTES + 1, 0)
        after = os.fstat(descriptor)
        # A half of what was and a half of what comes may look like a file that is right.
        if len(data) == after.st_size and _mark(before) == _mark(after):
            return Content(data, distrust(after, own_uid))
    raise Unusable("the file is being written while it is read")


def _mark(status: os.stat_result) -> tuple[int, int, int]:
    """Moves with the content, the owner and the permissions."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _is_gone(directory: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return True
    return False


def distrust(status: os.stat_result, own_uid: int) -> str | None:
    """Why somebody who is neither root nor ourselves could have written this, None if nobody could."""
    if status.st_uid not in {0, own_uid}:
        return f"this belongs to the user {status.st_uid}, who is neither root nor the user {own_uid} of this process"
    mode = stat.S_IMODE(status.st_mode)
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others than the owner can write this (mode {mode:04o}); run chmod go-w"
    return None


def displayed(name: str) -> str:
    """A name as it can be shown and sent: file names are bytes, and need be neither UTF-8 nor printable."""
    text = os.fsencode(name).decode("utf-8", "backslashreplace")
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")

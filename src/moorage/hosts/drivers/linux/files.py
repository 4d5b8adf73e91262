"""Small files of the kernel: what is missing is None, what cannot be understood is an error that names the file."""

from __future__ import annotations

from collections.abc import Callable
from errno import ENODEV
from pathlib import Path
from typing import TypeVar

from moorage.hosts.drivers.driver import DriverError

Value = TypeVar("Value")


def text_of(file: Path) -> str | None:
    """The content without the space around it, or None if there is no such file, or not any more."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        # What the kernel says of a device that goes while its file is open.
        if error.errno == ENODEV:
            return None
        raise DriverError(f"{file} cannot be read: {error.strerror}.") from error


def value_of(file: Path, understand: Callable[[str], Value]) -> Value | None:
    """The content as a value; None if there is no such file."""
    text = text_of(file)
    return None if text is None else understood(file, text, understand)


def understood(file: Path, text: str, understand: Callable[[str], Value]) -> Value:
    """A text from a file as a value; a ValueError becomes one that names the file."""
    try:
        return understand(text)
    except ValueError as error:
        raise DriverError(f"{file} cannot be understood: {error}.") from error


def entries_of(directory: Path) -> list[Path]:
    """What is in a directory, sorted; nothing if there is no such directory."""
    try:
        return sorted(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise DriverError(f"{directory} cannot be read: {error.strerror}.") from error

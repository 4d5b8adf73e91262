"""Reads a directory of provider configuration files: every record of every file, or everything that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from moorage.hosts.provider_config.findings import Finding
from moorage.hosts.provider_config.records import Record


@dataclass(frozen=True, slots=True)
class Reading:
    """What the files of a directory say. If anything is wrong, there are problems and no records."""

    # The names of the files that were looked at, in the order in which they are read.
    files: tuple[str, ...] = ()
    records: tuple[Record, ...] = ()
    # Why the files cannot be used: all reasons in all files, file by file.
    problems: tuple[Finding, ...] = ()
    # What the operator may not have meant, and what is ignored.
    warnings: tuple[Finding, ...] = ()
    # What is normal but worth a line in a log: no directory, no files in it.
    notes: tuple[str, ...] = ()


def read_directory(directory: Path, *, strict_permissions: bool = True, own_uid: int | None = None) -> Reading:
    """Read every file of the directory whose name ends with .yaml, in lexicographic order.

    Files must belong to root or to `own_uid` (by default the user of this process) and be writable by nobody else;
    otherwise they are refused or, without `strict_permissions`, give a warning.
    """
    raise NotImplementedError

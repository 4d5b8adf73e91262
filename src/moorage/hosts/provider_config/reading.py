"""Reads a directory of provider configuration files: every record of every file, or everything that is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from moorage.hosts.provider_config import files
from moorage.hosts.provider_config.documents import Document, read_document
from moorage.hosts.provider_config.duplicates import duplicates
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

    The directory and its files must belong to root or to `own_uid` (by default the user of this process) and be
    writable by nobody else; otherwise they are refused or, without `strict_permissions`, give a warning.
    """
    shown = files.displayed(str(directory))
    uid = os.geteuid() if own_uid is None else own_uid
    try:
        with files.opened(directory) as descriptor:
            distrust = files.distrust(os.fstat(descriptor), uid)
            names = files.names(descriptor)
            looked_at = [_look_at(descriptor, name, uid) for name in names if name.endswith(files.SUFFIX)]
    except FileNotFoundError:
        return Reading(notes=(f"There is no directory {shown}.",))
    except files.Unusable as error:
        return Reading(problems=(Finding(shown, str(error)),))
    found = [file for file in looked_at if file is not None]
    distrusted = [Finding(shown, distrust)] if distrust else []
    distrusted += [Finding(file.name, file.distrust) for file in found if file.distrust]
    problems = [problem for file in found for problem in file.document.problems]
    problems += duplicates(named for file in found for named in file.document.named)
    warnings = [_misnamed(name) for name in names if name.endswith(".yml")]
    warnings += [warning for file in found for warning in file.document.warnings]
    (problems if strict_permissions else warnings).extend(distrusted)
    order = [shown, *(file.name for file in found)]
    return Reading(
        files=tuple(file.name for file in found),
        records=() if problems else tuple(record for file in found for record in file.document.records),
        problems=_in_order(problems, order),
        warnings=_in_order(warnings, order),
        notes=() if found else (f"There are no files *{files.SUFFIX} in {shown}.",),
    )


@dataclass(frozen=True, slots=True)
class _File:
    """One file, and why somebody else could have written it, if so."""

    name: str
    document: Document
    distrust: str | None = None


def _look_at(directory: int, name: str, own_uid: int) -> _File | None:
    shown = files.displayed(name)
    try:
        content = files.read(directory, name, own_uid)
    except files.Unusable as error:
        return _File(shown, Document(problems=(Finding(shown, str(error)),)))
    return _File(shown, read_document(shown, content.data), content.distrust) if content else None


def _misnamed(name: str) -> Finding:
    return Finding(files.displayed(name), f"the file is ignored: its name does not end with {files.SUFFIX}")


def _in_order(findings: Iterable[Finding], files_in_order: Sequence[str]) -> tuple[Finding, ...]:
    """File by file, and in each from the first line to the last; files that are not read come last."""
    position = {name: number for number, name in enumerate(files_in_order)}

    def key(finding: Finding) -> tuple[int, int, int]:
        return position.get(finding.file, len(position)), finding.line or 0, finding.column or 0

    return tuple(sorted(findings, key=key))

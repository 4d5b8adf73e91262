"""What one file says: the records in it, what is wrong with it, and what the operator may not have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from moorage.hosts.provider_config.findings import Finding, Path
from moorage.hosts.provider_config.interpretation import Named, interpret
from moorage.hosts.provider_config.loading import load
from moorage.hosts.provider_config.nodes import Mapping, Node, Place, Scalar, Sequence
from moorage.hosts.provider_config.records import Record
from moorage.hosts.provider_config.remarks import Remarks
from moorage.hosts.provider_config.validation import validate, warn_of_unknown_fields

MAJOR, MINOR = "1", "0"
"""The version of the schema that is known here; text, since it is compared and never counted with."""

_VERSION = re.compile(r"([0-9]+)\.([0-9]+)")
_VERSION_PATH: Path = ("meta", "schema_version")


@dataclass(frozen=True, slots=True)
class Document:
    """What one file says."""

    records: tuple[Record, ...] = ()
    # The providers that it names, also in entries that give no record because something else is wrong with them.
    named: tuple[Named, ...] = ()
    problems: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()


def read_document(file: str, content: bytes) -> Document:
    """Read the content of a file; the name is for the findings."""
    loaded = load(content)
    broken = Remarks(file)
    for fault in loaded.faults:
        broken.problem(fault.place, (), fault.message)
    if loaded.root is None:
        if not loaded.faults:
            broken.problem(Place(1, 1), (), "the file is empty", allowed="a mapping with meta and providers")
        return Document(problems=tuple(broken.problems))
    remarks = Remarks(file)
    named, records = _contents(loaded.root, remarks)
    return Document(
        tuple(records),
        tuple(named),
        (*broken.problems, *_new(remarks.problems, broken.problems)),
        tuple(remarks.warnings),
    )


def _contents(root: Node, remarks: Remarks) -> tuple[list[Named], list[Record]]:
    version = _version(root)
    if version is not None and not _is_known(version, remarks):
        return [], []
    wrong = validate(root, version.text if version else None, remarks)
    warn_of_unknown_fields(root, remarks)
    unsound = frozenset(path[:length] for path in wrong for length in range(len(path) + 1))
    found = [interpret(entry, path, unsound, remarks) for entry, path in _entries(root)]
    return [named for named, _ in found if named], [record for _, record in found if record]


def _version(root: Node) -> Scalar | None:
    """The version with its text as it is written: the number 1.10 is not 1.1."""
    meta = root.get("meta") if isinstance(root, Mapping) else None
    version = meta.get("schema_version") if isinstance(meta, Mapping) else None
    if not isinstance(version, Scalar) or type(version.value) not in {str, int, float}:
        return None
    # A block of text ends with a line break that nobody means.
    return Scalar(version.place, version.text.removesuffix("\n"), version.value)


def _is_known(version: Scalar, remarks: Remarks) -> bool:
    """Whether the rest of the file can be understood; a text that is no version at all is left to the schema."""
    parts = _VERSION.fullmatch(version.text)
    if parts is None:
        return True
    major, minor = parts.groups()
    if major != MAJOR:
        message = f"files of version {version.text} cannot be read"
        remarks.problem(
            version.place, _VERSION_PATH, message, version.text, f"{MAJOR}.{MINOR}, or another minor version of {MAJOR}"
        )
    elif minor != MINOR:
        message = f"version {version.text} is not known here; the file is read as {MAJOR}.{MINOR}"
        remarks.warning(version.place, _VERSION_PATH, message, version.text)
    return major == MAJOR


def _entries(root: Node) -> Iterator[tuple[Mapping, Path]]:
    providers = root.get("providers") if isinstance(root, Mapping) else None
    for position, entry in enumerate(providers.items if isinstance(providers, Sequence) else ()):
        if isinstance(entry, Mapping):
            yield entry, ("providers", position)


def _new(findings: Iterable[Finding], known: Iterable[Finding]) -> Iterator[Finding]:
    """Those about places where nothing was wrong yet: what is broken as YAML is not also a wrong value."""
    places = {(finding.line, finding.column) for finding in known}
    return (finding for finding in findings if (finding.line, finding.column) not in places)

"""Takes single values out of a YAML document and says, with their place, which of them are wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from moorage.hosts.provider_config.findings import Finding, Path, shortened, spelled_out
from moorage.hosts.provider_config.nodes import Mapping, Node, Place, Scalar, Sequence

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_KINDS = {Mapping: "a mapping", Sequence: "a list"}


@dataclass(frozen=True, slots=True)
class Field:
    """A value in the document and the way to it."""

    node: Node
    path: Path


@dataclass(slots=True)
class Fields:
    """Reads a document, and collects what is wrong instead of stopping at it."""

    file: str
    findings: list[Finding] = field(default_factory=list)

    def complain(self, found: Field, message: str, allowed: str = "") -> None:
        """Note that a value is wrong."""
        self.complain_at(found.node.place, spelled_out(found.path), message, allowed)

    def complain_at(self, place: Place, path: str, message: str, allowed: str = "") -> None:
        """Note that something at this place is wrong."""
        self.findings.append(Finding(self.file, message, *place, path, allowed=allowed))

    def mapping(self, found: Field, known: Iterable[str]) -> dict[str, Field]:
        """The entries of a mapping that may have these keys."""
        entries = self.entries(found)
        names = tuple(known)
        for key in entries.keys() - set(names):
            self.complain(entries.pop(key), f"nothing is called {shortened(repr(key))} here", ", ".join(names))
        return entries

    def entries(self, found: Field) -> dict[str, Field]:
        """The entries of a mapping with any keys."""
        if not isinstance(found.node, Mapping):
            self.complain(found, f"{shown(found.node)} is no mapping", "keys with values")
            return {}
        return {key: Field(entry.node, (*found.path, key)) for key, entry in found.node.entries.items()}

    def items(self, found: Field | None) -> Iterator[Field]:
        """The items of a list, none if it is left out."""
        if found is None:
            return
        if not isinstance(found.node, Sequence):
            self.complain(found, f"{shown(found.node)} is no list", "a list")
            return
        for position, item in enumerate(found.node.items):
            yield Field(item, (*found.path, position))

    def text(self, found: Field) -> str | None:
        """Text."""
        value: Any = found.node.value if isinstance(found.node, Scalar) else None
        if isinstance(value, str):
            return value
        self.complain(found, f"{shown(found.node)} is no text", "text; in quotes if it looks like a number")
        return None

    def integer(self, found: Field, least: int, most: int) -> int | None:
        """A whole number in a range."""
        value: Any = found.node.value if isinstance(found.node, Scalar) else None
        if type(value) is int and least <= value <= most:
            return value
        self.complain(found, f"{shown(found.node)} cannot be used", f"a whole number from {least} to {most}")
        return None

    def ratio(self, found: Field, most: float) -> float | None:
        """A number above 0."""
        value: Any = found.node.value if isinstance(found.node, Scalar) else None
        # No boolean, although that is an int; and not "not a number", which compares with nothing.
        if type(value) in {int, float} and 0 < value <= most:
            return float(value)
        self.complain(found, f"{shown(found.node)} cannot be used", f"a number above 0, at most {most}")
        return None

    def uuid(self, found: Field) -> str | None:
        """A UUID with dashes."""
        text = found.node.text.lower() if isinstance(found.node, Scalar) else ""
        if _UUID.fullmatch(text):
            return text
        self.complain(found, f"{shown(found.node)} is no UUID", "8-4-4-4-12 hexadecimal digits")
        return None


def shown(node: Node) -> str:
    """A value as a complaint shows it."""
    return shortened(repr(node.text)) if isinstance(node, Scalar) else _KINDS[type(node)]

"""A YAML document as values that remember where in the file they stand."""

from __future__ import annotations

from collections.abc import Mapping as Lookup
from collections.abc import Sequence as Listing
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple


class Place(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text, a number, a date, true, false or null."""

    place: Place
    # As the file has it, without quotes: 1.10 stays 1.10.
    text: str
    value: Any

    size: ClassVar[int] = 1
    height: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list. `size` counts all values in it and `height` its levels, with aliases written out."""

    place: Place
    items: tuple[Node, ...]
    size: int
    height: int


class Entry(NamedTuple):
    """A value in a mapping, and where its key stands."""

    place: Place
    node: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A mapping; its keys are the texts of the file. `size` and `height` are those of a sequence."""

    place: Place
    entries: Lookup[str, Entry]
    size: int
    height: int

    def get(self, key: str) -> Node | None:
        """The value under a key."""
        entry = self.entries.get(key)
        return entry.node if entry else None


Node = Scalar | Sequence | Mapping


def plain(node: Node) -> Any:
    """The values alone."""
    if isinstance(node, Mapping):
        return {key: plain(entry.node) for key, entry in node.entries.items()}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value


def follow(node: Node, path: Listing[str | int]) -> Node:
    """The value that a path leads to."""
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str):
            node = node.entries[step].node
        elif isinstance(node, Sequence) and isinstance(step, int):
            node = node.items[step]
        else:
            raise KeyError(step)
    return node

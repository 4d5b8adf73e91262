"""Builds nodes from the events of a YAML parser as they come.

Too many values, too deep a nesting, or an alias that would multiply without end stop the work before they cost
anything; nothing is overwritten silently.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import yaml

from moorage.hosts.provider_config.findings import shortened
from moorage.hosts.provider_config.nodes import Entry, Mapping, Node, Place, Scalar, Sequence
from moorage.hosts.provider_config.scalars import MAPPING, MERGE, SEQUENCE, Misread, tag_of, value_of

MAX_VALUES = 250_000
"""How many values a document may have with its aliases written out; a provider with one inventory has about 25."""

MAX_DEPTH = 64
"""How deeply a document may be nested with its aliases written out; known fields need seven levels."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a document may not have."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document, None if there is none or it cannot be understood, and what is wrong with it."""

    root: Node | None
    faults: tuple[Fault, ...] = ()


class _Stop(Exception):
    """There is no point in reading on."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(place, message)


def build(events: Iterable[yaml.Event]) -> Loaded:
    """The one document that the events tell of; what a parser has against it comes out as its exception."""
    return _Builder().document(events)


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not come yet; in a mapping, keys and values take turns."""

    place: Place
    anchor: str | None
    is_mapping: bool
    children: list[Node] = field(default_factory=list)
    # Which children are keys that merge another mapping into this one.
    merges: set[int] = field(default_factory=set)


class _Builder:
    """A document in the making."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._open: list[_Open] = []
        # None while what has the anchor is still open.
        self._anchors: dict[str, Node | None] = {}
        self._anchored_at: dict[str, Place] = {}
        self._documents = 0
        # With aliases written out.
        self._values = 0
        self._root: Node | None = None

    def document(self, events: Iterable[yaml.Event]) -> Loaded:
        """All there is; what a parser says against it comes out as its exception."""
        try:
            for event in events:
                self._take(event)
        except _Stop as stop:
            return Loaded(None, (*self._faults, stop.fault))
        return Loaded(self._root, tuple(self._faults))

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.NodeEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _Stop(_place_of(event), "a second document begins here; a file holds exactly one")

    def _begin(self, event: yaml.NodeEvent) -> None:
        place = _place_of(event)
        if isinstance(event, yaml.AliasEvent):
            node = self._aliased(place, event.anchor or "")
            self._count(place, node.size)
            self._add(node)
            return
        self._count(place, 1)
        if event.anchor is not None:
            self._note_anchor(place, event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(place, event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._collection(place, event)

    def _count(self, place: Place, values: int) -> None:
        self._values += values
        if self._values > MAX_VALUES:
            raise _Stop(place, f"with its aliases written out, the file has more than {MAX_VALUES} values")

    def _check_depth(self, place: Place, further: int) -> None:
        if len(self._open) + further > MAX_DEPTH:
            raise _Stop(place, f"with its aliases written out, the file is nested more than {MAX_DEPTH} levels deep")

    def _note_anchor(self, place: Place, anchor: str) -> None:
        if anchor in self._anchors:
            line, column = self._anchored_at[anchor]
            self._faults.append(Fault(place, f"the anchor &{anchor} is already in line {line}, column {column}"))
        self._anchors[anchor] = None
        self._anchored_at[anchor] = place

    def _aliased(self, place: Place, anchor: str) -> Node:
        if anchor not in self._anchors:
            raise _Stop(place, f"the alias *{anchor} refers to an anchor that does not come before it")
        node = self._anchors[anchor]
        if node is None:
            raise _Stop(place, f"the alias *{anchor} stands inside what it refers to")
        self._check_depth(place, node.height)
        return node

    def _scalar(self, place: Place, event: yaml.ScalarEvent) -> None:
        tag = tag_of(event)
        if tag == MERGE and self._awaits_key():
            self._open[-1].merges.add(len(self._open[-1].children))
            value = None
        else:
            try:
                value = value_of(event.value, tag)
            except Misread as error:
                self._faults.append(Fault(place, f"{shortened(repr(event.value))} {error}"))
                value = None
        self._add(Scalar(place, event.value, value), event.anchor)

    def _awaits_key(self) -> bool:
        return bool(self._open) and self._open[-1].is_mapping and len(self._open[-1].children) % 2 == 0

    def _collection(self, place: Place, event: yaml.CollectionStartEvent) -> None:
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag not in {None, "!", MAPPING if is_mapping else SEQUENCE}:
            self._faults.append(Fault(place, f"the tag {event.tag} has no meaning in these files"))
        self._check_depth(place, 1)
        self._open.append(_Open(place, event.anchor, is_mapping))

    def _end(self) -> None:
        ended = self._open.pop()
        size = 1 + sum(child.size for child in ended.children)
        height = 1 + max((child.height for child in ended.children), default=0)
        node = (
            Mapping(ended.place, self._entries(ended), size, height)
            if ended.is_mapping
            else Sequence(ended.place, tuple(ended.children), size, height)
        )
        self._add(node, ended.anchor)

    def _add(self, node: Node, anchor: str | None = None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if self._open:
            self._open[-1].children.append(node)
        else:
            self._root = node

    def _entries(self, ended: _Open) -> dict[str, Entry]:
        """What a mapping holds: first what it takes over from others, then its own, which goes before that."""
        own: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        for position in range(0, len(ended.children), 2):
            key, node = ended.children[position : position + 2]
            if position in ended.merges:
                merged |= self._merged(node)
            elif not isinstance(key, Scalar):
                self._faults.append(Fault(key.place, "a list or a mapping cannot be a key"))
            elif key.text in own:
                line, column = own[key.text].place
                known = f"the key {shortened(repr(key.text))} is already in line {line}, column {column}"
                self._faults.append(Fault(key.place, known))
            else:
                own[key.text] = Entry(key.place, node)
        return merged | own

    def _merged(self, node: Node) -> dict[str, Entry]:
        """What a merge key brings in; of several mappings, the first that has a key gives its value."""
        if isinstance(node, Mapping):
            return dict(node.entries)
        merged: dict[str, Entry] = {}
        for item in node.items if isinstance(node, Sequence) else (node,):
            if isinstance(item, Mapping):
                merged = {**item.entries, **merged}
            else:
                self._faults.append(Fault(item.place, "only mappings can be merged with <<"))
        return merged


def _place_of(event: yaml.Event) -> Place:
    mark = event.start_mark
    return Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)

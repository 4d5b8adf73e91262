"""Turns one entry of `providers` into a record, by the rules that the schema cannot say.

An entry in which something is wrong gives no record, but what is sound in it is looked at all the same: an operator
gets to know everything at once.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from moorage.hosts.provider_config.findings import Path
from moorage.hosts.provider_config.nodes import Mapping, Node, Place, Scalar, Sequence
from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.hosts.provider_config.remarks import Remarks, shown
from moorage.placement.model.inventory import Inventory

MAX_NAMES = 4000
"""How many classes, and how many traits, an entry may add; Moorage can note some more about a provider."""

_AMOUNTS = ("total", "reserved", "min_unit", "max_unit", "step_size")


@dataclass(frozen=True, slots=True)
class Named:
    """A provider that an entry names, and where. One of `uuid` (lower case, or COMPUTE_NODE) and `name` is there."""

    uuid: str | None
    name: str | None
    file: str
    place: Place
    path: Path

    @property
    def identification(self) -> str:
        """What no other entry may name: a UUID or a name, whichever it is."""
        return self.uuid or self.name or ""


def interpret(
    entry: Mapping, path: Path, unsound: AbstractSet[Path], remarks: Remarks
) -> tuple[Named | None, Record | None]:
    """Read one entry; `unsound` are the paths of all values that the schema finds something wrong in."""
    problems_before = len(remarks.problems)
    named = _named(entry, path, unsound, remarks)
    inventories = _inventories(entry, path, unsound, remarks)
    traits = frozenset(_traits(entry))
    _check_number(entry, "inventories", len(inventories), path, remarks)
    _check_number(entry, "traits", len(traits), path, remarks)
    if named is None or path in unsound or len(remarks.problems) > problems_before:
        return named, None
    if not inventories and not traits:
        remarks.warning(entry.place, path, "there are neither inventories nor traits, so the entry is ignored")
        return None, None
    return named, Record(named.uuid, named.name, inventories, traits, remarks.file, entry.place.line)


def _named(entry: Mapping, path: Path, unsound: AbstractSet[Path], remarks: Remarks) -> Named | None:
    path = (*path, "identification")
    identification = entry.get("identification")
    if path in unsound or not isinstance(identification, Mapping):
        return None
    key = "uuid" if "uuid" in identification.entries else "name"
    path = (*path, key)
    node = identification.entries[key].node
    value = str(node.value) if isinstance(node, Scalar) else ""
    if value == COMPUTE_NODE:
        if key == "name":
            remarks.warning(node.place, path, f"{COMPUTE_NODE} is no name; it is taken for uuid: {COMPUTE_NODE}", value)
        return Named(COMPUTE_NODE, None, remarks.file, node.place, path)
    if key == "uuid":
        return Named(str(uuid.UUID(value)), None, remarks.file, node.place, path)
    if value != value.strip() or not value.isprintable():
        remarks.warning(node.place, path, f"{shown(node)} has white space around it or control characters in it", value)
    return Named(None, value, remarks.file, node.place, path)


def _inventories(entry: Mapping, path: Path, unsound: AbstractSet[Path], remarks: Remarks) -> dict[str, Inventory]:
    found: dict[str, Inventory] = {}
    places: dict[str, Place] = {}
    for mapping, mapping_path in _mappings(entry, path):
        for resource_class, (place, node) in mapping.entries.items():
            class_path = (*mapping_path, resource_class)
            if resource_class in places:
                line, column = places[resource_class]
                remarks.warning(place, class_path, f"this takes the place of what is in line {line}, column {column}")
            places[resource_class] = place
            if isinstance(node, Mapping):
                _check(node, class_path, unsound, remarks)
                if class_path not in unsound:
                    found[resource_class] = _inventory(node)
    return found


def _mappings(entry: Mapping, path: Path) -> Iterator[tuple[Mapping, Path]]:
    """The mappings of inventories: one, or a list of them."""
    path = (*path, "inventories", "additional")
    additional = _additional(entry, "inventories")
    if isinstance(additional, Mapping):
        yield additional, path
    elif isinstance(additional, Sequence):
        for position, item in enumerate(additional.items):
            if isinstance(item, Mapping):
                yield item, (*path, position)


def _traits(entry: Mapping) -> Iterator[str]:
    additional = _additional(entry, "traits")
    if isinstance(additional, Sequence):
        yield from (item.text for item in additional.items if isinstance(item, Scalar))


def _additional(entry: Mapping, field: str) -> Node | None:
    section = entry.get(field)
    return section.get("additional") if isinstance(section, Mapping) else None


def _check_number(entry: Mapping, field: str, number: int, path: Path, remarks: Remarks) -> None:
    if number > MAX_NAMES and (additional := _additional(entry, field)) is not None:
        message = f"there are {number} {field}"
        remarks.problem(additional.place, (*path, field, "additional"), message, str(number), f"at most {MAX_NAMES}")


def _check(node: Mapping, path: Path, unsound: AbstractSet[Path], remarks: Remarks) -> None:
    """Hold the numbers of an inventory against each other, as far as each for itself has passed the schema."""

    def sound(field: str) -> Node | None:
        return None if (*path, field) in unsound else node.get(field)

    def at_most(lesser: str, greater: str) -> None:
        low, high = sound(lesser), sound(greater)
        if isinstance(low, Scalar) and isinstance(high, Scalar) and low.value > high.value:
            message = f"{shown(low)} is more than {greater}, which is {shown(high)}"
            remarks.problem(low.place, (*path, lesser), message, shown(low), f"at most {greater}")

    at_most("reserved", "total")
    at_most("min_unit", "max_unit")
    ratio = sound("allocation_ratio")
    if isinstance(ratio, Scalar) and math.isnan(ratio.value):
        message = f"{shown(ratio)} is not a number"
        remarks.problem(ratio.place, (*path, "allocation_ratio"), message, shown(ratio), "a finite number above 0")


def _inventory(node: Mapping) -> Inventory:
    values = {key: entry.node.value for key, entry in node.entries.items() if isinstance(entry.node, Scalar)}
    # A whole number may be written as 2.0.
    amounts = {name: int(values[name]) for name in _AMOUNTS if name in values}
    return Inventory(**amounts, allocation_ratio=float(values.get("allocation_ratio", 1.0)))

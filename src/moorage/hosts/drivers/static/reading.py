"""Reads the document of the driver static into descriptions; sample.yaml shows all that it may have."""

from __future__ import annotations

import re
from collections.abc import Mapping as Lookup

import os_resource_classes
import os_traits

from moorage.hosts.drivers.static.description import Description, File
from moorage.hosts.drivers.static.fields import Field, Fields
from moorage.hosts.drivers.static.names import complaint
from moorage.hosts.provider_config.findings import Finding, spelled_out
from moorage.hosts.provider_config.loading import load
from moorage.hosts.provider_config.nodes import Mapping, Scalar
from moorage.placement.model.inventory import MAX_AMOUNT, MAX_RATIO, Inventory

MAX_COUNT = 100_000

_OF_A_FILE = ("nodes", "providers")
_OF_A_PROVIDER = ("name", "uuid", "count", "first", "inventories", "traits", "aggregates", "children")
_OF_AN_INVENTORY = ("total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")
_CUSTOM = re.compile(r"CUSTOM_[A-Z0-9_]{1,248}")


def read(file: str, content: bytes) -> tuple[File, list[Finding]]:
    """What a file describes, and everything that is wrong with it; if anything is, the descriptions are incomplete."""
    fields = Fields(file)
    loaded = load(content)
    for fault in loaded.faults:
        fields.complain_at(fault.place, "", fault.message)
    if loaded.root is None:
        if not loaded.faults:
            fields.findings.append(Finding(file, "the file is empty", allowed=" and ".join(_OF_A_FILE)))
        return File((), ()), fields.findings
    entries = fields.mapping(Field(loaded.root, ()), _OF_A_FILE)
    nodes, providers = (
        tuple(_description(fields, item, is_child=False) for item in fields.items(entries.get(key)))
        for key in _OF_A_FILE
    )
    return File(nodes, providers), fields.findings


def _description(fields: Fields, found: Field, *, is_child: bool) -> Description:
    entries = fields.mapping(found, _OF_A_PROVIDER)
    is_many = "count" in entries
    return Description(
        name=_name(fields, found, entries.get("name"), is_child=is_child, is_many=is_many),
        uuid=_uuid(fields, entries.get("uuid"), is_many=is_many),
        numbers=_numbers(fields, entries),
        inventories=_inventories(fields, entries.get("inventories")),
        traits=_traits(fields, entries.get("traits")),
        aggregates=frozenset(
            aggregate for item in fields.items(entries.get("aggregates")) if (aggregate := fields.uuid(item))
        ),
        children=tuple(_description(fields, item, is_child=True) for item in fields.items(entries.get("children"))),
        place=found.node.place,
        path=spelled_out(found.path),
    )


def _name(fields: Fields, owner: Field, found: Field | None, *, is_child: bool, is_many: bool) -> str:
    if found is None:
        if isinstance(owner.node, Mapping):
            fields.complain(owner, "the name is missing", "a name")
        return ""
    name = fields.text(found)
    if name is None:
        return ""
    if wrong := complaint(name, is_child=is_child, is_many=is_many):
        fields.complain(found, f"the name {name!r} {wrong}")
    return name


def _uuid(fields: Fields, found: Field | None, *, is_many: bool) -> str | None:
    if found is None:
        return None
    if is_many:
        fields.complain(found, "where there is a count, no UUID can be given; each is made from the name")
        return None
    return fields.uuid(found)


def _numbers(fields: Fields, entries: Lookup[str, Field]) -> range:
    first, count = 0, 1
    if found := entries.get("count"):
        first, count = 1, fields.integer(found, 1, MAX_COUNT) or 1
    if found := entries.get("first"):
        first = fields.integer(found, 0, MAX_AMOUNT) or 0
        if "count" not in entries:
            fields.complain(found, "without a count there are no numbers, and so no first one")
    return range(first, first + count)


def _inventories(fields: Fields, found: Field | None) -> dict[str, Inventory]:
    if found is None:
        return {}
    inventories = {}
    for name, entry in fields.entries(found).items():
        if name not in os_resource_classes.STANDARDS and not _CUSTOM.fullmatch(name):
            fields.complain(entry, f"{name!r} is no resource class", "a standard class, or CUSTOM_ and A-Z, 0-9, _")
        if inventory := _inventory(fields, entry):
            inventories[name] = inventory
    return inventories


def _inventory(fields: Fields, found: Field) -> Inventory | None:
    if isinstance(found.node, Scalar):
        total = fields.integer(found, 1, MAX_AMOUNT)
        return None if total is None else Inventory(total)
    entries = fields.mapping(found, _OF_AN_INVENTORY)
    if "total" not in entries:
        if isinstance(found.node, Mapping):
            fields.complain(found, "the total is missing", f"total: a whole number from 1 to {MAX_AMOUNT}")
        return None
    values = {
        key: fields.integer(entry, 0 if key == "reserved" else 1, MAX_AMOUNT)
        for key, entry in entries.items()
        if key != "allocation_ratio"
    }
    ratio = fields.ratio(entries["allocation_ratio"], MAX_RATIO) if "allocation_ratio" in entries else 1.0
    given = {key: value for key, value in values.items() if value is not None}
    if ratio is None or len(given) < len(values):
        return None
    inventory = Inventory(**given, allocation_ratio=ratio)
    if inventory.reserved > inventory.total:
        fields.complain(
            entries["reserved"], f"{inventory.reserved} is more than there is", f"at most {inventory.total}"
        )
    if inventory.min_unit > inventory.max_unit:
        where = entries.get("min_unit") or entries["max_unit"]
        fields.complain(where, f"min_unit {inventory.min_unit} is more than max_unit {inventory.max_unit}")
    return inventory


def _traits(fields: Fields, found: Field | None) -> frozenset[str]:
    standard = frozenset(os_traits.get_traits())
    traits = set()
    for item in fields.items(found):
        trait = fields.text(item)
        if trait is None:
            continue
        if trait not in standard and not _CUSTOM.fullmatch(trait):
            fields.complain(item, f"{trait!r} is no trait", "a standard trait, or CUSTOM_ and A-Z, 0-9, _")
        traits.add(trait)
    return frozenset(traits)

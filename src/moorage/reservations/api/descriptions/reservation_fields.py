"""What a reservation asks for, as it stands in the bodies of leases and in queries."""

from __future__ import annotations

from typing import get_args

from moorage.reservations.api.descriptions.values import whole_number
from moorage.reservations.api.reservation_fields import LONGEST_CONDITION, RANGES
from moorage.reservations.model.reservation import RESOURCE_TYPES, BeforeEnd
from moorage.web.schema import Definition

_WORDS = ("1", "0", "t", "f", "y", "n", "true", "false", "on", "off", "yes", "no", "none", "null")


def _in_any_case(word: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


# The command line client sends the words None, True and False.
AFFINITY: Definition = {
    "description": "Whether instances share a host (true), are each on another (false), or anywhere (null).",
    "anyOf": [
        {"type": ["boolean", "null"]},
        {"enum": [0, 1]},
        {"type": "string", "pattern": rf"^\s*({'|'.join(map(_in_any_case, _WORDS))})?\s*$"},
    ],
}

_COMPARISONS = "(==|=|!=|<|<=|>|>=)"
_CONDITION: Definition = {
    "type": "string",
    "maxLength": LONGEST_CONDITION,
    "description": 'A condition on hosts in JSON, such as [">=", "$vcpus", "8"], or nothing.',
    "anyOf": [
        # A single comparison with what every host has.
        {"pattern": rf'^\["{_COMPARISONS}", "\$(vcpus|memory_mb|local_gb)", "[0-9]{{1,9}}"\]$'},
        {"pattern": rf'^\s*(\[\s*("({_COMPARISONS[1:-1]}|and|or|not)"\s*,[\s\S]+)?\]\s*)?$'},
    ],
}
CONDITION_OR_NULL: Definition = {"anyOf": [{"type": "null"}, _CONDITION]}

_SHAPE = {name: whole_number(*RANGES[name]) for name in ("vcpus", "memory_mb", "disk_gb")}
AMOUNT = whole_number(*RANGES["amount"])
_BEFORE_END = ("", *get_args(BeforeEnd))


def _reservation(resource_type: str, required: dict[str, Definition], optional: dict[str, Definition]) -> Definition:
    return {
        "title": resource_type,
        "type": "object",
        "properties": {"resource_type": {"const": resource_type}, **required, **optional},
        "required": ["resource_type", *required],
    }


_INSTANCES = _reservation(
    "virtual:instance",
    {"amount": AMOUNT, **_SHAPE},
    {"affinity": AFFINITY, "resource_properties": CONDITION_OR_NULL},
)
_FLAVOR = _reservation(
    "flavor:instance",
    {"flavor_id": {"type": "string", "minLength": 1}},
    {"amount": AMOUNT, "affinity": AFFINITY, "resource_properties": CONDITION_OR_NULL},
)
_HOSTS = _reservation(
    "physical:host",
    {"min": AMOUNT, "max": AMOUNT},
    {
        "hypervisor_properties": CONDITION_OR_NULL,
        "resource_properties": CONDITION_OR_NULL,
        "before_end": {"enum": [None, *_BEFORE_END]},
    },
)
RESERVATION: Definition = {"oneOf": [_INSTANCES, _FLAVOR, _HOSTS]}


# The same in a query. Which of them must be there depends on the type.
QUERY: dict[str, Definition] = {
    "resource_type": {"type": "string", "enum": list(RESOURCE_TYPES), "default": "virtual:instance"},
    **{name: {"type": "integer", "minimum": least, "maximum": most} for name, (least, most) in RANGES.items()},
    "affinity": {"type": "string", "pattern": AFFINITY["anyOf"][-1]["pattern"]},
    "flavor_id": {"type": "string"},
    "hypervisor_properties": _CONDITION,
    "resource_properties": _CONDITION,
    "before_end": {"type": "string", "enum": list(_BEFORE_END)},
}

"""The fields of a reservation as clients send them, as requests; each that is wrong is named with what is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from moorage.reservations.model.properties import read_condition
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.reservation import BeforeEnd, HostRequest, InstanceRequest

# More than any host has; larger numbers have no place in the tables.
LARGEST = 2**31 - 1
MOST_SLOTS = 100_000
LONGEST_CONDITION = 10_000
# Digits of other scripts are none here, whatever Python makes of them.
DIGITS = "[0-9]{1,12}"
# The least and the most of each number.
RANGES = {
    "amount": (1, MOST_SLOTS),
    "min": (1, MOST_SLOTS),
    "max": (1, MOST_SLOTS),
    "vcpus": (1, LARGEST),
    "memory_mb": (1, LARGEST),
    "disk_gb": (0, LARGEST),
}
_WRITTEN = re.compile(rf"\s*{DIGITS}\s*")
_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})


def instances(fields: Mapping[str, Any]) -> InstanceRequest:
    """A virtual:instance reservation."""
    vcpus, memory_mb, disk_gb = (_number(fields, name) for name in ("vcpus", "memory_mb", "disk_gb"))
    resources = {"VCPU": vcpus, "MEMORY_MB": memory_mb, "DISK_GB": disk_gb}
    return InstanceRequest(
        amount=_number(fields, "amount"),
        vcpus=vcpus,
        memory_mb=memory_mb,
        disk_gb=disk_gb,
        affinity=affinity(fields.get("affinity")),
        resource_properties=condition(fields, "resource_properties"),
        resources={name: number for name, number in resources.items() if number},
    )


def hosts(fields: Mapping[str, Any]) -> HostRequest:
    """A physical:host reservation."""
    least, most = _number(fields, "min"), _number(fields, "max")
    if most < least:
        raise Invalid(f"max must be at least min; it is {most}, and min is {least}.")
    return HostRequest(
        min=least,
        max=most,
        hypervisor_properties=condition(fields, "hypervisor_properties"),
        resource_properties=condition(fields, "resource_properties"),
        before_end=_before_end(fields.get("before_end")),
    )


def amount(value: Any) -> int:
    """A number of instances."""
    return whole_number(value, "amount", *RANGES["amount"])


def check(fields: Mapping[str, Any]) -> None:
    """Refuse what is wrong, also where a reservation of this type has no use for it."""
    for name in RANGES:
        if fields.get(name) is not None:
            _number(fields, name)
    affinity(fields.get("affinity"))
    _before_end(fields.get("before_end"))
    for name in ("hypervisor_properties", "resource_properties"):
        condition(fields, name)


def affinity(value: Any) -> bool | None:
    """Whether instances share a host; the command line client sends the words None, True and False."""
    if value is None or isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in {"", "none", "null"}:
        return None
    if word in _TRUE | _FALSE:
        return word in _TRUE
    raise Invalid(f"Invalid values for parameters: affinity is {value!r}; it may be True, False or None.")


def condition(fields: Mapping[str, Any], name: str) -> str:
    """A condition on hosts, as it was written, once it is known to be one."""
    text = fields.get(name)
    if text is None:
        return ""
    if not isinstance(text, str) or len(text) > LONGEST_CONDITION:
        raise Invalid(f"Malformed requirements {text}")
    read_condition(text)
    return text


def whole_number(value: Any, name: str, least: int, most: int = LARGEST) -> int:
    """A number in a range, also as a text."""
    number: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif (isinstance(value, float) and value.is_integer()) or (isinstance(value, str) and _WRITTEN.fullmatch(value)):
        number = int(value)
    if number is None or not least <= number <= most:
        raise Invalid(
            f"Invalid values for parameters: {name} is {value!r}; it must be a whole number from {least} to {most}."
        )
    return number


def _number(fields: Mapping[str, Any], name: str) -> int:
    return whole_number(_required(fields, name), name, *RANGES[name])


def _required(fields: Mapping[str, Any], name: str) -> Any:
    if fields.get(name) is None:
        raise Invalid(f"Missing parameter {name}")
    return fields[name]


def _before_end(value: Any) -> BeforeEnd:
    match value:
        case None | "" | "default":
            return "default"
        case "snapshot":
            return "snapshot"
    raise Invalid(f"Invalid values for parameters: before_end is {value!r}; it may be default or snapshot.")

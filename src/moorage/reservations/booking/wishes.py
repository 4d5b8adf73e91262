"""The fields of a reservation as clients send them, as requests; each that is wrong is named with what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moorage.reservations.model.properties import read_condition
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.reservation import BeforeEnd, HostRequest, InstanceRequest

# More than any host has; larger numbers have no place in the tables.
_LARGEST = 2**31 - 1
_MOST_SLOTS = 100_000
_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})
_LONGEST_CONDITION = 10_000


def instances(fields: Mapping[str, Any]) -> InstanceRequest:
    """A virtual:instance reservation."""
    vcpus = _number(fields, "vcpus", 1)
    memory_mb = _number(fields, "memory_mb", 1)
    disk_gb = _number(fields, "disk_gb", 0)
    resources = {"VCPU": vcpus, "MEMORY_MB": memory_mb, "DISK_GB": disk_gb}
    return InstanceRequest(
        amount=amount(_required(fields, "amount")),
        vcpus=vcpus,
        memory_mb=memory_mb,
        disk_gb=disk_gb,
        affinity=affinity(fields.get("affinity")),
        resource_properties=condition(fields, "resource_properties"),
        resources={name: number for name, number in resources.items() if number},
    )


def hosts(fields: Mapping[str, Any]) -> HostRequest:
    """A physical:host reservation."""
    least, most = _number(fields, "min", 1, _MOST_SLOTS), _number(fields, "max", 1, _MOST_SLOTS)
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
    return whole_number(value, "amount", 1, _MOST_SLOTS)


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
    if not isinstance(text, str) or len(text) > _LONGEST_CONDITION:
        raise Invalid(f"Malformed requirements {text}")
    read_condition(text)
    return text


def whole_number(value: Any, name: str, least: int, most: int = _LARGEST) -> int:
    """A number in a range, also as a text."""
    number: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and value.strip().isdecimal() and len(value) <= 12:  # noqa: PLR2004 - none has more
        number = int(value)
    if number is None or not least <= number <= most:
        raise Invalid(
            f"Invalid values for parameters: {name} is {value!r}; it must be a whole number from {least} to {most}."
        )
    return number


def _number(fields: Mapping[str, Any], name: str, least: int, most: int = _LARGEST) -> int:
    return whole_number(_required(fields, name), name, least, most)


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

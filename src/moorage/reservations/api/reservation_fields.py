"""The fields of a reservation as clients send them, as requests; each that is wrong is named with what is allowed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from moorage.reservations.booking.orders import FlavorOrder
from moorage.reservations.model.properties import read_condition
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.reservation import (
    BeforeEnd,
    HostRequest,
    InstanceRequest,
    check_bounds,
    resources_of,
)

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
    vcpus, memory_mb, disk_gb = (number(fields, name) for name in ("vcpus", "memory_mb", "disk_gb"))
    return InstanceRequest(
        amount=number(fields, "amount"),
        vcpus=vcpus,
        memory_mb=memory_mb,
        disk_gb=disk_gb,
        affinity=affinity(fields.get("affinity")),
        resource_properties=condition(fields, "resource_properties"),
        resources=resources_of(vcpus, memory_mb, disk_gb),
    )


def flavor_order(fields: Mapping[str, Any]) -> FlavorOrder:
    """A flavor:instance reservation, whose flavor compute has to be asked about."""
    flavor_id = fields.get("flavor_id")
    if not isinstance(flavor_id, str) or not flavor_id:
        raise Invalid("Missing parameter flavor_id")
    return FlavorOrder(
        flavor_id=flavor_id,
        amount=amount(fields.get("amount", 1)),
        affinity=affinity(fields.get("affinity")),
        resource_properties=condition(fields, "resource_properties"),
    )


def hosts(fields: Mapping[str, Any]) -> HostRequest:
    """A physical:host reservation."""
    request = HostRequest(
        min=number(fields, "min"),
        max=number(fields, "max"),
        hypervisor_properties=condition(fields, "hypervisor_properties"),
        resource_properties=condition(fields, "resource_properties"),
        before_end=before_end(fields.get("before_end")),
    )
    check_bounds(request)
    return request


def amount(value: Any) -> int:
    """A number of instances."""
    return whole_number(value, "amount", *RANGES["amount"])


def check(fields: Mapping[str, Any]) -> None:
    """Refuse what is wrong, also where a reservation of this type has no use for it."""
    for name in RANGES:
        if fields.get(name) is not None:
            number(fields, name)
    affinity(fields.get("affinity"))
    before_end(fields.get("before_end"))
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
    found: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        found = value
    elif (isinstance(value, float) and value.is_integer()) or (isinstance(value, str) and _WRITTEN.fullmatch(value)):
        found = int(value)
    if found is None or not least <= found <= most:
        raise Invalid(
            f"Invalid values for parameters: {name} is {value!r}; it must be a whole number from {least} to {most}."
        )
    return found


def number(fields: Mapping[str, Any], name: str) -> int:
    """The number in a field that must be there."""
    return whole_number(_required(fields, name), name, *RANGES[name])


def _required(fields: Mapping[str, Any], name: str) -> Any:
    if fields.get(name) is None:
        raise Invalid(f"Missing parameter {name}")
    return fields[name]


def before_end(value: Any) -> BeforeEnd:
    """What is done with the servers on reserved hosts before the end."""
    match value:
        case None | "" | "default":
            return "default"
        case "snapshot":
            return "snapshot"
    raise Invalid(f"Invalid values for parameters: before_end is {value!r}; it may be default or snapshot.")

"""What the things are called that reservations have in Placement and compute, so that they are found again by name."""

from __future__ import annotations

import re

RESOURCE_CLASS_PREFIX = "CUSTOM_RESERVATION_"

PREFIX = "reservation:"
"""What names of flavors and aggregates of reservations begin with, and the keys by which hosts are kept for them."""

POOL_TRAIT = f"{RESOURCE_CLASS_PREFIX}FREE_POOL"
"""What the reservation providers of all hosts have, where traits decide who may use them."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def resource_class_of(reservation_id: str) -> str:
    """The class by which Placement counts the instances of a reservation; also a trait of hosts that it reserves."""
    return f"{RESOURCE_CLASS_PREFIX}{reservation_id.upper().replace('-', '_')}"


def reservation_of_class(resource_class: str) -> str:
    """The id of the reservation that a class is of."""
    return resource_class.removeprefix(RESOURCE_CLASS_PREFIX).lower().replace("_", "-")


def is_class_of_reservation(resource_class: str) -> bool:
    """Whether a class is of some reservation, perhaps of another service's."""
    return resource_class.startswith(RESOURCE_CLASS_PREFIX)


def flavor_name(reservation_id: str) -> str:
    """The name of the private flavor of a reservation."""
    return f"{PREFIX}{reservation_id}"


def is_flavor_name(name: str) -> bool:
    """Whether a flavor is of some reservation, and its owner's alone."""
    return name.startswith(PREFIX)


def aggregate_name(reservation_id: str) -> str:
    """The name of the aggregate of reserved hosts."""
    return f"{PREFIX}{reservation_id}"


def is_aggregate_name(name: str) -> bool:
    """Whether an aggregate is of some reservation; others may have names that only begin like those."""
    return name.startswith(PREFIX) and _UUID.fullmatch(reservation_of_name(name)) is not None


def reservation_of_name(name: str) -> str:
    """The id of the reservation that a flavor or an aggregate is of."""
    return name.removeprefix(PREFIX)


def metadata_key(owner_id: str) -> str:
    """The key in the metadata of a reservation's aggregate, or of the free pool's, and of flavors that may go there."""
    return f"{PREFIX}{owner_id}"


def snapshot_name(reservation_id: str, server_id: str) -> str:
    """The name of the snapshot of a server, made before its lease ends."""
    return f"{PREFIX}{reservation_id}:{server_id}"


def reservation_provider_name(host_name: str) -> str:
    """The name of the provider below a host that has the slots of reservations."""
    return f"blazar_{host_name}"

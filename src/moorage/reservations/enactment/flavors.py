"""The private flavor of a reservation: its id is the reservation's, and only the lease's project may use it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from moorage.client.compute import ComputeClient, Flavor
from moorage.client.errors import Conflict, NotFound
from moorage.reservations.model.names import flavor_name


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateFlavor:
    """What the flavor of a reservation shall be."""

    id: str
    vcpus: int
    ram_mb: int
    disk_gb: int
    ephemeral_gb: int = 0
    swap_mb: int = 0
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """How it is listed."""
        return flavor_name(self.id)

    def has_size_of(self, other: Flavor) -> bool:
        """Whether a flavor is as large as this one; a size cannot be changed."""
        mine = (self.vcpus, self.ram_mb, self.disk_gb, self.ephemeral_gb, self.swap_mb)
        return mine == (other.vcpus, other.ram_mb, other.disk_gb, other.ephemeral_gb, other.swap_mb)


def ensure_flavor(compute: ComputeClient, wanted: PrivateFlavor) -> None:
    """Have the flavor; one of another size is replaced, which its users notice only in new instances."""
    found = compute.flavor(wanted.id)
    if found is not None and not wanted.has_size_of(found):
        remove_flavor(compute, wanted.id)
        found = None
    if found is None:
        found = _create(compute, wanted)
    for key in sorted(found.extra_specs.keys() - wanted.extra_specs.keys()):
        with suppress(NotFound):
            compute.unset_extra_spec(wanted.id, key)
    differing = {key: value for key, value in wanted.extra_specs.items() if found.extra_specs.get(key) != value}
    if differing:
        compute.set_extra_specs(wanted.id, differing)


def _create(compute: ComputeClient, wanted: PrivateFlavor) -> Flavor:
    try:
        return compute.create_flavor(
            wanted.id,
            wanted.name,
            vcpus=wanted.vcpus,
            ram_mb=wanted.ram_mb,
            disk_gb=wanted.disk_gb,
            ephemeral_gb=wanted.ephemeral_gb,
            swap_mb=wanted.swap_mb,
            is_public=False,
        )
    except Conflict:
        found = compute.flavor(wanted.id)
        if found is None:
            raise
        return found


def remove_flavor(compute: ComputeClient, flavor_id: str) -> None:
    """Have no such flavor."""
    with suppress(NotFound):
        compute.delete_flavor(flavor_id)


def open_flavor(compute: ComputeClient, flavor_id: str, project_id: str) -> None:
    """Let a project use the flavor."""
    try:
        compute.grant_flavor(flavor_id, project_id)
    except Conflict:
        if project_id not in compute.flavor_projects(flavor_id):
            raise


def close_flavor(compute: ComputeClient, flavor_id: str) -> None:
    """Let nobody use the flavor."""
    try:
        projects = compute.flavor_projects(flavor_id)
    except NotFound:
        return
    for project_id in sorted(projects):
        with suppress(NotFound):
            compute.revoke_flavor(flavor_id, project_id)

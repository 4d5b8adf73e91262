"""A flavor:instance reservation: the flavor as compute knows it, and what an instance of it takes."""

from __future__ import annotations

from collections import defaultdict

from moorage.client.compute import ComputeClient
from moorage.client.compute import Flavor as KnownFlavor
from moorage.client.errors import NotFound
from moorage.compute.known_cloud import known_flavor
from moorage.compute.placing.extra_specs import read_extra_specs
from moorage.compute.placing.refusals import MalformedExtraSpec
from moorage.compute.placing.resources import resources_by_group
from moorage.reservations.booking.orders import FlavorOrder
from moorage.reservations.model.refusals import Invalid
from moorage.reservations.model.reservation import InstanceRequest, SourceFlavor


def flavor_instances(order: FlavorOrder, compute: ComputeClient, project_id: str) -> InstanceRequest:
    """A flavor:instance reservation; the flavor must be one that the project may use."""
    flavor_id = order.flavor_id
    found = compute.flavor(flavor_id)
    if found is None or not _may_use(found, compute, project_id):
        raise Invalid(f"Invalid values for parameters: there is no flavor {flavor_id!r} that the project may use.")
    return _request(found, order)


def _may_use(flavor: KnownFlavor, compute: ComputeClient, project_id: str) -> bool:
    if flavor.is_public:
        return True
    try:
        return project_id in compute.flavor_projects(flavor.id)
    except NotFound:
        return False


def _request(found: KnownFlavor, order: FlavorOrder) -> InstanceRequest:
    try:
        specs = read_extra_specs(found.extra_specs)
    except MalformedExtraSpec as error:
        raise Invalid(f"The flavor {found.id} cannot be reserved: {error}") from error
    taken: dict[str, list[int]] = defaultdict(list)
    for group in resources_by_group(known_flavor(found), specs).values():
        for name, number in group.items():
            taken[name].append(number)
    resources = {name: sum(numbers) for name, numbers in taken.items()}
    if not resources:
        raise Invalid(f"The flavor {found.id} cannot be reserved: it takes nothing of a host.")
    return InstanceRequest(
        amount=order.amount,
        vcpus=found.vcpus,
        memory_mb=found.ram_mb,
        disk_gb=found.disk_gb,
        affinity=order.affinity,
        resource_properties=order.resource_properties,
        flavor=SourceFlavor(
            id=found.id,
            name=found.name,
            vcpus=found.vcpus,
            ram_mb=found.ram_mb,
            disk_gb=found.disk_gb,
            ephemeral_gb=found.ephemeral_gb,
            swap_mb=found.swap_mb,
            extra_specs=dict(found.extra_specs),
        ),
        resources=resources,
        parts={name: max(numbers) for name, numbers in taken.items() if len(numbers) > 1},
        required_traits=frozenset(trait for group in specs.groups.values() for trait in group.required),
        # A forbidden trait of a group is about its provider alone; a host as a whole is not ruled out by it.
        forbidden_traits=specs.groups[""].forbidden if "" in specs.groups else frozenset(),
    )

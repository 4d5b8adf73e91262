"""What if: the same cloud with hypervisors more or less, or with another flavor."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.configuration import FlavorSelection
from moorage.capacity.model.flavor import SEPARATE_QUOTA, Flavor
from moorage.capacity.model.hypervisor import Hypervisor
from moorage.capacity.protocol.validation import is_resource_name
from moorage.capacity.selection.flavors import counts_alone, is_selected
from moorage.service.errors import OperatorError

EVERY_FLAVOR = FlavorSelection()
"""Leaves out none."""

# Between the name of a hypervisor and the number of its copy.
_COPY = "+"


class UnknownHypervisor(Exception):
    """No hypervisor of this name is in the cloud; the message says which."""


def with_copies(cloud: Cloud, name: str, count: int) -> Cloud:
    """The cloud with so many empty copies of a hypervisor, in the same aggregates."""
    pattern = _named(cloud, name)
    taken = {each.hostname for each in cloud.hypervisors}
    free = (number for number in itertools.count(1) if f"{pattern.hostname}{_COPY}{number}" not in taken)
    copies = [
        replace(
            pattern,
            id=f"{pattern.id}{_COPY}{number}",
            hostname=f"{pattern.hostname}{_COPY}{number}",
            service_host=f"{pattern.service_host}{_COPY}{number}",
            running_vms=0,
            usages={},
        )
        for number in itertools.islice(free, count)
    ]
    return replace(
        cloud,
        hypervisors=(*cloud.hypervisors, *copies),
        aggregates=tuple(
            replace(each, hosts=(*each.hosts, *(copy.service_host for copy in copies)))
            if pattern.service_host in each.hosts
            else each
            for each in cloud.aggregates
        ),
    )


def origin_of_copy(copy: Hypervisor) -> str:
    """The name of the hypervisor that a copy was made of."""
    return copy.hostname.rpartition(_COPY)[0]


def without(cloud: Cloud, names: Iterable[str]) -> Cloud:
    """The cloud without some hypervisors; what ran there has to find another place."""
    gone = {_named(cloud, name).hostname for name in names}
    return replace(cloud, hypervisors=tuple(each for each in cloud.hypervisors if each.hostname not in gone))


def with_flavor(
    cloud: Cloud, name: str, vcpus: int, ram_mib: int, disk_gib: int, selection: FlavorSelection = EVERY_FLAVOR
) -> Cloud:
    """The cloud with another split flavor; a flavor that is there changes its size, and its instances are still its.

    Refuses one that would not be counted by itself, for then nothing of it would show.
    """
    known = {each.name: each for each in cloud.flavors}
    before = known.get(name, Flavor(id=name, name=name, vcpus=0, ram_mib=0, disk_gib=0))
    if name in known and not before.is_split and not before.is_ironic:
        raise OperatorError(
            f"The flavor {name} is there and pooled: its servers count as cores, instances and RAM. Give the split"
            " flavor another name."
        )
    flavor = replace(
        before,
        vcpus=vcpus,
        ram_mib=ram_mib,
        disk_gib=disk_gib,
        extra_specs={**before.extra_specs, SEPARATE_QUOTA: "true"},
    )
    if not counts_alone(selection, flavor):
        raise OperatorError(f"The flavor {name} would not be counted by itself: {_why_not(selection, flavor)}.")
    return replace(cloud, flavors=tuple({**known, name: flavor}.values()))


def _why_not(selection: FlavorSelection, flavor: Flavor) -> str:
    if not is_resource_name(flavor.resource_name):
        return "its name is not made of letters, digits, '.', '_' and '-' alone"
    if not is_selected(selection, flavor):
        return "flavor_selection asks for extra specs that it does not have, or excludes one that it has"
    return "the flavor of that name is one of bare metal, or counts as another"


def _named(cloud: Cloud, name: str) -> Hypervisor:
    for each in cloud.hypervisors:
        if name in (each.hostname, each.service_host):
            return each
    names = [each.hostname for each in cloud.hypervisors]
    known = f"There are {len(names)}, such as {', '.join(names[:5])}." if names else "There are none at all."
    raise UnknownHypervisor(f"There is no hypervisor {name}. {known}")

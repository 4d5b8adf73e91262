"""What if: the same cloud with hypervisors more or less, or with another flavor."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.flavor import SEPARATE_QUOTA, Flavor
from moorage.capacity.model.hypervisor import Hypervisor


class UnknownHypervisor(Exception):
    """No hypervisor of this name is in the cloud; the message says which."""


def with_copies(cloud: Cloud, name: str, count: int) -> Cloud:
    """The cloud with so many empty copies of a hypervisor, in the same aggregates."""
    pattern = _named(cloud, name)
    taken = {each.hostname for each in cloud.hypervisors}
    free = (number for number in itertools.count(1) if f"{pattern.hostname}+{number}" not in taken)
    copies = [
        replace(
            pattern,
            id=f"{pattern.id}+{number}",
            hostname=f"{pattern.hostname}+{number}",
            service_host=f"{pattern.service_host}+{number}",
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


def without(cloud: Cloud, names: Iterable[str]) -> Cloud:
    """The cloud without some hypervisors; what ran there has to find another place."""
    gone = {_named(cloud, name).hostname for name in names}
    return replace(cloud, hypervisors=tuple(each for each in cloud.hypervisors if each.hostname not in gone))


def with_flavor(cloud: Cloud, name: str, vcpus: int, ram_mib: int, disk_gib: int) -> Cloud:
    """The cloud with another split flavor."""
    flavor = Flavor(
        id=name, name=name, vcpus=vcpus, ram_mib=ram_mib, disk_gib=disk_gib, extra_specs={SEPARATE_QUOTA: "true"}
    )
    return replace(cloud, flavors=(*(each for each in cloud.flavors if each.name != name), flavor))


def _named(cloud: Cloud, name: str) -> Hypervisor:
    for each in cloud.hypervisors:
        if name in (each.hostname, each.service_host):
            return each
    some = ", ".join(each.hostname for each in cloud.hypervisors[:5])
    raise UnknownHypervisor(f"There is no hypervisor {name}. There are {len(cloud.hypervisors)}, such as {some}.")

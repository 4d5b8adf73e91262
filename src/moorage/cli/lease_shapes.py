"""What is to be reserved, as the options of commands say it, and the cloud that is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moorage.cli import completion
from moorage.cli.cloud import cloud_of
from moorage.cli.misuse import Misuse
from moorage.cli.names import flavor_of, is_uuid, only_one
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud
    from moorage.client.reservation import ReservationClient

AmountOption = Annotated[int | None, typer.Option(min=1, help="How many instances.")]
VcpusOption = Annotated[int | None, typer.Option(min=1, help="VCPUs of each instance.")]
MemoryOption = Annotated[int | None, typer.Option("--memory-mb", min=1, help="Memory of each instance, in MiB.")]
DiskOption = Annotated[int | None, typer.Option("--disk-gb", min=0, help="Disk of each instance, in GiB.")]
FlavorOption = Annotated[
    str | None,
    typer.Option(
        metavar="FLAVOR",
        autocompletion=completion.flavors,
        help="Instances of this flavor, by name or id, with all that its extra specs ask for.",
    ),
]
HostsOption = Annotated[
    str | None, typer.Option(metavar="N[-M]", help="Whole hosts: so many, or from N up to M if so many are free.")
]
AffinityOption = Annotated[
    str | None,
    typer.Option(
        metavar="true|false|none", help="Instances all on one host (true), each on another (false), or anywhere."
    ),
]
PropertiesOption = Annotated[
    str | None,
    typer.Option("--properties", metavar="JSON", help='Which hosts, such as \'[">=", "$vcpus", "8"]\'.'),
]


_DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "virtual:instance": {"affinity": "None", "resource_properties": ""},
    "flavor:instance": {"affinity": "None"},
    "physical:host": {"hypervisor_properties": "", "resource_properties": ""},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What the options say."""

    amount: int | None = None
    vcpus: int | None = None
    memory_mb: int | None = None
    disk_gb: int | None = None
    flavor: str | None = None
    hosts: str | None = None
    affinity: str | None = None
    properties: str | None = None

    def order(self) -> dict[str, Any]:
        """A new reservation: also what was not said, as python-blazarclient has it, since a Blazar insists on it."""
        fields = self.fields()
        return {**_DEFAULTS[fields["resource_type"]], **fields}

    def fields(self) -> dict[str, Any]:
        """The fields of a reservation, as far as they were said."""
        if sum((self.flavor is not None, self.hosts is not None, self.vcpus is not None)) != 1:
            raise Misuse(
                "Say what to reserve: instances by --vcpus and --memory-mb, or by --flavor, or whole hosts by --hosts."
            )
        more: dict[str, Any] = {"resource_properties": self.properties} if self.properties else {}
        if self.hosts is not None:
            return {"resource_type": "physical:host", **_least_and_most(self.hosts), **more}
        more["amount"] = self.amount or 1
        if self.affinity:
            more["affinity"] = self.affinity
        if self.flavor is not None:
            return {"resource_type": "flavor:instance", "flavor_id": self.flavor, **more}
        if self.memory_mb is None:
            raise Misuse("Instances have memory, too: say --memory-mb.")
        size = {"vcpus": self.vcpus, "memory_mb": self.memory_mb, "disk_gb": self.disk_gb or 0}
        return {"resource_type": "virtual:instance", **size, **more}

    def changes(self) -> dict[str, Any]:
        """The fields of a reservation that are to be different."""
        wanted = {
            "amount": self.amount,
            "vcpus": self.vcpus,
            "memory_mb": self.memory_mb,
            "disk_gb": self.disk_gb,
            "affinity": self.affinity,
            "resource_properties": self.properties,
            **(_least_and_most(self.hosts) if self.hosts else {}),
        }
        return {name: value for name, value in wanted.items() if value is not None}


def _least_and_most(text: str) -> dict[str, int]:
    match = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", text)
    if match is None:
        raise Misuse(f"--hosts {text}: say how many hosts, as in 2, or in 2-4.")
    return {"min": int(match[1]), "max": int(match[2] or match[1])}


def known_to(cloud: OperatorsCloud, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a reservation with the id of the flavor, which may be told by its name."""
    from moorage.client.errors import NoEndpoint, NotFound

    named = fields.get("flavor_id")
    if named is None or is_uuid(named):
        return fields
    try:
        return {**fields, "flavor_id": flavor_of(cloud.compute, named).id}
    except (NoEndpoint, NotFound):
        # Where nobody here knows flavors, the reservation service may.
        return fields


@contextmanager
def reserving_cloud(os_cloud: str | None) -> Iterator[OperatorsCloud]:
    """A cloud that is asked about reservations; what it refuses is told in its own words."""
    from moorage.client.errors import Refused

    with cloud_of(os_cloud) as cloud:
        try:
            yield cloud
        except Refused as error:
            raise OperatorError(error.detail or str(error)) from error


@contextmanager
def reservation_service(os_cloud: str | None) -> Iterator[ReservationClient]:
    """The reservation service of a cloud; what it refuses is told in its own words."""
    with reserving_cloud(os_cloud) as cloud:
        yield cloud.reservation


def found_lease(service: ReservationClient, named: str) -> dict[str, Any]:
    """The lease with this id, or the only one with this name."""
    if is_uuid(named):
        return service.lease(named)
    found = service.list_leases({"name": named})
    return only_one("lease", named, found, id_of=itemgetter("id"), name_of=itemgetter("name"))

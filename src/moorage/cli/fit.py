"""`moorage fit`: where a server would fit, told by its flavor and image or by its size."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.explanation import show_candidates, show_explanation
from moorage.cli.images import image_of
from moorage.cli.misuse import Misuse
from moorage.cli.output import Output
from moorage.cli.servers import flavor_of
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud
    from moorage.compute.model.aggregate import HostAggregate
    from moorage.compute.model.flavor import Flavor
    from moorage.compute.model.image import BootImage


def fit(  # noqa: PLR0913 - as many as there are flags
    flavor: Annotated[str | None, typer.Argument(metavar="FLAVOR", help="Name or id of a flavor.")] = None,
    *,
    image: Annotated[str | None, typer.Option(metavar="IMAGE", help="Name or id of an image.")] = None,
    vcpus: Annotated[int | None, typer.Option(min=1, help="So many vCPUs, in place of a flavor.")] = None,
    ram: Annotated[int, typer.Option(min=0, metavar="MIB", help="So much memory, in place of a flavor.")] = 0,
    disk: Annotated[int, typer.Option(min=0, metavar="GIB", help="So much disk, in place of a flavor.")] = 0,
    trait: Annotated[
        list[str] | None, typer.Option(metavar="TRAIT", help="On hosts with this trait; may be repeated.")
    ] = None,
    zone: Annotated[str | None, typer.Option(metavar="NAME", help="In this availability zone.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Show at most so many places.")] = 20,
    explain: Annotated[
        bool, typer.Option("--explain", help="Tell how many are left after each condition; a Moorage alone can.")
    ] = False,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Where one more server would fit; the exit code is 3 if nowhere, and then it is told why."""
    from dataclasses import replace

    from moorage.compute.placing.refusals import Refusal
    from moorage.compute.placing.request import placement_request
    from moorage.compute.placing.settings import PlacingSettings

    output = Output(as_json, as_csv)
    if (flavor is None) == (vcpus is None):
        raise Misuse("Say what shall fit: a flavor, or a size with --vcpus, --ram and --disk.")
    with cloud_of(os_cloud) as cloud:
        sized = _flavor(cloud, flavor) if flavor else _size(vcpus or 0, ram, disk)
        sized = replace(
            sized, extra_specs={**sized.extra_specs, **{f"trait:{name}": "required" for name in trait or ()}}
        )
        try:
            request = placement_request(
                sized, _image(cloud, image), _aggregates(cloud, zone), PlacingSettings(max_results=limit), "", zone
            )
        except Refusal as refusal:
            raise OperatorError(str(refusal)) from refusal
        (show_explanation if explain else show_candidates)(cloud.placement, request.pairs(), output)


def _size(vcpus: int, ram_mb: int, disk_gb: int) -> Flavor:
    from moorage.compute.model.flavor import Flavor

    return Flavor(flavor_id="", name="this size", ram_mb=ram_mb, vcpus=vcpus, disk_gb=disk_gb)


def _flavor(cloud: OperatorsCloud, text: str) -> Flavor:
    from moorage.compute.model.flavor import Flavor

    found = flavor_of(cloud.compute, text)
    return Flavor(
        flavor_id=found.id,
        name=found.name,
        ram_mb=found.ram_mb,
        vcpus=found.vcpus,
        disk_gb=found.disk_gb,
        ephemeral_gb=found.ephemeral_gb,
        swap_mb=found.swap_mb,
        extra_specs=found.extra_specs,
    )


def _image(cloud: OperatorsCloud, text: str | None) -> BootImage:
    from moorage.compute.model.image import NO_IMAGE, BootImage

    if text is None:
        return NO_IMAGE
    found = image_of(cloud.image, text)
    return BootImage(found.name or found.id, found.properties)


def _aggregates(cloud: OperatorsCloud, zone: str | None) -> list[HostAggregate]:
    from moorage.compute.model.aggregate import HostAggregate

    if zone is None:
        return []
    now = datetime.now(UTC)
    return [
        HostAggregate(
            id=each.id,
            uuid=each.uuid,
            name=each.name,
            created_at=now,
            metadata=dict(each.metadata),
            hosts=frozenset(each.hosts),
        )
        for each in cloud.compute.aggregates()
    ]

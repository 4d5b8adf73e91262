"""`moorage fit`: where a server would fit, told by its flavor and image or by its size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.explanation import ExplainOption, show_explanation, show_places
from moorage.cli.misuse import Misuse
from moorage.cli.names import flavor_of, image_of
from moorage.cli.output import Output
from moorage.cli.placement_query import narrowed, query_of_flavor, query_of_size

if TYPE_CHECKING:
    from moorage.compute.model.flavor import Flavor


def fit(  # noqa: PLR0913 - as many as there are flags
    flavor: Annotated[
        str | None, typer.Argument(metavar="FLAVOR", autocompletion=completion.flavors, help="Name or id of a flavor.")
    ] = None,
    *,
    image: Annotated[
        str | None, typer.Option(metavar="IMAGE", autocompletion=completion.images, help="Name or id of an image.")
    ] = None,
    vcpus: Annotated[int | None, typer.Option(min=1, help="So many vCPUs, in place of a flavor.")] = None,
    ram: Annotated[int | None, typer.Option(min=0, metavar="MIB", help="So much memory, in place of a flavor.")] = None,
    disk: Annotated[int | None, typer.Option(min=0, metavar="GIB", help="So much disk, in place of a flavor.")] = None,
    trait: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TRAIT", autocompletion=completion.traits, help="On hosts with this trait; may be repeated."
        ),
    ] = None,
    zone: Annotated[str | None, typer.Option(metavar="NAME", help="In this availability zone.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Show at most so many places.")] = 20,
    explain: ExplainOption = False,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Where one more server would fit; the exit code is 3 if nowhere, and then it is told why."""
    output, traits = Output(as_json, as_csv), trait or []
    if (flavor is None) == (vcpus is None):
        raise Misuse("Say what shall fit: a flavor, or a size with --vcpus, --ram and --disk.")
    if flavor is not None and (ram is not None or disk is not None):
        raise Misuse("A flavor has its own size: --ram and --disk are for one that is told by --vcpus.")
    with cloud_of(os_cloud) as cloud:
        booted = image_of(cloud.image, image) if image else None
        if flavor is not None:
            query = narrowed(query_of_flavor(cloud, flavor_of(cloud.compute, flavor), booted, zone), traits, limit)
        else:
            size = _size(vcpus or 0, ram or 0, disk or 0, traits)
            query = narrowed(query_of_size(cloud, size, booted, zone), (), limit)
        (show_explanation if explain else show_places)(cloud.placement, query, output)


def _size(vcpus: int, ram_mb: int, disk_gb: int, traits: Sequence[str]) -> Flavor:
    from moorage.compute.model.flavor import Flavor

    specs = {f"trait:{name}": "required" for name in traits}
    return Flavor(flavor_id="", name="this size", ram_mb=ram_mb, vcpus=vcpus, disk_gb=disk_gb, extra_specs=specs)

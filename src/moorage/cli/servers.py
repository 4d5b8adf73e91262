"""`moorage server` and `moorage flavor`: what runs, and in which sizes."""

from __future__ import annotations

from typing import Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.misuse import Misuse
from moorage.cli.names import flavor_of, image_of, project_of, server_of
from moorage.cli.output import Output

app = typer.Typer(help="Servers, where they run and what they hold.", no_args_is_help=True)
flavors = typer.Typer(help="Flavors: the sizes of servers.", no_args_is_help=True)

ServerArgument = Annotated[
    str, typer.Argument(metavar="SERVER", autocompletion=completion.servers, help="Name or id of a server.")
]
FlavorArgument = Annotated[
    str, typer.Argument(metavar="FLAVOR", autocompletion=completion.flavors, help="Name or id of a flavor.")
]


# --- servers


@app.command("list")
def list_(
    *,
    host: Annotated[str | None, typer.Option(metavar="NAME", help="Those on this host.")] = None,
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="Those of this project, by name or id.")
    ] = None,
    flavor: Annotated[
        str | None, typer.Option(metavar="FLAVOR", autocompletion=completion.flavors, help="Those of this flavor.")
    ] = None,
    status: Annotated[str | None, typer.Option(metavar="STATUS", help="Those with this status.")] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Servers of all projects that meet the conditions."""
    from moorage.client.compute import ServerFilter

    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.compute
        flavor_id = flavor_of(client, flavor).id if flavor else None
        found = client.servers(
            ServerFilter(
                project_id=project_of(cloud, project) if project else None, flavor=flavor_id, host=host, status=status
            )
        )
    rows = [(each.name, each.id, each.status, each.host, each.flavor.name, each.project_id) for each in found]
    output.rows(("name", "id", "status", "host", "flavor", "project"), rows)


@app.command("show")
def show(server: ServerArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """A server, and what it holds in Placement."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        found = server_of(cloud.compute, server)
        held = cloud.placement.allocations(found.id)
    output.fields(
        {
            "id": found.id,
            "name": found.name,
            "status": found.status,
            "host": found.host,
            "zone": found.availability_zone,
            "flavor": found.flavor.name,
            "image": found.image_id,
            "project": found.project_id,
            "user": found.user_id,
            "created": found.created,
            "allocations": {uuid: dict(amounts) for uuid, amounts in (held.allocations if held else {}).items()},
        }
    )


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new server.")],
    *,
    flavor: Annotated[
        str, typer.Option(metavar="FLAVOR", autocompletion=completion.flavors, help="Name or id of its flavor.")
    ],
    image: Annotated[
        str, typer.Option(metavar="IMAGE", autocompletion=completion.images, help="Name or id of its image.")
    ],
    zone: Annotated[str | None, typer.Option(metavar="NAME", help="Availability zone.")] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Have a server made, without networks."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.compute
        made = client.create_server(
            name, flavor_of(client, flavor).id, image_of(cloud.image, image).id, availability_zone=zone
        )
    output.done(f"The server {name} ({made}) is being made.", {"id": made, "name": name})


@app.command("delete")
def delete(server: ServerArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Have a server deleted."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.compute
        found = server_of(client, server)
        client.delete_server(found.id)
    output.done(f"The server {found.name} ({found.id}) is being deleted.", {"id": found.id, "name": found.name})


# --- flavors


@flavors.command("list")
def list_flavors(*, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """All flavors."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        found = cloud.compute.flavors()
    rows = [(each.name, each.id, each.vcpus, each.ram_mb, each.disk_gb, dict(each.extra_specs)) for each in found]
    output.rows(("name", "id", "vcpus", "ram_mb", "disk_gb", "extra_specs"), rows)


@flavors.command("show")
def show_flavor(
    flavor: FlavorArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """A flavor with its extra specs."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        found = flavor_of(cloud.compute, flavor)
    output.fields(
        {
            "id": found.id,
            "name": found.name,
            "vcpus": found.vcpus,
            "ram_mb": found.ram_mb,
            "disk_gb": found.disk_gb,
            "ephemeral_gb": found.ephemeral_gb,
            "swap_mb": found.swap_mb,
            "is_public": found.is_public,
            "extra_specs": dict(found.extra_specs),
        }
    )


@flavors.command("create")
def create_flavor(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new flavor.")],
    *,
    vcpus: Annotated[int, typer.Option(min=1, help="So many vCPUs.")],
    ram: Annotated[int, typer.Option(min=1, metavar="MIB", help="So much memory.")],
    disk: Annotated[int, typer.Option(min=0, metavar="GIB", help="So much disk.")] = 0,
    property_: Annotated[
        list[str] | None, typer.Option("--property", metavar="KEY=VALUE", help="An extra spec; may be repeated.")
    ] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """A new flavor for everybody."""
    output = Output(as_json, as_csv)
    from uuid import uuid4

    specs = properties_of(property_ or [])
    with cloud_of(os_cloud) as cloud:
        client = cloud.compute
        made = client.create_flavor(str(uuid4()), name, vcpus=vcpus, ram_mb=ram, disk_gb=disk)
        if specs:
            client.set_extra_specs(made.id, specs)
    output.done(f"Made {made.name} ({made.id}).", {"id": made.id, "name": made.name})


@flavors.command("delete")
def delete_flavor(
    flavor: FlavorArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """Remove a flavor; servers of it keep theirs."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.compute
        found = flavor_of(client, flavor)
        client.delete_flavor(found.id)
    output.done(f"Removed {found.name} ({found.id}).", {"id": found.id, "name": found.name})


def properties_of(texts: list[str]) -> dict[str, str]:
    """Properties from texts like key=value."""
    pairs = [text.partition("=") for text in texts]
    for (key, is_there, _value), text in zip(pairs, texts, strict=True):
        if not key or not is_there:
            raise Misuse(f"{text!r} must look like KEY=VALUE.")
    return {key: value for key, _is_there, value in pairs}

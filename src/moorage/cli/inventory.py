"""`moorage inventory`: what providers offer, and how much of it is used."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson, OsCloud, ProviderArgument, cloud_of, provider_of
from moorage.cli.misuse import Misuse
from moorage.cli.output import Output, bar

app = typer.Typer(help="What providers offer, and how much of it is used.", no_args_is_help=True)

ClassArgument = Annotated[str, typer.Argument(metavar="CLASS", help="A resource class, such as VCPU.")]


@app.command("list")
def list_(
    provider: ProviderArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """What a provider offers."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        uuid = provider_of(client, provider).uuid
        offered, used = client.inventories(uuid).inventories, client.usages(uuid)
    rows = []
    for name, inventory in sorted(offered.items()):
        numbers = (*asdict(inventory).values(), inventory.capacity, used.get(name, 0))
        rows.append((name, *numbers, *([bar(used.get(name, 0), inventory.capacity)] if output.for_people else [])))
    columns = ("class", "total", "reserved", "min_unit", "max_unit", "step_size", "ratio", "capacity", "used")
    output.rows((*columns, *(["full"] if output.for_people else [])), rows)


@app.command("set")
def set_(
    provider: ProviderArgument,
    resource_class: ClassArgument,
    *,
    total: Annotated[int | None, typer.Option(min=1, help="How much there is.")] = None,
    reserved: Annotated[int | None, typer.Option(min=0, help="How much of it is not for consumers.")] = None,
    min_unit: Annotated[int | None, typer.Option(min=1, help="The least that may be taken at once.")] = None,
    max_unit: Annotated[int | None, typer.Option(min=1, help="The most that may be taken at once.")] = None,
    step_size: Annotated[int | None, typer.Option(min=1, help="What is taken is a multiple of it.")] = None,
    allocation_ratio: Annotated[float | None, typer.Option(min=0, help="How often it is given out.")] = None,
    os_cloud: OsCloud = None,
) -> None:
    """Offer something, or change how it is offered; what is not named stays as it is."""
    from moorage.placement.model.inventory import Inventory

    wanted = {
        "total": total,
        "reserved": reserved,
        "min_unit": min_unit,
        "max_unit": max_unit,
        "step_size": step_size,
        "allocation_ratio": allocation_ratio,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        uuid = provider_of(client, provider).uuid
        known = client.inventories(uuid)
        now = known.inventories.get(resource_class)
        if now is None and total is None:
            raise Misuse(f"{provider} has no {resource_class} yet; say how much with --total.")
        changed = replace(now or Inventory(total or 0), **given)  # type: ignore[arg-type]
        client.put_inventories(uuid, {**known.inventories, resource_class: changed}, known.generation)


@app.command("delete")
def delete(provider: ProviderArgument, resource_class: ClassArgument, *, os_cloud: OsCloud = None) -> None:
    """Offer something no longer; refused while it is in use."""
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        client.delete_inventory(provider_of(client, provider).uuid, resource_class)

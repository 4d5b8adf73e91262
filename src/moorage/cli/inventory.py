"""`moorage inventory`: what providers offer, and how much of it is used."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, ProviderArgument, cloud_of
from moorage.cli.custom_names import unknown_name
from moorage.cli.misuse import Misuse
from moorage.cli.names import provider_of
from moorage.cli.output import Output, bar

app = typer.Typer(help="What providers offer, and how much of it is used.", no_args_is_help=True)

ClassArgument = Annotated[
    str,
    typer.Argument(metavar="CLASS", autocompletion=completion.resource_classes, help="A resource class, such as VCPU."),
]

# What an inventory is made of, and what follows from it.
_NUMBERS = ("total", "reserved", "min_unit", "max_unit", "step_size", "ratio", "capacity")


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
    output.rows(("class", *_NUMBERS, "used", *(["full"] if output.for_people else [])), rows)


@app.command("set")
def set_(  # noqa: PLR0913 - as many as there are flags
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
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Offer something, or change how it is offered; what is not named stays as it is."""
    output = Output(as_json, as_csv)
    from moorage.client.errors import BadRequest
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
        found = provider_of(client, provider)
        known = client.inventories(found.uuid)
        now = known.inventories.get(resource_class)
        if now is None and total is None:
            raise Misuse(f"{provider} has no {resource_class} yet; say how much with --total.")
        changed = replace(now or Inventory(total or 0), **given)  # type: ignore[arg-type]
        try:
            client.put_inventories(found.uuid, {**known.inventories, resource_class: changed}, known.generation)
        except BadRequest as error:
            if resource_class in client.known_resource_classes():
                raise
            raise unknown_name("resource class", "class", resource_class) from error
    output.done(
        f"{found.name} now offers {changed.capacity:,} {resource_class}.",
        {
            "provider": found.name,
            "uuid": found.uuid,
            "class": resource_class,
            **dict(zip(_NUMBERS, (*asdict(changed).values(), changed.capacity), strict=True)),
        },
    )


@app.command("delete")
def delete(
    provider: ProviderArgument,
    resource_class: ClassArgument,
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Offer something no longer; refused while it is in use."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = provider_of(client, provider)
        client.delete_inventory(found.uuid, resource_class)
    fields = {"provider": found.name, "uuid": found.uuid, "class": resource_class}
    output.done(f"{found.name} no longer offers {resource_class}.", fields)

"""`moorage allocation`: who holds what."""

from __future__ import annotations

from typing import Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of
from moorage.cli.conditions import amounts_of
from moorage.cli.misuse import Misuse
from moorage.cli.names import consumer_of, project_of, provider_of, user_of
from moorage.cli.output import Output
from moorage.service.errors import OperatorError

app = typer.Typer(help="Allocations: who holds what.", no_args_is_help=True)

Consumer = Annotated[
    str,
    typer.Argument(
        metavar="CONSUMER", autocompletion=completion.servers, help="UUID of a consumer, or the name of a server."
    ),
]


@app.command("list")
def list_(
    provider: Annotated[
        str, typer.Argument(metavar="PROVIDER", autocompletion=completion.providers, help="Name or UUID of a provider.")
    ],
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Who holds what of a provider."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        held = client.provider_allocations(provider_of(client, provider).uuid)
    output.rows(("consumer", "resources"), [(uuid, dict(amounts)) for uuid, amounts in sorted(held.items())])


@app.command("show")
def show(consumer: Consumer, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """What a consumer holds, and of whom."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = client.allocations(consumer_of(cloud, consumer))
        if found is None:
            raise OperatorError(f"The consumer {consumer} holds nothing.")
        names = {uuid: provider.name for uuid in found.allocations if (provider := client.provider(uuid))}
    if output.for_people:
        typer.echo(
            f"{found.consumer_type} of project {found.project_id}, user {found.user_id}, generation {found.generation}"
        )
    rows = [
        (names.get(uuid, uuid), uuid, name, amount)
        for uuid, amounts in found.allocations.items()
        for name, amount in amounts.items()
    ]
    output.rows(("provider", "uuid", "class", "amount"), rows)


@app.command("set")
def set_(
    consumer: Consumer,
    amounts: Annotated[
        list[str], typer.Argument(metavar="PROVIDER=CLASS:AMOUNT,…", help="What it shall hold, of each provider.")
    ],
    *,
    project: Annotated[
        str | None, typer.Option(metavar="PROJECT", help="Name or id of its project; needed for a new consumer.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(metavar="USER", help="Name or id of its user; needed for a new consumer.")
    ] = None,
    consumer_type: Annotated[str, typer.Option("--type", metavar="TYPE", help="Its type, if it is new.")] = "INSTANCE",
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Have a consumer hold exactly this; all or nothing."""
    from moorage.client.placement import ConsumerAllocations

    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client, uuid = cloud.placement, consumer_of(cloud, consumer)
        now = client.allocations(uuid)
        if now is None and (project is None or user is None):
            raise Misuse(f"The consumer {consumer} is new: say whose it is, with --project and --user.")
        wanted: dict[str, dict[str, int]] = {}
        for text in amounts:
            name, is_there, resources = text.partition("=")
            if not is_there:
                raise Misuse(f"{text!r} must look like PROVIDER=VCPU:8,MEMORY_MB:4096.")
            wanted[provider_of(client, name).uuid] = amounts_of([resources])
        owner = now or ConsumerAllocations({}, "", "", consumer_type)
        changed = ConsumerAllocations(
            wanted,
            project_of(cloud, project) if project else owner.project_id,
            user_of(cloud, user) if user else owner.user_id,
            owner.consumer_type,
            owner.generation,
        )
        client.put_allocations(uuid, changed)
    fields = {"consumer": uuid, "project": changed.project_id, "user": changed.user_id, "allocations": wanted}
    output.done(f"{consumer} now holds {' and '.join(amounts)}.", fields)


@app.command("delete")
def delete(consumer: Consumer, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Take all that a consumer holds from it."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        uuid = consumer_of(cloud, consumer)
        cloud.placement.delete_allocations(uuid)
    output.done(f"{consumer} holds nothing any more.", {"consumer": uuid})

"""`moorage trait`: what providers are like."""

from __future__ import annotations

from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson, OsCloud, ProviderArgument, cloud_of, provider_of
from moorage.cli.output import Output

app = typer.Typer(help="Traits: what providers are like.", no_args_is_help=True)

Names = Annotated[list[str], typer.Argument(metavar="TRAIT…", help="Names of traits.")]


@app.command("list")
def list_(
    provider: Annotated[
        str | None, typer.Argument(metavar="PROVIDER", help="Name or UUID of a provider; else all that there are.")
    ] = None,
    *,
    custom: Annotated[bool, typer.Option("--custom", help="Only those that somebody made up.")] = False,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """The traits of a provider, or all that there are."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = client.traits(provider_of(client, provider).uuid).traits if provider else client.all_traits()
    output.rows(("trait",), [(name,) for name in sorted(found) if name.startswith("CUSTOM_") or not custom])


@app.command("create")
def create(names: Names, *, os_cloud: OsCloud = None) -> None:
    """Make custom traits, whose names begin with CUSTOM_; those that are there stay."""
    with cloud_of(os_cloud) as cloud:
        cloud.placement.ensure_traits(names)


@app.command("delete")
def delete(names: Names, *, os_cloud: OsCloud = None) -> None:
    """Remove custom traits that no provider has."""
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        for name in names:
            client.delete_trait(name)


@app.command("add")
def add(provider: ProviderArgument, names: Names, *, os_cloud: OsCloud = None) -> None:
    """Give a provider traits; those that it has stay."""
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        uuid = provider_of(client, provider).uuid
        now = client.traits(uuid)
        client.put_traits(uuid, now.traits | set(names), now.generation)


@app.command("remove")
def remove(provider: ProviderArgument, names: Names, *, os_cloud: OsCloud = None) -> None:
    """Take traits from a provider; others stay."""
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        uuid = provider_of(client, provider).uuid
        now = client.traits(uuid)
        client.put_traits(uuid, now.traits - set(names), now.generation)

"""`moorage trait`: what providers are like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, ProviderArgument, cloud_of
from moorage.cli.custom_names import make_missing, remove_each, unknown_name
from moorage.cli.names import provider_of
from moorage.cli.output import Output

app = typer.Typer(help="Traits: what providers are like.", no_args_is_help=True)

Names = Annotated[
    list[str], typer.Argument(metavar="TRAIT…", autocompletion=completion.traits, help="Names of traits.")
]


@app.command("list")
def list_(
    provider: Annotated[
        str | None,
        typer.Argument(
            metavar="PROVIDER",
            autocompletion=completion.providers,
            help="Name or UUID of a provider; else all that there are.",
        ),
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
def create(names: Names, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Make custom traits, whose names begin with CUSTOM_; those that are there stay."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        make_missing("trait", names, client.known_traits(names), client.ensure_trait, output)


@app.command("delete")
def delete(names: Names, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """Remove custom traits that no provider has."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        remove_each("trait", names, cloud.placement.delete_trait, output)


@app.command("add")
def add(
    provider: ProviderArgument,
    names: Names,
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Give a provider traits; those that it has stay."""
    _change(Output(as_json, as_csv), os_cloud, provider, lambda now: now | set(names))


@app.command("remove")
def remove(
    provider: ProviderArgument,
    names: Names,
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Take traits from a provider; others stay."""
    _change(Output(as_json, as_csv), os_cloud, provider, lambda now: now - set(names))


def _change(
    output: Output, os_cloud: str | None, provider: str, changed: Callable[[frozenset[str]], frozenset[str]]
) -> None:
    from moorage.client.errors import BadRequest

    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = provider_of(client, provider)
        now = client.traits(found.uuid)
        wanted = sorted(changed(now.traits))
        try:
            client.put_traits(found.uuid, wanted, now.generation)
        except BadRequest as error:
            missing = sorted({*wanted} - client.known_traits(wanted))
            raise unknown_name("trait", "trait", missing[0]) if missing else error from error
    fields = {"provider": found.name, "uuid": found.uuid, "traits": wanted}
    output.done(f"{found.name} now has {', '.join(wanted) or 'no traits'}.", fields)

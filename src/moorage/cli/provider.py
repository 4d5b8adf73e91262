"""`moorage provider`: resource providers, one by one and as trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import (
    AsCsv,
    AsJson,
    OsCloud,
    ProviderArgument,
    cloud_of,
    details_of,
)
from moorage.cli.conditions import InTreeOption, MemberOption, RequiredOption, ResourcesOption, amounts_of, membership
from moorage.cli.names import provider_of
from moorage.cli.output import Output, bar, console

if TYPE_CHECKING:
    from rich.tree import Tree

    from moorage.client.placement import ProviderDetails

app = typer.Typer(help="Resource providers: hosts, parts of hosts, storage pools.", no_args_is_help=True)


@app.command("list")
def list_(
    *,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The provider of this name.")] = None,
    in_tree: InTreeOption = None,
    resources: ResourcesOption = None,
    required: RequiredOption = None,
    member_of: MemberOption = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """The providers that meet all conditions; each condition looks at the provider itself."""
    from moorage.client.placement import ProviderFilter

    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        which = ProviderFilter(
            name=name,
            in_tree=provider_of(client, in_tree).uuid if in_tree else None,
            member_of=tuple(membership(cloud, condition) for condition in member_of or ()),
            required=tuple(required or ()),
            resources=amounts_of(resources or ()),
        )
        found = client.providers(which)
    names = {provider.uuid: provider.name for provider in found}
    rows = [
        (each.name, each.uuid, each.generation, names.get(each.parent_uuid or "", each.parent_uuid))
        for each in sorted(found, key=lambda provider: provider.name)
    ]
    output.rows(("name", "uuid", "generation", "parent"), rows)


@app.command("show")
def show(
    provider: ProviderArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """A provider with all it has."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = provider_of(client, provider)
        [details] = [each for each in details_of(client, [found.uuid]) if each.uuid == found.uuid]
        holders = client.provider_allocations(found.uuid)
    output.fields(
        {
            "uuid": details.uuid,
            "name": details.name,
            "generation": details.generation,
            "parent": details.parent_uuid,
            "root": details.root_uuid,
            **(_bars(details) if output.for_people else _numbers(details)),
            "traits": sorted(details.traits or ()),
            "aggregates": sorted(details.aggregates or ()),
            "consumers": len(holders),
        }
    )


@app.command("tree")
def tree(
    providers: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROVIDER…",
            autocompletion=completion.providers,
            help="Names or UUIDs of providers whose trees to draw; else all.",
        ),
    ] = None,
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Providers as the trees that they are, with what they have and how full it is."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        roots = list(dict.fromkeys(provider_of(client, text).root_uuid for text in providers or ()))
        details = details_of(client, roots)
    children: dict[str | None, list[ProviderDetails]] = {}
    for each in sorted(details, key=lambda provider: provider.name):
        children.setdefault(each.parent_uuid, []).append(each)
    if output.for_people:
        for root in children.get(None, ()):
            console().print(_drawn(root, children))
    else:
        output.rows(("name", "uuid", "parent", "inventories", "usages", "traits"), list(_flat(None, children)))


@app.command("create")
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new provider.")],
    *,
    uuid: Annotated[str | None, typer.Option(metavar="UUID", help="Its UUID; made up if none is given.")] = None,
    parent: Annotated[
        str | None,
        typer.Option(
            metavar="PROVIDER", autocompletion=completion.providers, help="The provider that it is a part of."
        ),
    ] = None,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """A new provider, which has nothing yet."""
    output = Output(as_json, as_csv)
    from uuid import uuid4

    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        above = provider_of(client, parent).uuid if parent else None
        made = client.create_provider(uuid or str(uuid4()), name, above)
    output.done(f"Made {made.name} ({made.uuid}).", {"uuid": made.uuid, "name": made.name})


@app.command("set")
def set_(
    provider: ProviderArgument,
    *,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Its new name.")] = None,
    parent: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER", autocompletion=completion.providers, help="Hang it below this provider."),
    ] = None,
    root: Annotated[bool, typer.Option("--root", help="Make it a root.")] = False,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Give a provider another name or another place."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = provider_of(client, provider)
        above = None if root else provider_of(client, parent).uuid if parent else found.parent_uuid
        changed = client.update_provider(found.uuid, name or found.name, above)
    fields = {"uuid": found.uuid, "name": changed.name, "parent": changed.parent_uuid}
    output.done(f"Changed {changed.name} ({found.uuid}).", fields)


@app.command("delete")
def delete(
    provider: ProviderArgument, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """Remove a provider that has no children, and of which nothing is held."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        client = cloud.placement
        found = provider_of(client, provider)
        client.delete_provider(found.uuid)
    output.done(f"Removed {found.name} ({found.uuid}).", {"uuid": found.uuid, "name": found.name})


def _bars(provider: ProviderDetails) -> dict[str, str]:
    return {name: _line(provider, name) for name in sorted(provider.inventories or {})}


def _numbers(provider: ProviderDetails) -> dict[str, object]:
    inventories = {name: asdict(inventory) for name, inventory in (provider.inventories or {}).items()}
    return {"inventories": inventories, "usages": dict(provider.usages or {})}


def _line(provider: ProviderDetails, name: str) -> str:
    inventory = (provider.inventories or {})[name]
    used = (provider.usages or {}).get(name, 0)
    return f"{bar(used, inventory.capacity)}  {used:,} of {inventory.capacity:,}"


def _drawn(provider: ProviderDetails, children: Mapping[str | None, Sequence[ProviderDetails]]) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    branch = Tree(Text.assemble((provider.name, "bold"), (f"  {provider.uuid}", "dim")))
    width = max((len(name) for name in provider.inventories or ()), default=0)
    for name in sorted(provider.inventories or {}):
        branch.add(Text(f"{name:{width}}  {_line(provider, name)}"))
    if provider.traits:
        branch.add(Text(", ".join(sorted(provider.traits)), style="dim"))
    for child in children.get(provider.uuid, ()):
        branch.add(_drawn(child, children))
    return branch


def _flat(parent: str | None, children: Mapping[str | None, Sequence[ProviderDetails]]) -> Sequence[tuple[object, ...]]:
    """The trees as rows, each provider before its children."""
    rows: list[tuple[object, ...]] = []
    for each in children.get(parent, ()):
        totals = {name: inventory.capacity for name, inventory in (each.inventories or {}).items()}
        used = dict(each.usages or {})
        rows.append((each.name, each.uuid, each.parent_uuid, totals, used, sorted(each.traits or ())))
        rows.extend(_flat(each.uuid, children))
    return rows

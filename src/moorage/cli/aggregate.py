"""`moorage aggregate`: groups of providers, which Placement knows by their UUIDs and compute by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.cli.cloud import AsCsv, AsJson, OsCloud, cloud_of, details_of
from moorage.cli.names import aggregate_of, provider_of
from moorage.cli.output import Output

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud

app = typer.Typer(help="Aggregates: groups of providers.", no_args_is_help=True)

Aggregate = Annotated[
    str,
    typer.Argument(
        metavar="AGGREGATE", autocompletion=completion.aggregates, help="UUID, or the name of a host aggregate."
    ),
]
Members = Annotated[
    list[str],
    typer.Argument(metavar="PROVIDER…", autocompletion=completion.providers, help="Names or UUIDs of providers."),
]


@app.command("list")
def list_(*, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """The aggregates that providers are in, and what host aggregates are called."""
    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        members: dict[str, int] = {}
        for provider in details_of(cloud.placement):
            for uuid in provider.aggregates or ():
                members[uuid] = members.get(uuid, 0) + 1
        known = _host_aggregates(cloud)
    rows = [(uuid, *known.get(uuid, ("", None)), members.get(uuid, 0)) for uuid in sorted({*members, *known})]
    output.rows(("uuid", "name", "zone", "members"), rows)


@app.command("show")
def show(aggregate: Aggregate, *, os_cloud: OsCloud = None, as_json: AsJson = False, as_csv: AsCsv = False) -> None:
    """The members of an aggregate."""
    from moorage.client.placement import ProviderFilter

    output = Output(as_json, as_csv)
    with cloud_of(os_cloud) as cloud:
        found = cloud.placement.providers(ProviderFilter(member_of=(aggregate_of(cloud, aggregate),)))
    output.rows(("name", "uuid"), sorted((each.name, each.uuid) for each in found))


@app.command("add")
def add(
    aggregate: Aggregate,
    members: Members,
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Put providers into an aggregate, in Placement alone; a host aggregate's hosts are compute's business."""
    output = Output(as_json, as_csv)
    _change(output, os_cloud, aggregate, members, "is in", lambda now, uuid: now | {uuid})


@app.command("remove")
def remove(
    aggregate: Aggregate,
    members: Members,
    *,
    os_cloud: OsCloud = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Take providers out of an aggregate, in Placement alone."""
    output = Output(as_json, as_csv)
    _change(output, os_cloud, aggregate, members, "is no longer in", lambda now, uuid: now - {uuid})


def _change(
    output: Output,
    os_cloud: str | None,
    aggregate: str,
    members: list[str],
    is_now: str,
    changed: Callable[[frozenset[str], str], frozenset[str]],
) -> None:
    with cloud_of(os_cloud) as cloud:
        client, uuid = cloud.placement, aggregate_of(cloud, aggregate)
        # All are looked for before anything is written, so that a name that is wrong leaves nothing half done.
        providers = [provider_of(client, member) for member in members]
        with output.one_by_one("name", "uuid", "aggregates") as done:
            for provider in providers:
                now = client.aggregates(provider.uuid)
                wanted = changed(now.aggregates, uuid)
                client.put_aggregates(provider.uuid, wanted, now.generation)
                done(f"{provider.name} {is_now} {aggregate}.", provider.name, provider.uuid, sorted(wanted))


def _host_aggregates(cloud: OperatorsCloud) -> dict[str, tuple[str, str | None]]:
    """Names and zones by UUID; none where there is no compute service, or none that would tell."""
    from moorage.client.errors import ClientError

    try:
        return {each.uuid: (each.name, each.availability_zone) for each in cloud.compute.aggregates()}
    except ClientError:
        return {}

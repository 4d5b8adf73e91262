"""`moorage import`: a whole ledger from upstream's Placement or from a file, into an empty one of ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.misuse import Misuse
from moorage.cli.output import Output
from moorage.cli.progress import progress, working
from moorage.cli.settings import ConfigOption, database_of
from moorage.cli.transfers import (
    PlacementConfig,
    counted,
    described,
    ledger_at,
    told_to_the_operator,
    upstream_address,
)
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.placement import PlacementClient
    from moorage.db.database import Database
    from moorage.placement.model.contents import Contents

app = typer.Typer(
    help="Take over all that another Placement holds, or a file of `moorage export`.", no_args_is_help=True
)

Target = Annotated[
    str | None, typer.Option("--database", metavar="URL", help="Database to fill instead of the configured one.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read and check the source, and write nothing.")]
Quick = Annotated[
    bool, typer.Option("--quick", help="Compare what was written, but do not ask the API for every answer afterwards.")
]


@app.command("placement")
def placement(  # noqa: PLR0913 - as many as there are flags
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE", help="URL of upstream's database, or http(s)://… of a Placement service's endpoint."
        ),
    ] = None,
    *,
    placement_config: PlacementConfig = None,
    os_cloud: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Cloud of clouds.yaml whose Placement service to read; else OS_… counts."),
    ] = None,
    leave_out_broken: Annotated[
        bool,
        typer.Option("--leave-out-broken", help="Leave out rows of the source's database that fit nowhere."),
    ] = False,
    dry_run: DryRun = False,
    quick: Quick = False,
    database: Target = None,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Take over an upstream Placement, from its database or its endpoint: everything, or nothing of it."""
    output = Output(as_json, as_csv)
    with told_to_the_operator():
        source = upstream_address(source, placement_config)
        if source is None and os_cloud is None:
            raise Misuse("Name the source: a database URL, an endpoint, --placement-config or --os-cloud.")
        if source is None or source.startswith(("http://", "https://")):
            contents = _from_endpoint(source, os_cloud)
        else:
            contents = _from_database(source, leave_out_broken=leave_out_broken)
        _fill(contents, database, config, output, dry_run=dry_run, quick=quick)


@app.command("file")
def file(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="What `moorage export file` wrote.")],
    *,
    dry_run: DryRun = False,
    quick: Quick = False,
    database: Target = None,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Take over what `moorage export file` wrote: everything, or nothing of it."""
    from moorage.transfer.file import read_file

    output = Output(as_json, as_csv)
    with told_to_the_operator():
        with working(f"Reading {path}"):
            contents = read_file(path)
        _fill(contents, database, config, output, dry_run=dry_run, quick=quick)


def _from_database(url: str, *, leave_out_broken: bool) -> Contents:
    from moorage.service.ledger_database import plain_errors
    from moorage.transfer.errors import TransferRefused, some_of
    from moorage.transfer.upstream_database import opened
    from moorage.transfer.upstream_reading import read_upstream

    with plain_errors(url), opened(url) as connection, working("Reading the source"):
        reading = read_upstream(connection)
    if reading.broken:
        listed = some_of(reading.broken)
        if not leave_out_broken:
            raise TransferRefused(
                f"{len(reading.broken)} rows of the source fit nowhere. Mend them there, or leave them out with"
                f" --leave-out-broken.\n{listed}"
            )
        typer.echo(f"Left out, because they fit nowhere:\n{listed}", err=True)
    if reading.empty_consumers:
        typer.echo(f"{reading.empty_consumers} consumers hold nothing, and are not taken over.", err=True)
    return reading.contents


def _from_endpoint(address: str | None, cloud: str | None) -> Contents:
    from moorage.client.operator import operators_cloud
    from moorage.transfer.endpoint import read_endpoint

    reached = operators_cloud(cloud, {"placement": address} if address else None)
    with progress("Reading", {"providers": None, "consumers": None}) as tell:
        contents, _usages = read_endpoint(reached.placement, tell)
    return contents


def _fill(
    contents: Contents, database: str | None, config: list[Path] | None, output: Output, *, dry_run: bool, quick: bool
) -> None:
    from moorage.service.ledger_database import masked, plain_errors, upgrade_database
    from moorage.transfer.errors import some_of
    from moorage.transfer.moving import Outcome, check, fill_ledger, unlike_answers

    what, facts = described(contents), counted(contents)
    check(contents)  # before a database is made or upgraded for them
    if dry_run:
        output.done(f"The source holds {what}. Nothing was written.", {"target": None, "written": False, **facts})
        return
    url = database_of(database, config)
    upgrade_database(url)
    totals = {"providers": len(contents.providers), "allocations": contents.number_of_allocations}
    with ledger_at(url) as ledger, plain_errors(url):
        with progress("Writing", totals) as tell:
            outcome = fill_ledger(ledger, contents, tell)
        told = {"target": masked(url), "written": outcome is not Outcome.THERE_ALREADY, **facts}
        output.done(
            f"{masked(url)} holds exactly this already: {what}."
            if outcome is Outcome.THERE_ALREADY
            else f"{masked(url)} now holds {what}; read back, nothing differs.",
            told,
        )
        if quick:
            return
        with progress("Asking", {"providers": len(contents.providers), "consumers": len(contents.consumers)}) as tell:
            unlike = unlike_answers(_own_client(ledger), contents, tell)
    if unlike:
        raise OperatorError(f"The API answers otherwise than the source, {len(unlike)} times:\n{some_of(unlike)}")
    if output.for_people:
        typer.echo("Every answer of the API was compared with the source; nothing differs.")


def _own_client(database: Database) -> PlacementClient:
    """The API over this database, in this process, for nobody else: who may do what does not matter here."""
    from moorage.client.in_process import WsgiTransport
    from moorage.client.placement import PlacementClient
    from moorage.service.application import placement_application
    from moorage.service.settings import load_settings

    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
    return PlacementClient(WsgiTransport(placement_application(settings, database), {"x-auth-token": "admin"}))

"""`moorage export`: all that the ledger holds, into a database of upstream's Placement or into a file."""

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
    from moorage.placement.model.contents import Contents

app = typer.Typer(help="Hand over all that the ledger holds.", no_args_is_help=True)

Source = Annotated[
    str | None, typer.Option("--database", metavar="URL", help="Database to read instead of the configured one.")
]


@app.command("placement")
def placement(
    target: Annotated[
        str | None, typer.Argument(metavar="URL", help="Database of upstream's Placement, without providers.")
    ] = None,
    *,
    placement_config: PlacementConfig = None,
    database: Source = None,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Fill a database of upstream's Placement: everything, or nothing of it."""
    from moorage.service.ledger_database import masked, plain_errors
    from moorage.transfer.moving import fill_upstream
    from moorage.transfer.upstream_database import opened

    output = Output(as_json, as_csv)
    with told_to_the_operator():
        target = upstream_address(target, placement_config)
        if target is None:
            raise Misuse("Name the target: a database URL, or --placement-config.")
        contents = _contents(database, config)
        totals = {"providers": len(contents.providers), "allocations": contents.number_of_allocations}
        with plain_errors(target), opened(target) as connection, progress("Writing", totals) as tell:
            fill_upstream(connection, contents, tell)
    output.done(
        f"{masked(target)} now holds {described(contents)}; read back, nothing differs.",
        {"target": masked(target), **counted(contents)},
    )


@app.command("file")
def file(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="File to make; packed if its name ends with .gz.")],
    *,
    database: Source = None,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Write everything into one file, for `moorage import file`."""
    from moorage.transfer.file import write_file

    output = Output(as_json, as_csv)
    with told_to_the_operator():
        contents = _contents(database, config)
        with working(f"Writing {path}"):
            write_file(path, contents)
    output.done(f"{path} holds {described(contents)}.", {"target": str(path), **counted(contents)})


def _contents(database: str | None, config: list[Path] | None) -> Contents:
    from moorage.placement.store.whole import read_contents
    from moorage.service.ledger_database import database_version, masked, plain_errors

    url = database_of(database, config)
    if database_version(url) is None:
        raise OperatorError(f"{masked(url)} has no tables yet; there is nothing to export.")
    with plain_errors(url), ledger_at(url) as ledger, working("Reading the ledger"):
        return ledger.read(read_contents)

"""`moorage reservation …`: workers that carry leases out, and the comparison of leases with the cloud."""

import signal
import threading
from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.output import Output
from moorage.cli.progress import working
from moorage.cli.settings import ConfigOption, settings_of
from moorage.service.errors import OperatorError

app = typer.Typer(no_args_is_help=True, help="Carry leases out, and compare them with the cloud.")


@app.command("worker")
def worker(
    *,
    threads: Annotated[int, typer.Option(min=1, help="How many leases to work on at the same time.")] = 4,
    config: ConfigOption = None,
) -> None:
    """Carry out what leases have to do, until told to stop; any number of these may run, anywhere."""
    import logging.config

    from moorage.service.log import logging_configuration
    from moorage.service.reservation_workers import start_workers
    from moorage.service.standalone_room import standalone_room

    settings = settings_of(config)
    logging.config.dictConfig(logging_configuration(settings))
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    for thread in start_workers(standalone_room(settings), stop, threads):
        thread.join()


@app.command("audit")
def audit(
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Put right what does not agree.")] = False,
    remove_unknown: Annotated[
        bool,
        typer.Option(
            "--remove-unknown",
            help="With --fix, remove also what no lease here knows: only where no other service reserves anything.",
        ),
    ] = False,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Compare leases with Placement and compute; the exit code is 1 if something is left that does not agree."""
    from sqlalchemy.exc import SQLAlchemyError

    from moorage.client.errors import ClientError
    from moorage.db.database import DatabaseUnavailable
    from moorage.reservations.enactment.errors import NotYet, UnfitCloud
    from moorage.reservations.reconciling.audit import audit as run
    from moorage.reservations.reconciling.repairs import repair
    from moorage.service.reservation_workers import open_worker_context
    from moorage.service.standalone_room import standalone_room

    output = Output(as_json, as_csv)
    settings = settings_of(config)
    context = open_worker_context(standalone_room(settings))
    try:
        with working("Comparing leases with the cloud"):
            found = run(context)
        repaired = [fix and repair(context, each, unknown=remove_unknown) for each in found]
    except (ClientError, SQLAlchemyError, DatabaseUnavailable, UnfitCloud, NotYet) as error:
        raise OperatorError(f"Leases and the cloud cannot be compared: {error}") from error
    if output.for_people:
        for each, done in zip(found, repaired, strict=True):
            typer.echo(f"{each.text}{' Repaired.' if done else ''}")
        typer.echo(f"{len(found)} things do not agree." if found else "Leases and the cloud agree.")
    else:
        rows = [(each.kind, each.subject, each.text, done) for each, done in zip(found, repaired, strict=True)]
        output.rows(("kind", "subject", "text", "repaired"), rows)
    raise typer.Exit(0 if all(repaired) else 1)

"""`moorage audit`: do servers and allocations agree, and what to do if they do not."""

from datetime import timedelta
from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.output import Output
from moorage.cli.progress import working
from moorage.cli.settings import ConfigOption, settings_of
from moorage.service.errors import OperatorError


def audit(
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Put right what does not agree.")] = False,
    age: Annotated[
        int,
        typer.Option(
            min=0, metavar="SECONDS", help="Leave alone what was touched within so many seconds: it may be under way."
        ),
    ] = 300,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Compare servers with what Placement holds; the exit code is 1 if something is left that does not agree."""
    from sqlalchemy.exc import SQLAlchemyError

    from moorage.client.errors import ClientError
    from moorage.compute.audit import audit as run
    from moorage.compute.audit import in_words
    from moorage.db.database import DatabaseUnavailable
    from moorage.service.application import open_database, placement_application
    from moorage.service.compute_service import open_compute

    output = Output(as_json, as_csv)
    settings = settings_of(config)
    database = open_database(settings)
    compute = open_compute(settings, database, lambda: placement_application(settings, database))
    try:
        with working("Comparing servers with allocations"):
            found = run(compute, fix=fix, age=timedelta(seconds=age))
    except (ClientError, SQLAlchemyError, DatabaseUnavailable) as error:
        raise OperatorError(f"Servers and allocations cannot be compared: {error}") from error
    if output.for_people:
        for line in in_words(found):
            typer.echo(line)
    else:
        rows = [(each.kind.value, each.uuid, each.text, each.repair) for each in found]
        output.rows(("kind", "uuid", "text", "repair"), rows)
    raise typer.Exit(1 if any(each.repair is None for each in found) else 0)

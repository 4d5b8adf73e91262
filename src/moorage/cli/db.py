"""`moorage db`: bring the database up to date, or ask for its version."""

from typing import Annotated

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.output import Output
from moorage.cli.settings import ConfigOption, database_of

app = typer.Typer(help="Create and upgrade the database.", no_args_is_help=True)

Database = Annotated[
    str | None, typer.Option(metavar="URL", help="Database to use instead of the one in the configuration.")
]


@app.command()
def upgrade(
    *, database: Database = None, config: ConfigOption = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """Create the tables, or bring them up to date; safe to repeat and while the service runs."""
    output = Output(as_json, as_csv)
    from moorage.service.ledger_database import masked, upgrade_database

    url = database_of(database, config)
    version = upgrade_database(url)
    output.done(f"{masked(url)} has version {version}, the newest.", {"database": masked(url), "version": version})


@app.command()
def version(
    *, database: Database = None, config: ConfigOption = None, as_json: AsJson = False, as_csv: AsCsv = False
) -> None:
    """Show the version of the tables."""
    output = Output(as_json, as_csv)
    from moorage.service.errors import OperatorError
    from moorage.service.ledger_database import database_version, masked

    url = database_of(database, config)
    found = database_version(url)
    if found is None:
        raise OperatorError(f"{masked(url)} has no tables yet; run `moorage db upgrade`.")
    output.done(found, {"database": masked(url), "version": found})

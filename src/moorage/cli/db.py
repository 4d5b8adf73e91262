"""`moorage db`: bring the database up to date, or ask for its version."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Create and upgrade the database.", no_args_is_help=True)

Database = Annotated[
    str | None, typer.Option(metavar="URL", help="Database to use instead of the one in the configuration.")
]
Config = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Configuration file instead of /etc/moorage/moorage.conf; may be repeated."),
]


@app.command()
def upgrade(database: Database = None, config: Config = None) -> None:
    """Create the tables, or bring them up to date; safe to repeat and while the service runs."""
    from moorage.service.ledger_database import masked, upgrade_database

    url = _url(database, config)
    version = upgrade_database(url)
    typer.echo(f"{masked(url)} has version {version}, the newest.")


@app.command()
def version(database: Database = None, config: Config = None) -> None:
    """Show the version of the tables."""
    from moorage.service.errors import OperatorError
    from moorage.service.ledger_database import database_version, masked

    url = _url(database, config)
    found = database_version(url)
    if found is None:
        raise OperatorError(f"{masked(url)} has no tables yet; run `moorage db upgrade`.")
    typer.echo(found)


def _url(database: str | None, config: list[Path] | None) -> str:
    from moorage.service.settings import database_url, load_settings

    return database or database_url(load_settings(config_files=[str(file) for file in config] if config else None))

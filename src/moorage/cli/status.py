"""`moorage status`: the checks of `moorage.service.status` as a table or as JSON."""

import json
from typing import Annotated

import typer

from moorage.cli.settings import ConfigOption, named_files

STYLES = {"ok": "green", "warning": "yellow", "failure": "red"}


def status(
    *,
    config: ConfigOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Check this installation; the exit code is 0 if all is well, 1 after a warning, 2 after a failure."""
    from moorage.service.status import run_checks, worst

    checks = run_checks(named_files(config))
    rows = [(check.name, check.outcome.name.lower(), check.detail) for check in checks]
    if as_json:
        typer.echo(json.dumps([dict(zip(("name", "outcome", "detail"), row, strict=True)) for row in rows], indent=2))
    else:
        _show_table(rows)
    raise typer.Exit(worst(checks))


def _show_table(rows: list[tuple[str, str, str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table("Check", "Outcome", "Detail")
    for name, outcome, detail in rows:
        table.add_row(name, Text(outcome, style=STYLES[outcome]), Text(detail, overflow="fold"))
    Console().print(table)

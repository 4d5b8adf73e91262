"""`moorage status`: the checks of `moorage.service.status` as a table, as JSON or as CSV."""

import typer

from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.output import Output, console
from moorage.cli.settings import ConfigOption, named_files

STYLES = {"ok": "green", "warning": "yellow", "failure": "red"}


def status(
    *,
    config: ConfigOption = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Check this installation; the exit code is 0 if all is well, 1 after a warning, 2 after a failure."""
    from moorage.service.status import run_checks, worst

    output = Output(as_json, as_csv)
    checks = run_checks(named_files(config))
    rows = [(check.name, check.outcome.name.lower(), check.detail) for check in checks]
    if output.for_people:
        _show_table(rows)
    else:
        output.rows(("name", "outcome", "detail"), rows)
    raise typer.Exit(worst(checks))


def _show_table(rows: list[tuple[str, str, str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table("Check", "Outcome", "Detail")
    for name, outcome, detail in rows:
        table.add_row(name, Text(outcome, style=STYLES[outcome]), Text(detail, overflow="fold"))
    console().print(table)

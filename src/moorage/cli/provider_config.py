"""`moorage provider-config`: check provider configuration files, and show how to write them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moorage.cli import provider_config_host
from moorage.cli.cloud import AsCsv, AsJson
from moorage.cli.output import Output
from moorage.cli.settings import ConfigOption, settings_of

if TYPE_CHECKING:
    from moorage.hosts.provider_config.reading import Reading
    from moorage.hosts.provider_config.records import Record

app = typer.Typer(help="Check provider configuration files, and show how to write them.", no_args_is_help=True)


class Permissions(StrEnum):
    """What happens to files that others could have written."""

    REFUSE = "refuse"
    WARN = "warn"


@app.command()
def check(
    directory: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Directory of the files instead of the configured one.")
    ] = None,
    *,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    permissions: Annotated[
        Permissions | None,
        typer.Option(help="Whether files that others could change are refused; by default as configured."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End with exit code 1 after a warning, too.")] = False,
    config: ConfigOption = None,
) -> None:
    """Check every file in a directory; the exit code is 0 if they can be used and 1 if not."""
    from moorage.hosts.provider_config.options import provider_config_location, strict_permissions
    from moorage.hosts.provider_config.reading import read_directory
    from moorage.service.errors import OperatorError

    output = Output(as_json, as_csv)
    settings = settings_of(config)
    if directory is not None and not directory.exists():
        raise OperatorError(f"There is no directory {directory}; name the one that holds the files.")
    place = directory or provider_config_location(settings)
    refuses = permissions is Permissions.REFUSE if permissions else strict_permissions(settings)
    reading = read_directory(place, strict_permissions=refuses)
    if output.for_people:
        _show(reading)
    else:
        output.detailed(_as_json(place, reading), ("kind", "place", "text"), list(_rows(place, reading)))
    raise typer.Exit(1 if reading.problems or (strict and reading.warnings) else 0)


@app.command()
def schema() -> None:
    """Print the JSON Schema of the files, for editors and other programs."""
    from moorage.hosts.provider_config.validation import schema_text

    typer.echo(schema_text(), nl=False)


@app.command()
def sample() -> None:
    """Print a sample file that explains every field, to begin with."""
    from moorage.hosts.provider_config.sample import sample_text

    typer.echo(sample_text(), nl=False)


app.command("show")(provider_config_host.show)
app.command("diff")(provider_config_host.diff)


def _show(reading: Reading) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True)
    for problem in reading.problems:
        console.print(Text.assemble((problem.place, "bold red"), f": {problem.text}"))
    for warning in reading.warnings:
        console.print(Text.assemble((warning.place, "bold yellow"), f": warning: {warning.text}"))
    for note in reading.notes:
        console.print(Text(note))
    if reading.files:
        console.print(Text(_summary(reading)))


def _summary(reading: Reading) -> str:
    read = _count(len(reading.files), "file")
    found = _count(len(reading.problems), "problem") if reading.problems else _count(len(reading.records), "record")
    warned = f", {_count(len(reading.warnings), 'warning')}" if reading.warnings else ""
    return f"{read}: {found}{warned}."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _as_json(directory: Path, reading: Reading) -> dict[str, Any]:
    return {
        "directory": str(directory),
        "usable": not reading.problems,
        "files": list(reading.files),
        "problems": [asdict(problem) for problem in reading.problems],
        "warnings": [asdict(warning) for warning in reading.warnings],
        "notes": list(reading.notes),
        "records": [_record(record) for record in reading.records],
    }


def _rows(directory: Path, reading: Reading) -> Iterator[tuple[str, str, str]]:
    yield from (("problem", problem.place, problem.text) for problem in reading.problems)
    yield from (("warning", warning.place, warning.text) for warning in reading.warnings)
    yield from (("note", str(directory), note) for note in reading.notes)


def _record(record: Record) -> dict[str, Any]:
    return {
        "file": record.file,
        "line": record.line,
        "uuid": record.uuid,
        "name": record.name,
        "inventories": {name: asdict(inventory) for name, inventory in record.inventories.items()},
        "traits": sorted(record.traits),
    }

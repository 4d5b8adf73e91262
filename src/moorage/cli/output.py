"""How commands show what they found: tables and bars for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

_BAR = 10


@dataclass(frozen=True, slots=True)
class Output:
    """The form that was asked for."""

    as_json: bool
    as_csv: bool

    def __post_init__(self) -> None:
        if self.as_json and self.as_csv:
            raise typer.BadParameter("--json and --csv exclude each other.")

    @property
    def for_people(self) -> bool:
        """Whether a person reads it."""
        return not self.as_json and not self.as_csv

    def rows(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """A list of things, a row for each."""
        if self.as_json:
            typer.echo(json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=2))
        elif self.as_csv:
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([_text(cell) for cell in row] for row in rows)
        else:
            _print_table(columns, rows)

    def detailed(self, content: object, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """What JSON tells in full, and a table or CSV in rows."""
        if self.as_json:
            typer.echo(json.dumps(content, indent=2))
        else:
            self.rows(columns, rows)

    def fields(self, fields: Mapping[str, Any]) -> None:
        """One thing."""
        self.detailed(fields, ("field", "value"), list(fields.items()))

    def done(self, sentence: str, fields: Mapping[str, Any]) -> None:
        """What was made or changed: a sentence for people."""
        if self.for_people:
            typer.echo(sentence)
        else:
            self.fields(fields)

    @contextmanager
    def one_by_one(self, *columns: str) -> Iterator[Callable[..., None]]:
        """Things that are done one after the other: what this gives takes a sentence for people and a cell a column.

        Programs get the rows in the end, also where an error ends it: then those of what was done before.
        """
        rows: list[Sequence[Any]] = []

        def done(sentence: str, *row: Any) -> None:
            rows.append(row)
            if self.for_people:
                typer.echo(sentence)

        try:
            yield done
        finally:
            if not self.for_people:
                self.rows(columns, rows)


def console() -> Console:
    """Where people look; a table that goes elsewhere is as wide as it needs to be."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True) if sys.stdout.isatty() else Console(highlight=False, width=10_000)


def bar(used: int, capacity: int) -> str:
    """How full something is, as a bar and in percent; what is over-full says so by its number."""
    share = used / capacity if capacity > 0 else float(used > 0)
    full = min(_BAR, round(share * _BAR))
    return f"{'█' * full}{'░' * (_BAR - full)} {share:4.0%}"


def _print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for number, column in enumerate(columns):
        is_number = bool(rows) and all(isinstance(row[number], int | float) for row in rows)
        table.add_column(column, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_text(cell)) for cell in row))
    console().print(table)


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Mapping):
        return ", ".join(
            f"{name}: {_text(value)}" if isinstance(value, Mapping) else f"{name}={value}"
            for name, value in cell.items()
        )
    if isinstance(cell, list | tuple | set | frozenset):
        return ", ".join(map(str, cell))
    return str(cell)

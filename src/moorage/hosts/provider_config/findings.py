"""What is wrong, or remarkable, in provider configuration files, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Path = tuple[str | int, ...]
"""The way to a value in a document: keys of mappings and positions in lists."""

_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about a file, or about the directory itself; as text it is one line for the operator.

    Lines and columns count from 1, in characters. They and all fields after them are left out where there is nothing
    to say.
    """

    # The file's name without its directory, or the path of the directory.
    file: str
    # What is wrong, with the value in it.
    message: str
    line: int | None = None
    column: int | None = None
    # Where in the document: providers[0].inventories.additional.CUSTOM_LLC.total
    path: str = ""
    # The value as the file writes it, shortened.
    value: str = ""
    # What would be right in its place.
    allowed: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"

    @property
    def place(self) -> str:
        """File, line and column, as editors and terminals understand them."""
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)

    @property
    def text(self) -> str:
        """All that is to say about the place."""
        path = f"{self.path}: " if self.path else ""
        allowed = f"; allowed: {self.allowed}" if self.allowed else ""
        return f"{path}{self.message}{allowed}"


def spelled_out(path: Sequence[str | int]) -> str:
    """A path as a person writes it."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.isidentifier() and step.isascii():
            text += f".{step}" if text else step
        else:
            text += f"[{shortened(repr(step))}]"
    return text


def shortened(text: str) -> str:
    """The text, or its beginning if it is long."""
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 1]}…"

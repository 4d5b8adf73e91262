"""The documents of this repository: their code blocks, commands and links."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]

_FENCE = "```"
# A fence and the name of its language; in a list both it and its lines are indented.
_BEGIN_OR_END = re.compile(r"( *)```(\S*)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"#+ (.*)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced piece of a document; `line` is the number of its first line inside the fence."""

    language: str
    line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A command as it is typed, and what is shown as its output."""

    line: int
    command: str
    expected: str


def name_of(document: Path) -> str:
    return str(document.relative_to(REPOSITORY))


def blocks(document: Path, language: str | None = None) -> list[Block]:
    """The blocks of one kind in a document, or all of them."""
    found = _blocks(document.read_text(encoding="utf-8"))
    return [block for block in found if language is None or block.language == language]


def _blocks(text: str) -> Iterator[Block]:
    language, indent, begin, inside = "", "", 0, None
    for number, line in enumerate(text.splitlines(), start=1):
        fence = _BEGIN_OR_END.fullmatch(line)
        if fence is None:
            if inside is not None:
                inside.append(line.removeprefix(indent))
        elif inside is None:
            (indent, language), begin, inside = fence.groups(), number + 1, list[str]()
        else:
            yield Block(language, begin, tuple(inside))
            inside = None
    assert inside is None, f"the block that begins in line {begin} has no end"


def steps(block: Block) -> list[Step]:
    """The commands of a block: lines that begin with "$ ", and the lines after them that bash would wait for."""
    found: list[Step] = []
    unread = list(enumerate(block.lines, start=block.line))
    while unread:
        number, line = unread.pop(0)
        assert line.startswith("$ "), f"line {number} comes before any command"
        command = line.removeprefix("$ ")
        while _is_open(command):
            assert unread, f"the command in line {number} has no end"
            command += "\n" + unread.pop(0)[1]
        output = []
        while unread and not unread[0][1].startswith("$ "):
            output.append(unread.pop(0)[1])
        found.append(Step(number, command, "\n".join(output)))
    return found


@cache
def _is_open(command: str) -> bool:
    """Whether a quote, a brace or a line is still open."""
    if command.endswith("\\"):
        return True
    return subprocess.run(["bash", "-n", "-c", command], capture_output=True, check=False).returncode != 0


def prose(document: Path) -> str:
    """A document without its code blocks."""
    return re.sub(
        rf"^ *{_FENCE}.*?^ *{_FENCE}$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


def links(document: Path) -> list[str]:
    """What a document links to, pictures included."""
    return _LINK.findall(prose(document))


def anchors(document: Path) -> set[str]:
    """The fragments by which headings can be linked to, as GitHub makes them."""
    headings = (match[1] for match in map(_HEADING.fullmatch, prose(document).splitlines()) if match)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def matches(expected: str, actual: str) -> bool:
    """Whether an output is what the document shows: "…" stands for anything, on a line of its own for any lines."""
    pattern = re.escape(_trimmed(expected)).replace("\\\n", "\n")
    pattern = re.sub(r"\A…\n", "(?:.*\n)?", pattern)
    pattern = re.sub(r"\n…(?=\n|\Z)", r"(?:\n.*)?", pattern)
    return re.fullmatch(pattern.replace("…", ".*"), _trimmed(actual), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())

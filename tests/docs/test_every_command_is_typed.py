"""Nothing that a document shows to be typed goes untried, but for a list of exceptions; and those at least exist."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from moorage.cli.main import app
from tests.docs.documents import DOCUMENTS, REPOSITORY, Block, blocks, name_of, prose, steps
from tests.docs.not_typed import NOT_TYPED, SPECIAL_SESSIONS

COMMAND = typer.main.get_command(app)

# Languages whose blocks are commands, and those that have nothing to type. A new one has to be put somewhere.
SHELLS = {"bash", "console", "sh", "shell", "shell-session", "zsh"}
OTHERS = {"ini", "json", "nginx", "sql", "text", "yaml"}


def shown_to_be_typed(document: Path) -> list[Block]:
    """The blocks with a command, whatever they call themselves."""
    return [b for b in blocks(document) if b.language in SHELLS or any(line.startswith("$ ") for line in b.lines)]


def exceptions() -> list[tuple[Path, Block]]:
    """The blocks on the list of those that are not typed."""
    return [
        (document, block)
        for document in DOCUMENTS
        for block in shown_to_be_typed(document)
        if (name_of(document), block.lines[0]) in NOT_TYPED
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_command_is_typed(document: Path) -> None:
    typed = {"console"} | ({"shell-session"} if name_of(document) in SPECIAL_SESSIONS else set())
    untried = [
        f"{name_of(document)}:{block.line}: {block.lines[0]}"
        for block in shown_to_be_typed(document)
        if block.language not in typed and (name_of(document), block.lines[0]) not in NOT_TYPED
    ]
    assert untried == []


def test_every_block_says_what_it_is() -> None:
    nameless = [
        f"{name_of(document)}:{block.line}: {block.language}"
        for document in DOCUMENTS
        for block in blocks(document)
        if block.language not in SHELLS | OTHERS
    ]
    assert nameless == []


def test_the_exceptions_are_there() -> None:
    assert {(name_of(document), block.lines[0]) for document, block in exceptions()} == NOT_TYPED.keys()
    assert {name_of(d) for d in DOCUMENTS if blocks(d, "shell-session")} == SPECIAL_SESSIONS.keys()


@pytest.mark.parametrize(
    "block", [pytest.param(block, id=f"{name_of(document)}:{block.line}") for document, block in exceptions()]
)
def test_what_is_not_typed_at_least_exists(block: Block) -> None:
    for step in steps(block):
        read = subprocess.run(["bash", "-n", "-c", step.command], capture_output=True, text=True, check=False)
        assert read.returncode == 0, read.stderr
        for path in re.findall(r"(?<![\w/~.])(?:tests|tools|packaging)/[\w./-]+", step.command):
            assert (REPOSITORY / path).exists(), path
        for module in re.findall(r"python -m ([\w.]+)", step.command):
            assert (REPOSITORY / module.replace(".", "/")).exists(), module
        for target in re.findall(r"(?:^| )make (\S+)", step.command):
            assert re.search(rf"^{target}:", (REPOSITORY / "Makefile").read_text(), re.MULTILINE), target
        assert list(misspelt(step.command)) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_commands_in_the_text_exist(document: Path) -> None:
    """What is named in a sentence, or typed and not waited for, is there, with its options."""
    named = [re.sub(r"\s+", " ", text) for text in re.findall(r"`(moorage [^`]+)`", prose(document))]
    named += [s.command for b in blocks(document, "console") for s in steps(b) if s.command.endswith("&")]
    assert [wrong for text in named for wrong in misspelt(text)] == []


def misspelt(text: str) -> Iterator[str]:
    """The subcommands and options in a line of shell that `moorage` does not have."""
    for called in re.findall(r"(?:^|[|;&(] *|sudo |/bin/)(moorage [^|&;>)]+)", text, re.MULTILINE):
        command: Any = COMMAND
        for word in shlex.split(called, comments=True)[1:]:
            if word.startswith("-"):
                known = {"--help", *(option for parameter in command.params for option in parameter.opts)}
                if word.partition("=")[0] not in known:
                    yield f"{called}: {word}"
            elif hasattr(command, "commands") and word != "…":
                if word not in command.commands:
                    yield f"{called}: {word}"
                    break
                command = command.commands[word]


class TestReadingACommand:
    @pytest.mark.parametrize(
        "text",
        [
            "moorage db upgrade --database x",
            "sudo moorage audit --fix | tee x",
            "moorage fit --vcpus=2",
            "moorage lease …",
        ],
    )
    def test_what_there_is(self, text: str) -> None:
        assert list(misspelt(text)) == []

    @pytest.mark.parametrize("text", ["moorage db downgrade", "moorage audit --mend", "x | moorage tidy"])
    def test_what_there_is_not(self, text: str) -> None:
        assert len(list(misspelt(text))) == 1

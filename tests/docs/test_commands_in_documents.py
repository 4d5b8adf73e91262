"""What the documents tell a reader to type works, and shows what they say it shows.

Every ```console block is run. Lines that begin with "$ " are typed into a shell, one shell for a whole document; the
other lines are what must come out, where "…" stands for anything. A ```text block that begins with "$ make run" shows
the service's greeting. What else is shown to be typed is in `not_typed.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.docs.documents import DOCUMENTS, REPOSITORY, Step, blocks, matches, name_of, steps
from tests.docs.loaded_openstack import loaded_openstack
from tests.docs.session import DOCUMENTED_PORTS, Reader, reader, sample_cloud

# What only somebody types for whom a service runs.
SIGNS = (DOCUMENTED_PORTS[0], "~/.local/share/moorage", "moorage provider ", "moorage candidates ", "moorage fit ")

WITH_COMMANDS = [document for document in DOCUMENTS if blocks(document, "console")]

# Documents that are read one after the other with one service, since none minds what those before it leave behind.
TOGETHER = (
    ("concepts", "command", "openapi", "watching", "authentication", "policy", "identity", "placing", "agent"),
    ("image-api", "compute-api", "reservations-operators", "servers", "reservation-api", "provider-config"),
)


def readings() -> list[tuple[Path, ...]]:
    """The documents with commands: those that are read together, and each of the others by itself."""
    together = [tuple(REPOSITORY / "docs" / f"{name}.md" for name in names) for names in TOGETHER]
    found = {document for documents in together for document in documents}
    assert found <= set(WITH_COMMANDS)
    return [*((document,) for document in WITH_COMMANDS if document not in found), *together]


@pytest.fixture(scope="session")
def openstack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The command `openstack` for a shell, without the time that it takes to load."""
    with loaded_openstack(tmp_path_factory.mktemp("openstack")) as function:
        yield function


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first start of a service leaves in its directory, without the time that it takes to make it."""
    return sample_cloud(tmp_path_factory.mktemp("sample"))


@pytest.mark.parametrize("documents", readings(), ids=lambda documents: "+".join(map(name_of, documents)))
def test_what_is_typed_shows_what_is_written(
    documents: tuple[Path, ...], tmp_path: Path, openstack: str, request: pytest.FixtureRequest
) -> None:
    typed = {document: [s for block in blocks(document, "console") for s in steps(block)] for document in documents}
    served = any(map(needs_a_service, typed.values()))
    with reader(tmp_path, openstack, request.getfixturevalue("sample") if served else None) as somebody:
        wrong = [fault for document in documents for fault in faults(somebody, document, typed[document])]
    if wrong:
        pytest.fail("\n\n".join(wrong), pytrace=False)


def faults(somebody: Reader, document: Path, typed: Sequence[Step]) -> Iterator[str]:
    """What is shown to somebody who follows a document, where it is not what is written."""
    greetings = [block for block in blocks(document, "text") if block.lines[0] == "$ make run"]
    shown = list(zip(typed, somebody.type(typed), strict=True))
    shown += [(Step(block.line, "make run", "\n".join(block.lines[1:])), somebody.greeting) for block in greetings]
    for step, output in shown:
        if not matches(step.expected, output):
            where = f"{name_of(document)}:{step.line}"
            yield f"{where}: $ {step.command}\n--- written\n{step.expected}\n--- shown\n{output}"


def needs_a_service(typed: Sequence[Step]) -> bool:
    """Whether a document talks to the service, or looks at what it has made."""
    return any(sign in step.command for step in typed for sign in SIGNS)


class TestReadingABlock:
    def test_a_command_goes_on_while_a_quote_a_brace_or_a_line_is_open(self, tmp_path: Path) -> None:
        document = tmp_path / "a.md"
        document.write_text("text\n```console\n$ echo 'a\nb' \\\n  c\na\nb c\n$ f() {\n  true\n}\n$ f\n```\n")
        (block,) = blocks(document, "console")
        assert steps(block) == [
            Step(3, "echo 'a\nb' \\\n  c", "a\nb c"),
            Step(8, "f() {\n  true\n}", ""),
            Step(11, "f", ""),
        ]

    @pytest.mark.parametrize(
        ("expected", "actual"),
        [
            ("", ""),
            ("a", "a\n"),
            ("a …", "a long line"),
            ("{…}", '{"a": [1]}'),
            ("a\n…\nd", "a\nb\nc\nd"),
            ("a\n…\nd", "a\nd"),
            ("a\n…", "a"),
            ("…\nd", "d"),
            ("a (b) [c]*", "a (b) [c]*"),
        ],
    )
    def test_three_dots_stand_for_anything(self, expected: str, actual: str) -> None:
        assert matches(expected, actual)

    @pytest.mark.parametrize(("expected", "actual"), [("", "a"), ("a", ""), ("a\n…\nd", "a\nb"), ("a.c", "abc")])
    def test_everything_else_stands_for_itself(self, expected: str, actual: str) -> None:
        assert not matches(expected, actual)

"""Whether both services refuse in the same words, and where ours are other ones on purpose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from tests.differential.services import Answer

# What comes after it quotes the schema, which may say the same thing in another way.
_QUOTATION = "Failed validating"


@dataclass(frozen=True)
class OtherWords:
    """Two ways to refuse the same thing, as patterns that upstream's and our sentence match."""

    reason: str
    upstream: str
    ours: str


_ONE_OF_THE_AMOUNTS = r"Unable to allocate inventory: (Unable to create allocation|Inventory) for .*"
OTHER_WORDS = (
    OtherWords(
        "Where several amounts cannot be given, each service names one; upstream lists classes with none of which "
        "anything is wrong where an inventory is missing.",
        _ONE_OF_THE_AMOUNTS,
        _ONE_OF_THE_AMOUNTS,
    ),
    OtherWords(
        "Of an unknown class and an inventory that cannot be, upstream tells the former, ours the latter.",
        r".*No such resource class \S+\.",
        r".*Invalid inventory for '\w+' on resource provider .*",
    ),
    OtherWords(
        "Upstream shows the statement that its database has refused.",
        r"Update conflict: .*IntegrityError.*",
        r"Update conflict: Inventory for '\w+' on resource provider '\S+' already exists\.",
    ),
    OtherWords(
        "Upstream names what its database has complained of first, ours everything that is taken.",
        r"Conflicting resource provider name: \S+ already exists\.",
        r"Conflicting resource provider uuid: \S+, name: \S+ already exists\.",
    ),
    OtherWords(
        "Upstream names the unknown traits of the first condition that has some, ours all.",
        r".*No such trait\(s\): .*",
        r".*No such trait\(s\): \S+, .*",
    ),
)


def compare_details(upstream: Answer, ours: Answer) -> str | None:
    """How the sentences of two refusals differ, the order of names and the spaces between words aside."""
    theirs, mine = _detail(upstream), _detail(ours)
    if theirs is None or mine is None or _words(theirs) == _words(mine):
        return None
    if any(re.fullmatch(one.upstream, theirs) and re.fullmatch(one.ours, mine) for one in OTHER_WORDS):
        return None
    return f"upstream says {theirs!r}, ours {mine!r}"


def _detail(answer: Answer) -> str | None:
    body: Any = answer.body
    # What a path cannot do, both say of the method, and mean by it nothing that anybody could do otherwise.
    if not isinstance(body, dict) or not body.get("errors") or answer.status == HTTPStatus.METHOD_NOT_ALLOWED:
        return None
    # The first paragraph explains the status.
    said = body["errors"][0]["detail"].partition("\n\n")[2].partition(_QUOTATION)[0]
    return " ".join(said.split())


def _words(text: str) -> list[str]:
    return sorted(re.findall(r"[^\s,\[\]]+", text))

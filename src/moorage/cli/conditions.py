"""What is asked of providers, as options that commands share and in the API's notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from moorage.cli import completion
from moorage.cli.misuse import Misuse
from moorage.cli.names import aggregate_of

if TYPE_CHECKING:
    from moorage.client.operator import OperatorsCloud

ResourcesOption = Annotated[
    list[str] | None, typer.Option(metavar="CLASS:AMOUNT", help="With so much left; may be repeated.")
]
RequiredOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TRAIT",
        autocompletion=completion.traits,
        help="With this trait; !TRAIT for without, in:A,B for any of them; may be repeated.",
    ),
]
MemberOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="AGGREGATE",
        autocompletion=completion.aggregates,
        help="In this aggregate; !A and !in:A,B for in none, in:A,B for in any; may be repeated.",
    ),
]
InTreeOption = Annotated[
    str | None,
    typer.Option(metavar="PROVIDER", autocompletion=completion.providers, help="In the tree of this provider."),
]


def membership(cloud: OperatorsCloud, condition: str) -> str:
    """A condition on aggregates in the API's notation (A, in:A,B, !A, !in:A,B), with names in place of UUIDs."""
    match = re.fullmatch(r"(!?(?:in:)?)(.+)", condition)
    if match is None:
        raise Misuse("A condition on aggregates is A, in:A,B, !A or !in:A,B.")
    return match[1] + ",".join(aggregate_of(cloud, name) for name in match[2].split(","))


def amounts_of(texts: Sequence[str]) -> dict[str, int]:
    """Amounts by resource class, from texts like VCPU:8 or VCPU:8,MEMORY_MB:4096."""
    amounts: dict[str, int] = {}
    for part in (part for text in texts for part in text.split(",")):
        match = re.fullmatch(r"([A-Z0-9_]+)[:=](\d+)", part.strip())
        if match is None:
            raise Misuse(f"{part!r} is no amount of a resource class; write it like VCPU:8.")
        amounts[match[1]] = int(match[2])
    return amounts

"""Why something fits or does not: candidates as rows, and the funnel of an explanation, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from moorage.cli.cloud import NOTHING_FOUND
from moorage.cli.output import Output, bar
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.placement import PlacementClient

Pairs = Sequence[tuple[str, str]]


def show_candidates(client: PlacementClient, query: Pairs, output: Output) -> None:
    """Where it fits, a row for each candidate; the exit code is 3 if it fits nowhere, and a Moorage says why."""
    answer = client.allocation_candidates(query)
    summaries: Mapping[str, Any] = answer["provider_summaries"]
    if not answer["allocation_requests"]:
        if output.for_people:
            typer.echo("It fits nowhere.", err=True)
            if client.is_moorage():
                show_explanation(client, query, output)
        else:
            output.rows(_columns(output), [])
        raise typer.Exit(NOTHING_FOUND)
    names = _names(client, answer)
    rows = []
    for number, request in enumerate(answer["allocation_requests"], 1):
        taken = {uuid: share["resources"] for uuid, share in request["allocations"].items()}
        roots = {summaries[uuid].get("root_provider_uuid", uuid) for uuid in taken}
        rows.append(
            (
                number,
                ", ".join(sorted(names.get(uuid, uuid) for uuid in roots)),
                *((_told(taken, names), _left(taken, summaries)) if output.for_people else (taken,)),
            )
        )
    output.rows(_columns(output), rows)


def show_explanation(client: PlacementClient, query: Pairs, output: Output) -> None:
    """How many are left after each condition, and what would have helped; the exit code is 3 if none is."""
    if not client.is_moorage():
        raise OperatorError("Only a Moorage explains; this Placement answers candidates alone.")
    story = client.explain(query)
    if not output.for_people:
        output.fields(story)
    else:
        everything = story["funnel"][0]["roots"]
        rows = [
            (step["condition"], step["roots"], step["providers"], bar(step["roots"], everything))
            for step in story["funnel"]
        ]
        output.rows(("condition", "trees left", "providers left", ""), rows)
        if story["blocked_by"]:
            typer.echo(f"\nNone is left after {story['blocked_by']['condition']}.")
        for example in story["examples"]:
            typer.echo(f"  {example}")
        if story["relaxations"]:
            typer.echo("What would help:")
            for relaxation in story["relaxations"]:
                typer.echo(f"  {relaxation['change']}")
    raise typer.Exit(0 if story["has_candidates"] else NOTHING_FOUND)


def _names(client: PlacementClient, answer: Mapping[str, Any]) -> dict[str, str]:
    """Names of the providers in question; one question, however many they are."""
    return {
        provider.uuid: provider.name for provider in client.providers() if provider.uuid in answer["provider_summaries"]
    }


def _told(taken: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> str:
    return "; ".join(
        f"{names.get(uuid, uuid)}: {', '.join(f'{name}={amount}' for name, amount in amounts.items())}"
        for uuid, amounts in taken.items()
    )


def _left(taken: Mapping[str, Mapping[str, int]], summaries: Mapping[str, Any]) -> str:
    """How full the fullest of what it takes from will be."""
    worst = ("", 0, 1)
    for uuid, amounts in taken.items():
        for name, amount in amounts.items():
            there = summaries[uuid]["resources"][name]
            used, capacity = there["used"] + amount, there["capacity"]
            if used / max(capacity, 1) >= worst[1] / worst[2]:
                worst = (name, used, max(capacity, 1))
    return f"{bar(worst[1], worst[2])} {worst[0]}"


def _columns(output: Output) -> Sequence[str]:
    return ("#", "host", "allocations", *(["fullest then"] if output.for_people else []))

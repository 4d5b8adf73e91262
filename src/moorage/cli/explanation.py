"""Why something fits or does not: candidates as rows, and the funnel of an explanation, for people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from moorage.cli.cloud import NOTHING_FOUND
from moorage.cli.output import Output, bar
from moorage.service.errors import OperatorError

if TYPE_CHECKING:
    from moorage.client.placement import PlacementClient

Pairs = Sequence[tuple[str, str]]

ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Tell how many are left after each condition; a Moorage alone can.")
]

# Asking for so many, one by one, takes no longer than listing the providers of a large cloud.
_FEW = 100


def show_answer(client: PlacementClient, query: Pairs, output: Output) -> None:
    """Where it fits: a row for each candidate, and as JSON all that the API answers, to claim with."""
    answer = client.allocation_candidates(query)
    if output.as_json:
        output.fields(answer)
        raise typer.Exit(0 if answer["allocation_requests"] else NOTHING_FOUND)
    _show(client, query, answer, output)


def show_places(client: PlacementClient, query: Pairs, output: Output) -> None:
    """Where it fits, by the names of hosts."""
    _show(client, query, client.allocation_candidates(query), output)


def _show(client: PlacementClient, query: Pairs, answer: Mapping[str, Any], output: Output) -> None:
    """A row for each candidate; the exit code is 3 if it fits nowhere, and a Moorage says why."""
    summaries: Mapping[str, Any] = answer["provider_summaries"]
    if not answer["allocation_requests"]:
        if output.for_people:
            typer.echo("It fits nowhere.", err=True)
            if client.is_moorage():
                show_explanation(client, query, output)
        else:
            output.rows(_columns(output), [])
        raise typer.Exit(NOTHING_FOUND)
    requests = answer["allocation_requests"]
    places = [{uuid: share["resources"] for uuid, share in each["allocations"].items()} for each in requests]
    roots = [{summaries[uuid].get("root_provider_uuid", uuid) for uuid in taken} for taken in places]
    names = _names(client, {uuid for place in (*places, *roots) for uuid in place})
    hosts = [", ".join(sorted(names.get(uuid, uuid) for uuid in above)) for above in roots]
    content = [
        {"host": host, "allocations": taken, "mappings": request.get("mappings", {})}
        for host, taken, request in zip(hosts, places, requests, strict=True)
    ]
    rows = [
        (number, host, *((_told(taken, names), _left(taken, summaries)) if output.for_people else (taken,)))
        for number, (host, taken) in enumerate(zip(hosts, places, strict=True), 1)
    ]
    output.detailed(content, _columns(output), rows)


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


def _names(client: PlacementClient, uuids: Collection[str]) -> dict[str, str]:
    """Names of the providers in question: of a few each is asked for, and else all that there are are listed."""
    from moorage.client.at_once import ask_at_once

    found = client.providers() if len(uuids) > _FEW else ask_at_once(client.provider, sorted(uuids)).values()
    return {provider.uuid: provider.name for provider in found if provider is not None}


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

"""Why no host can take a server, in words: from the funnel that a Moorage tells, or as much as any Placement shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from moorage.client.errors import ClientError
from moorage.client.placement import PlacementClient
from moorage.compute.placing.request import PlacementRequest
from moorage.compute.servers.errors import NoPlace

_EXAMPLES = 3
_WITHOUT = "without "


def why_nothing_fits(placement: PlacementClient, request: PlacementRequest) -> NoPlace:
    """One or two sentences for the owner of a server that found no place; hosts are named to administrators alone."""
    asked = "No valid host was found. "
    try:
        if placement.is_moorage():
            story = placement.explain(request.without_limit().pairs())
            return NoPlace(asked + in_words(story, request), examples(story))
    except ClientError:
        pass  # an explanation is worth a question, not another failure
    return NoPlace(asked + f"No host has all of: {_wanted(request)}.")


def examples(story: Mapping[str, Any]) -> str:
    """By how much some hosts missed it."""
    return f"{'; '.join(story['examples'][:_EXAMPLES])}." if story["examples"] else ""


def in_words(story: Mapping[str, Any], request: PlacementRequest) -> str:
    """What the funnel says about where the last hosts were lost."""
    blocked = story["blocked_by"]
    if blocked is None:
        return "Others were faster each time; trying again may help."
    steps = story["funnel"]
    before = steps[steps.index(blocked) - 1]["roots"] if blocked in steps and steps.index(blocked) else 0
    text = _lost(before, _named(blocked["condition"], request))
    if story["relaxations"]:
        text += f" What would help: {_without_uuids(story['relaxations'][0]['change'], request)}."
    return text


def _lost(hosts: int, condition: str) -> str:
    """That none of so many hosts meets a condition."""
    if hosts == 0:
        return f"No host meets {condition}."
    if hosts == 1:
        return f"The only host that meets what comes before does not meet {condition}."
    return f"Of {hosts} hosts that meet what comes before, none meets {condition}."


def _without_uuids(change: str, request: PlacementRequest) -> str:
    condition = change.removeprefix(_WITHOUT)
    return f"{_WITHOUT}{_named(condition, request)}" if change.startswith(_WITHOUT) else change


def _named(condition: str, request: PlacementRequest) -> str:
    """A condition on aggregates tells UUIDs; the names and the reason say more."""
    if not condition.startswith("member_of"):
        return condition
    named = [each for each in request.conditions if any(uuid in condition for uuid in each.uuids)]
    if not named:
        return condition
    told = named[0]
    which = "in none of the aggregates" if told.forbidden else "in one of the aggregates"
    return f"the condition to be {which} {told.names()}, because {told.reason}"


def _wanted(request: PlacementRequest) -> str:
    parts = []
    for group in request.groups.values():
        parts += [f"{name} {amount}" for name, amount in group.resources.items()]
        parts += sorted(group.required) + [f"not {trait}" for trait in sorted(group.forbidden)]
    parts += [
        f"{'no' if condition.forbidden else 'a'} membership in {condition.names()}" for condition in request.conditions
    ]
    return ", ".join(parts)

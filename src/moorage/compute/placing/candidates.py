"""Allocation candidates as values: on which host, what of which provider, and how full that would leave it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import os_traits

from moorage.compute.placing.resources import Amounts


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place for a server."""

    # The UUID of the host's root provider.
    host: str
    # By provider.
    allocations: Mapping[str, Amounts]
    # Which providers serve which group of the request, by the group's suffix.
    mappings: Mapping[str, tuple[str, ...]]
    # How much of what it would take from would then be taken, from 0 to 1: the mean over the resource classes.
    fullness: float


def read_candidates(answer: Mapping[str, Any]) -> tuple[Candidate, ...]:
    """The candidates in an answer to GET /allocation_candidates (microversion 1.34), in the order that they came."""
    summaries = answer["provider_summaries"]
    return tuple(_read(summaries, each) for each in answer["allocation_requests"])


def _read(summaries: Mapping[str, Any], request: Mapping[str, Any]) -> Candidate:
    allocations = {uuid: share["resources"] for uuid, share in request["allocations"].items()}
    mappings = {suffix: tuple(uuids) for suffix, uuids in request["mappings"].items()}
    return Candidate(_host(summaries, allocations), allocations, mappings, _fullness(summaries, allocations))


def _host(summaries: Mapping[str, Any], allocations: Mapping[str, Amounts]) -> str:
    """The compute node whose tree the candidate is about; other providers in it share with that tree."""
    roots = {summaries[uuid]["root_provider_uuid"] for uuid in allocations}
    if len(roots) == 1:
        return str(roots.pop())

    def likelihood(root: str) -> tuple[bool, bool]:
        traits = summaries[root]["traits"] if root in summaries else ()
        return os_traits.COMPUTE_NODE in traits, os_traits.MISC_SHARES_VIA_AGGREGATE not in traits

    return str(max(sorted(roots), key=likelihood))


def _fullness(summaries: Mapping[str, Any], allocations: Mapping[str, Amounts]) -> float:
    total, parts = 0.0, 0
    for uuid, amounts in allocations.items():
        resources = summaries[uuid]["resources"]
        parts += len(amounts)
        for name, amount in amounts.items():
            stock = resources[name]
            total += (stock["used"] + amount) / stock["capacity"]
    return total / parts

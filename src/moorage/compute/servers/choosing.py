"""Places for several servers of one request, chosen so that they fit together.

Candidates are computed one by one, as if nobody else came. Here each chosen place counts as taken for the next, so that
a claim for all of them at once is lost only to others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from moorage.compute.model.server_group import ServerGroup
from moorage.compute.placing.candidates import Candidate, read_candidates
from moorage.compute.placing.groups import Members, allowed_by_group
from moorage.compute.placing.settings import Weigher
from moorage.compute.placing.weighing import weighed


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides between candidates."""

    weigher: Weigher
    chance: Random
    group: ServerGroup | None = None
    # How many servers of the group each host has.
    members: Members = field(default_factory=dict)
    # Hosts that alone come into question, and hosts that do not, by the UUIDs of their root providers.
    only: frozenset[str] | None = None
    never: frozenset[str] = frozenset()

    def best_first(self, candidates: Sequence[Candidate], members: Members) -> list[Candidate]:
        """The candidates that come into question, in the order to try them."""
        allowed = [
            candidate
            for candidate in allowed_by_group(candidates, self.group, members)
            if candidate.host not in self.never and (self.only is None or candidate.host in self.only)
        ]
        return weighed(allowed, self.weigher, self.chance, self.group, members)


def choose(answer: Mapping[str, Any], count: int, rules: Rules) -> tuple[Candidate, ...] | None:
    """Places for so many servers, or None if they do not fit all together."""
    candidates = read_candidates(answer)
    shares_host = rules.group is not None and rules.group.policy == "affinity" and not any(rules.members.values())
    if not shares_host or count == 1:
        return _fill(answer, candidates, count, rules)
    # The first server decides for all, so it must not simply take the place that it likes best.
    for host in dict.fromkeys(candidate.host for candidate in rules.best_first(candidates, rules.members)):
        there = [candidate for candidate in candidates if candidate.host == host]
        if (chosen := _fill(answer, there, count, rules)) is not None:
            return chosen
    return None


def _fill(
    answer: Mapping[str, Any], candidates: Sequence[Candidate], count: int, rules: Rules
) -> tuple[Candidate, ...] | None:
    room = _Room(answer["provider_summaries"])
    members = Counter(rules.members)
    left = list(candidates)
    chosen: list[Candidate] = []
    while len(chosen) < count:
        best = next(iter(rules.best_first(left, members)), None)
        if best is None:
            return None
        chosen.append(best)
        members[best.host] += 1
        room.take(best)
        touched = best.allocations.keys()
        left = [
            candidate if touched.isdisjoint(candidate.allocations) else replace(candidate, fullness=fullness)
            for candidate in left
            if touched.isdisjoint(candidate.allocations) or (fullness := room.fullness(candidate)) <= 1
        ]
    return tuple(chosen)


class _Room:
    """How much is left of what providers have, with what was chosen so far."""

    def __init__(self, summaries: Mapping[str, Any]) -> None:
        self._summaries = summaries
        self._taken: Counter[tuple[str, str]] = Counter()

    def take(self, candidate: Candidate) -> None:
        for provider, amounts in candidate.allocations.items():
            for name, amount in amounts.items():
                self._taken[provider, name] += amount

    def fullness(self, candidate: Candidate) -> float:
        """As the candidate has it; more than 1 if it no longer fits."""
        parts: list[float] = []
        for provider, amounts in candidate.allocations.items():
            for name, amount in amounts.items():
                stock = self._summaries[provider]["resources"][name]
                taken = stock["used"] + self._taken[provider, name] + amount
                if taken > stock["capacity"]:
                    return float("inf")
                parts.append(taken / stock["capacity"])
        return sum(parts) / len(parts)

"""One round of the agent: look at the host and at Placement, work out what is different, and bring Placement in step.

What somebody else changes meanwhile is read again; what is in use is left until it is free; what Placement refuses for
good is told, and keeps nothing else from being done.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Protocol

from moorage.client.errors import NotFound
from moorage.client.placement import PlacementClient
from moorage.hosts.agent import wording
from moorage.hosts.agent.holding import InUse, Kept, taken_over
from moorage.hosts.agent.names import Names, Vocabulary, names_in
from moorage.hosts.agent.observation import Observation, Scope, TreeMoved, consumers_by_class
from moorage.hosts.agent.outcome import Outcome, Remedy, Setback
from moorage.hosts.agent.plan import Host, Plan, leave_out, make_plan, require_agreement
from moorage.hosts.difference import SetInventories, Step
from moorage.hosts.provider_config.records import Record

LOG = logging.getLogger(__name__)

# How often a round begins anew because somebody else was faster; the next round comes soon enough.
_TRIES = 6
_FIRST_PAUSE_SECONDS = 0.1

_MOST_LINES_LOGGED = 100

# A name that is missing is made at once; what is still refused then is refused for another reason.
_ONCE = frozenset({Remedy.ASK_FOR_NAMES, Remedy.TRY_ONCE_MORE})


class Placement(Protocol):
    """How a kind of Placement is read and written."""

    def observe(self, scope: Scope) -> Observation:
        """The trees that concern the host."""
        ...

    def bring(self, plan: Plan) -> Outcome:
        """Do what a plan says."""
        ...


@dataclass(frozen=True, slots=True)
class Report:
    """What a round has done, and what troubles it met; each is a sentence for the operator."""

    done: tuple[Step, ...] = ()
    made: Names = field(default_factory=Names)
    # What could not be done.
    undone: tuple[str, ...] = ()
    # What the files ask for in vain, or what is not as they say.
    remarks: tuple[str, ...] = ()
    # How many providers the agent keeps, if that could be found out.
    providers: int | None = None


class Rounds:
    """Does one round after the other, and remembers between them what is in use and what stands in the way."""

    def __init__(
        self, client: PlacementClient, placement: Placement, vocabulary: Vocabulary, pause: Callable[[float], None]
    ) -> None:
        self._client = client
        self._placement = placement
        self._pause = pause
        self._vocabulary = vocabulary
        # Who holds what should go, by resource class, by provider.
        self._holders: dict[str, dict[str, frozenset[str]]] = {}
        # Providers in other trees that have our names.
        self._in_the_way: frozenset[str] = frozenset()
        # What should go and is closed for as long as it is in use.
        self._closed: tuple[Kept, ...] = ()

    def foresee(self, host: Host, records: Sequence[Record], *, only_native: bool = False) -> tuple[Plan, Names]:
        """What would be done now, and which names Placement lacks for it; nothing is written.

        A round finds out what is in use when it is refused; who only looks has to ask.
        """
        plan, _ = self._plan(host, records, only_native=only_native)
        self._ask_about(plan.losing, plan.observed)
        return self._plan(host, records, only_native=only_native)

    def _plan(self, host: Host, records: Sequence[Record], *, only_native: bool) -> tuple[Plan, Names]:
        observed = self._placement.observe(Scope(host.native.tree, self._in_the_way, only_native=only_native))
        observed = taken_over(observed, self._closed)
        plan = make_plan(host, records, observed, self._in_use(observed))
        # Of several providers that give something over to others, none does if one of them cannot.
        if self._ask_about({move.provider.uuid for move in plan.moves}, observed):
            plan = make_plan(host, records, observed, self._in_use(observed))
        missing = self._vocabulary.missing(names_in(plan.desired.tree), observed.tree)
        return leave_out(plan, missing - missing.custom), missing

    def bring_in_step(
        self, host: Host, records: Sequence[Record], *, starting: bool = False, only_native: bool = False
    ) -> Report:
        """Do a round; at the start, what files ask for wrongly is refused before anything is written."""
        self._holders = {uuid: held for uuid in self._holders if (held := self._holders_of(uuid))}
        report = Report()
        for attempt in range(_TRIES):
            if attempt:
                self._pause(_jitter() * _FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
            try:
                plan, missing = self._plan(host, records, only_native=only_native)
            except TreeMoved as moved:
                report = replace(report, undone=(f"Placement cannot be read: {moved}.",))
                continue
            if starting:
                require_agreement(plan.merged)
            self._note_obstacles(plan)
            self._vocabulary.make(missing.custom)
            outcome = Outcome() if plan.is_empty else self._placement.bring(plan)
            self._closed = tuple(_closed_by_now(plan, outcome))
            _log(outcome, plan)
            report = Report(
                (*report.done, *outcome.done),
                report.made | missing.custom,
                tuple(self._undone(plan, outcome.setbacks)),
                (*plan.remarks(whole_host=not only_native), *_left_out(missing - missing.custom)),
                sum(origin.host == host.name for origin in plan.desired.origins.values()),
            )
            if not self._mend(outcome.setbacks, plan, first=attempt == 0):
                break
        return report

    # --- obstacles

    def _in_use(self, observed: Observation) -> InUse:
        """What Placement told, and what was found out."""
        return {**observed.in_use, **{uuid: frozenset(held) for uuid, held in self._holders.items()}}

    def _ask_about(self, uuids: Collection[str], observed: Observation) -> bool:
        """Find out who holds something of these where Placement has not told it yet; whether there is anybody."""
        untold = sorted(uuid for uuid in uuids if uuid not in observed.in_use and uuid not in self._holders)
        found = {uuid: held for uuid in untold if (held := self._holders_of(uuid))}
        self._holders |= found
        return bool(found)

    def _holders_of(self, uuid: str) -> dict[str, frozenset[str]]:
        try:
            return consumers_by_class(self._client.provider_allocations(uuid))
        except NotFound:
            return {}

    def _note_obstacles(self, plan: Plan) -> None:
        """Remember just those obstacles that there are, to look at them again in the next round."""
        obstacles = [kept.provider.uuid for kept in plan.kept]
        obstacles += [postponed.move.provider.uuid for postponed in plan.postponed]
        self._holders = {uuid: self._holders.get(uuid) or self._holders_of(uuid) for uuid in obstacles}
        self._in_the_way = frozenset(taken.holder for taken in plan.names_taken)

    def _mend(self, setbacks: Iterable[Setback], plan: Plan, *, first: bool) -> bool:
        """Prepare another try; whether there is any hope in one."""
        hope = False
        for setback in setbacks:
            hope |= setback.remedy is not Remedy.NONE and (first or setback.remedy not in _ONCE)
            match setback.remedy:
                case Remedy.KEEP:
                    held = {uuid: self._holders_of(uuid) for uuid in setback.providers if uuid in plan.observed.tree}
                    self._holders |= {uuid: holders for uuid, holders in held.items() if holders}
                case Remedy.LOOK_ELSEWHERE:
                    self._in_the_way |= frozenset(self._namesakes(setback.providers, plan))
                case Remedy.READ_AGAIN:
                    # One that was to be made, and is there: in a tree that nobody looked at.
                    new = [uuid for uuid in setback.providers if uuid not in plan.observed.tree]
                    self._in_the_way |= frozenset(self._namesakes(new, plan))
                case Remedy.ASK_FOR_NAMES:
                    self._vocabulary.forget()
        return hope

    def _namesakes(self, uuids: Iterable[str], plan: Plan) -> Iterator[str]:
        """Providers outside of what was observed that have the UUIDs or the names of these."""
        for uuid in uuids:
            wanted = plan.desired.tree.get(uuid)
            if wanted is not None:
                found = (self._client.provider(uuid), self._client.provider_named(wanted.name))
                yield from (other.uuid for other in found if other and other.uuid not in plan.observed.tree)

    # --- what is told

    def _undone(self, plan: Plan, setbacks: Iterable[Setback]) -> Iterator[str]:
        for kept in plan.kept:
            yield wording.in_use(kept, self._holders.get(kept.provider.uuid, {}))
        for postponed in plan.postponed:
            yield wording.postponed(postponed, self._holders.get(postponed.move.provider.uuid, {}))
        for setback in setbacks:
            yield wording.refused(setback.providers, setback.reason, plan.observed.tree, plan.desired.tree)


def _closed_by_now(plan: Plan, outcome: Outcome) -> Iterator[Kept]:
    """What has to wait, apart from what could not even be closed."""
    planned, done = (
        {step.uuid for step in steps if isinstance(step, SetInventories)} for steps in (plan.steps, outcome.done)
    )
    return (kept for kept in plan.kept if kept.provider.uuid not in planned - done)


def _log(outcome: Outcome, plan: Plan) -> None:
    """Each change in words; the details only of so many that somebody may want to read them."""
    lines = (line for step in outcome.done for line in wording.described(step, plan.observed.tree, plan.desired.tree))
    few = list(islice(lines, _MOST_LINES_LOGGED + 1))
    level = logging.INFO if len(few) <= _MOST_LINES_LOGGED else logging.DEBUG
    if LOG.isEnabledFor(level):
        for line in chain(few, lines):
            LOG.log(level, "Done: %s", line)


def _left_out(names: Names) -> Iterator[str]:
    for kind, left_out in (("resource class", names.resource_classes), ("trait", names.traits)):
        for name in sorted(left_out):
            yield f"Placement does not have the standard {kind} {name}, so it is left out."


def _jitter() -> float:
    return random.uniform(0.5, 1.5)  # noqa: S311 - spreads, hides nothing

"""Brings any Placement in step through the standard API: step by step, independent trees at the same time.

The standard API has no place for origins, so they are kept in the agent's memory: what is added is noted before it is
added, and forgotten after it was taken away.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from threading import Event

from moorage.client.errors import ClientError, Refused, ServerError, Unauthorized
from moorage.client.placement import PlacementClient
from moorage.hosts.agent.grouping import independent_groups
from moorage.hosts.agent.interruption import Stopped
from moorage.hosts.agent.memory import Memory
from moorage.hosts.agent.observation import Observation, Scope
from moorage.hosts.agent.observing import Observer
from moorage.hosts.agent.outcome import Outcome, Setback, setback_of
from moorage.hosts.agent.parallel import in_parallel
from moorage.hosts.agent.plan import Plan
from moorage.hosts.agent.settlement import either, settled
from moorage.hosts.difference import (
    CreateProvider,
    DeleteProvider,
    MoveProvider,
    RenameProvider,
    SetAggregates,
    SetInventories,
    SetTraits,
    Step,
)
from moorage.hosts.provider_tree import Provider


@dataclass(slots=True)
class _Course:
    """How a group of steps went."""

    # Those that were not taken (yet).
    missed: deque[Step]
    done: list[Step] = field(default_factory=list)
    # The one that nobody knows about: it was sent, and there was no answer, or none to rely on.
    doubtful: Step | None = None
    # Why this group cannot go on, or why nobody can.
    setback: Setback | None = None
    end: ClientError | Stopped | None = None

    @property
    def failed(self) -> bool:
        return self.setback is not None or self.end is not None


class StandardPlacement:
    """A Placement of which nothing is known but that it speaks microversion 1.39."""

    def __init__(
        self,
        client: PlacementClient,
        memory: Memory,
        workers: Executor,
        host: str,
    ) -> None:
        self._client = client
        self._memory = memory
        self._workers = workers
        self._host = host
        self._observer = Observer(client, workers)

    def observe(self, scope: Scope) -> Observation:
        """The trees as they are, and what this agent remembers to have added to them."""
        # Nobody else writes to this memory: all in it is our own, also if the host was called differently once.
        origins = {uuid: replace(origin, host=self._host) for uuid, origin in self._memory.origins.items()}
        with_aggregates = any(provider.aggregates for provider in scope.native) or any(
            origin.aggregates for origin in origins.values()
        )
        ours = () if scope.only_native else tuple(origins)
        tree = self._observer.observe(scope, ours, with_aggregates=with_aggregates)
        if scope.only_native:
            origins = {uuid: origin for uuid, origin in origins.items() if uuid in tree}
        return Observation(tree, origins)

    def bring(self, plan: Plan) -> Outcome:
        """Take the steps of a plan; a group of steps that fails keeps no other group from going on.

        Who did not get an answer, or is told to stop, ends everything; what was done until then is noted.
        """
        before, after = plan.observed.origins, plan.desired.origins
        # What is outside of the plan stays as it is.
        outside = {uuid: origin for uuid, origin in self._memory.origins.items() if uuid not in before}
        self._memory.save({**outside, **either(before, after)})
        end = Event()
        courses = in_parallel(self._workers, lambda steps: self._take(plan, steps, end), self._groups(plan))
        missed = (step for course in courses for step in course.missed)
        doubtful = (course.doubtful for course in courses if course.doubtful)
        self._memory.save({**outside, **settled(before, after, missed, doubtful)})
        for course in courses:
            if course.end is not None:
                raise course.end
        return Outcome(
            tuple(step for course in courses for step in course.done),
            tuple(course.setback for course in courses if course.setback),
        )

    def _groups(self, plan: Plan) -> list[list[Step]]:
        """The steps in their order, but those that do not depend on each other apart."""
        uuids = [step.uuid for step in plan.steps]
        groups = independent_groups(uuids, plan.observed.tree, plan.desired.tree)
        number = {uuid: index for index, group in enumerate(groups) for uuid in group}
        steps: list[list[Step]] = [[] for _ in groups]
        for step in plan.steps:
            steps[number[step.uuid]].append(step)
        return steps

    def _take(self, plan: Plan, steps: Sequence[Step], end: Event) -> _Course:
        """Take steps one after the other until all are taken, one fails, or the end has come for all."""
        observed = plan.observed.tree
        providers = {step.uuid: observed[step.uuid] for step in steps if step.uuid in observed}
        course = _Course(missed=deque(steps))
        while course.missed and not course.failed and not end.is_set():
            step = course.missed[0]
            try:
                self._take_one(step, providers)
            except Stopped as stop:  # before anything was sent
                course.end = stop
            except Refused as refusal:
                if isinstance(refusal, Unauthorized):
                    course.end = refusal
                else:
                    course.setback = setback_of((step.uuid,), refusal)
                if isinstance(refusal, ServerError):
                    course.doubtful = course.missed.popleft()
            except ClientError as error:
                course.end = error
                course.doubtful = course.missed.popleft()
            else:
                course.done.append(course.missed.popleft())
        if course.end is not None:
            end.set()
        gone = [step.uuid for step in course.done if isinstance(step, DeleteProvider)]
        if course.doubtful is not None:
            gone.append(course.doubtful.uuid)
            providers.pop(course.doubtful.uuid, None)
        self._observer.remember(providers.values(), gone)
        return course

    def _take_one(self, step: Step, providers: dict[str, Provider]) -> None:
        """Send the request for a step; `providers` follows, so that it always has their newest generations."""
        client, uuid = self._client, step.uuid
        if isinstance(step, CreateProvider):
            created = client.create_provider(uuid, step.name, step.parent_uuid)
            providers[uuid] = Provider(uuid, step.name, step.parent_uuid, generation=created.generation)
            return
        provider = providers[uuid]
        generation = provider.generation or 0
        match step:
            case RenameProvider():
                client.update_provider(uuid, step.name, provider.parent_uuid)
                provider = replace(provider, name=step.name)
            case MoveProvider():
                client.update_provider(uuid, provider.name, step.parent_uuid)
                provider = replace(provider, parent_uuid=step.parent_uuid)
            case SetInventories():
                generation = client.put_inventories(uuid, step.inventories, generation)
                provider = replace(provider, inventories=step.inventories)
            case SetTraits():
                generation = client.put_traits(uuid, step.traits, generation)
                provider = replace(provider, traits=step.traits)
            case SetAggregates():
                generation = client.put_aggregates(uuid, step.aggregates, generation)
                provider = replace(provider, aggregates=step.aggregates)
            case DeleteProvider():
                client.delete_provider(uuid)
                del providers[uuid]
                return
        providers[uuid] = replace(provider, generation=generation)

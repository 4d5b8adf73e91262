"""Brings any Placement in step through the standard API: step by step, independent trees at the same time.

The standard API has no place for origins, so they are kept in the agent's memory: what is added is noted before it is
added, and forgotten after it was taken away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace

from moorage.client.errors import Refused, Unauthorized
from moorage.client.placement import PlacementClient
from moorage.hosts.agent.grouping import independent_groups
from moorage.hosts.agent.memory import Memory, both
from moorage.hosts.agent.observation import Observation, Scope
from moorage.hosts.agent.observing import Observer
from moorage.hosts.agent.outcome import Outcome, setback_of
from moorage.hosts.agent.parallel import in_parallel
from moorage.hosts.agent.plan import Plan
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
from moorage.placement.model.origin import Origin


class StandardPlacement:
    """A Placement of which nothing is known but that it speaks microversion 1.39."""

    def __init__(
        self,
        client: PlacementClient,
        memory: Memory,
        workers: Executor,
        host: str,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        self._client = client
        self._memory = memory
        self._workers = workers
        self._host = host
        # Called before each step; whoever wants the agent to stop there raises.
        self._go_on = go_on
        self._observer = Observer(client, workers, go_on)

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
        """Take the steps of a plan; a group of steps that fails keeps no other group from going on."""
        before, after = plan.observed.origins, plan.desired.origins
        # What is outside of the plan stays as it is.
        outside = {uuid: origin for uuid, origin in self._memory.origins.items() if uuid not in before}
        either = both(before, after)
        self._memory.save({**outside, **either})
        groups = self._groups(plan)
        outcomes = in_parallel(self._workers, lambda steps: self._take(plan, steps), groups)
        unfinished = {
            step.uuid for steps, outcome in zip(groups, outcomes, strict=True) if outcome.setbacks for step in steps
        }
        settled = {uuid: origin for uuid, origin in after.items() if uuid not in unfinished}
        self._memory.save({**outside, **settled, **_only(either, unfinished)})
        return Outcome(
            tuple(step for outcome in outcomes for step in outcome.done),
            tuple(setback for outcome in outcomes for setback in outcome.setbacks),
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

    def _take(self, plan: Plan, steps: Sequence[Step]) -> Outcome:
        """Take steps one after the other until all are taken or one is refused."""
        observed = plan.observed.tree
        providers = {step.uuid: observed[step.uuid] for step in steps if step.uuid in observed}
        done: list[Step] = []
        try:
            for step in steps:
                self._go_on()
                self._take_one(step, providers)
                done.append(step)
        except Unauthorized:
            raise
        except Refused as refusal:
            return Outcome(tuple(done), (setback_of((step.uuid,), refusal),))
        finally:
            gone = [step.uuid for step in done if isinstance(step, DeleteProvider)]
            self._observer.remember(providers.values(), gone)
        return Outcome(tuple(done), ())

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


def _only(origins: Mapping[str, Origin], uuids: set[str]) -> dict[str, Origin]:
    return {uuid: origin for uuid, origin in origins.items() if uuid in uuids}

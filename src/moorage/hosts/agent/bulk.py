"""Brings a Moorage in step through its own API: all changes, and who made them, in one request that is done or not.

Nothing has to be remembered here, since the origin of a provider is kept with it; and no other agent is overlooked,
since the generation of a provider covers its origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import UNSET

from moorage.client.errors import Refused, ServerError, Unauthorized
from moorage.client.placement import PlacementClient, ProviderDetails, ProviderFilter, ProviderWrite
from moorage.hosts.agent.grouping import independent_groups
from moorage.hosts.agent.lookup import Lookup
from moorage.hosts.agent.memory import Memory
from moorage.hosts.agent.observation import Observation, Scope, TreeMoved
from moorage.hosts.agent.outcome import Outcome, Setback, setback_of
from moorage.hosts.agent.plan import Plan
from moorage.hosts.provider_tree import Provider, ProviderTree, TreeError

Group = Sequence[str]
"""UUIDs of providers that can only be written together."""

_PARTS = ("inventories", "usages", "traits", "aggregates", "origin")


class MooragePlacement:
    """A Placement that is a Moorage."""

    def __init__(self, client: PlacementClient, memory: Memory, host: str) -> None:
        self._client = client
        # What was kept there before this Placement was a Moorage is handed over to it.
        self._memory = memory
        self._host = host
        self._lookup: Lookup[ProviderDetails] = Lookup(
            tree=lambda uuid: client.read_providers(_PARTS, ProviderFilter(in_tree=uuid)),
            everything=lambda: client.read_providers(_PARTS),
            uuid_of=lambda name: getattr(client.provider_named(name), "uuid", None),
            ours=lambda: client.read_providers(_PARTS, in_tree_of_host=host),
        )

    def observe(self, scope: Scope) -> Observation:
        """The trees as they are, with what agents have added to them and what is in use."""
        found = self._lookup.find(scope, () if scope.only_native else tuple(self._memory.origins))
        origins = {uuid: each.origin for uuid, each in found.items() if each.origin}
        remembered = {
            uuid: replace(origin, host=self._host)
            for uuid, origin in self._memory.origins.items()
            if uuid in found and uuid not in origins
        }
        try:
            tree = ProviderTree(_provider(each) for each in found.values())
        except TreeError as error:
            raise TreeMoved(str(error)) from error
        in_use = {
            uuid: frozenset(name for name, used in (each.usages or {}).items() if used) for uuid, each in found.items()
        }
        return Observation(tree, {**remembered, **origins}, in_use, frozenset(remembered))

    def bring(self, plan: Plan) -> Outcome:
        """Write everything at once; what Placement refuses is left out, so that the rest is not held up."""
        before, after = plan.observed.origins, plan.desired.origins
        changing = [step.uuid for step in plan.steps]
        changing += [uuid for uuid in {**before, **after} if before.get(uuid) != after.get(uuid)]
        changing += plan.observed.unsaved
        setbacks: list[Setback] = []
        refused: set[str] = set()
        for group, setback in self._write(plan, independent_groups(changing, plan.observed.tree, plan.desired.tree)):
            setbacks.append(setback)
            refused.update(group)
        if not setbacks and plan.observed.unsaved:
            self._memory.save(
                {uuid: origin for uuid, origin in self._memory.origins.items() if uuid not in plan.observed.unsaved}
            )
        return Outcome(tuple(step for step in plan.steps if step.uuid not in refused), tuple(setbacks))

    def _write(self, plan: Plan, groups: Sequence[Group]) -> Iterator[tuple[Group, Setback]]:
        """Write groups of providers; those that were refused, and why."""
        while groups:
            try:
                self._write_at_once(plan, [uuid for group in groups for uuid in group])
            except (Unauthorized, ServerError):
                # A service that stumbles over everything would stumble over every half of it as well.
                raise
            except Refused as refusal:
                told = list(_told(refusal, groups))
                if not told:
                    yield from self._write_halves(plan, groups, refusal)
                    return
                yield from told
                failed = {id(group) for group, _ in told}
                groups = [group for group in groups if id(group) not in failed]
            else:
                return

    def _write_halves(self, plan: Plan, groups: Sequence[Group], refusal: Refused) -> Iterator[tuple[Group, Setback]]:
        """Find out what was refused when Placement does not say it."""
        if len(groups) == 1:
            yield groups[0], setback_of(groups[0], refusal)
            return
        middle = len(groups) // 2
        yield from self._write(plan, groups[:middle])
        yield from self._write(plan, groups[middle:])

    def _write_at_once(self, plan: Plan, uuids: Sequence[str]) -> None:
        observed, wanted = plan.observed.tree, plan.desired.tree
        self._client.write_providers(
            [_write_of(plan, uuid) for uuid in uuids if uuid in wanted],
            delete={uuid: observed[uuid].generation for uuid in uuids if uuid not in wanted},
            create_names=True,
        )


def _told(refusal: Refused, groups: Sequence[Group]) -> Iterator[tuple[Group, Setback]]:
    """The groups with providers that Placement names as the ones in the way."""
    culprits = {each["uuid"]: each for each in refusal.facts.get("providers", ())}
    for group in groups:
        for uuid in group:
            if uuid in culprits:
                own = type(refusal)("", refusal.status, culprits[uuid]["code"], culprits[uuid]["detail"])
                yield group, setback_of((uuid,), own)


def _write_of(plan: Plan, uuid: str) -> ProviderWrite:
    """What changes at a provider; the rest is not mentioned."""
    wanted = plan.desired.tree[uuid]
    present = plan.observed.tree.get(uuid)
    origin = plan.desired.origins.get(uuid)
    is_noted = origin == plan.observed.origins.get(uuid) and uuid not in plan.observed.unsaved
    known = present or Provider(uuid, wanted.name)
    return ProviderWrite(
        uuid=uuid,
        name=wanted.name,
        parent_uuid=UNSET if wanted.parent_uuid == known.parent_uuid else wanted.parent_uuid,
        generation=known.generation,
        inventories=UNSET if wanted.inventories == known.inventories else dict(wanted.inventories),
        traits=UNSET if wanted.traits == known.traits else wanted.traits,
        aggregates=UNSET if wanted.aggregates == known.aggregates else wanted.aggregates,
        origin=UNSET if is_noted else origin,
    )


def _provider(details: ProviderDetails) -> Provider:
    return Provider(
        uuid=details.uuid,
        name=details.name,
        parent_uuid=details.parent_uuid,
        inventories=details.inventories or {},
        traits=details.traits or frozenset(),
        aggregates=details.aggregates or frozenset(),
        generation=details.generation,
    )

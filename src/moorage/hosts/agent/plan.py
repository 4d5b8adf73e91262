"""From what a host has, what its files say and what Placement holds to what is to be done: values in, values out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from moorage.hosts.adoption import NameTaken, adopt
from moorage.hosts.agent.dividing import Move, Postponed, moves, postpone
from moorage.hosts.agent.holding import InUse, Kept, hold_back
from moorage.hosts.agent.names import Names, without_names
from moorage.hosts.agent.observation import Observation
from moorage.hosts.agent.refusal import AgentRefuses
from moorage.hosts.desired import Desired, desired
from moorage.hosts.difference import Step, difference
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.merging import Merged, merge
from moorage.hosts.provider_config.records import Record
from moorage.hosts.provider_tree import ProviderTree


@dataclass(frozen=True, slots=True)
class Host:
    """Who the plan is for: the name under which additions are noted, and what a driver says about it."""

    name: str
    driver: str
    native: NativeProviders


@dataclass(frozen=True, slots=True)
class Plan:
    """How Placement is brought from what was observed to what is desired."""

    host: Host
    observed: Observation
    merged: Merged
    desired: Desired
    steps: tuple[Step, ...]
    # What has to wait until nobody uses it any more.
    kept: tuple[Kept, ...]
    # What goes over from one provider to another, and which of that has to wait until nobody uses it any more.
    moves: tuple[Move, ...]
    postponed: tuple[Postponed, ...]
    names_taken: tuple[NameTaken, ...]

    def remarks(self, *, whole_host: bool = True) -> tuple[str, ...]:
        """What is odd about the host, and what the files ask for in vain.

        Who looks at a part of the host does not know what is absent from it.
        """
        merged = self.merged
        absent = merged.absent if whole_host else ()
        return (
            *self.host.native.remarks,
            *(conflict.message for conflict in merged.conflicts),
            *(duplicate.message for duplicate in merged.duplicates),
            *(each.message for each in absent),
            *(taken.message for taken in self.names_taken),
        )

    @property
    def losing(self) -> frozenset[str]:
        """UUIDs of providers that are to lose a resource class, or to go with all they have."""
        observed, wanted = self.observed.tree, self.desired.tree
        touched = (step.uuid for step in self.steps if step.uuid in observed)
        return frozenset(
            uuid
            for uuid in touched
            if observed[uuid].inventories.keys() - (wanted[uuid].inventories.keys() if uuid in wanted else set())
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write, not even who added what."""
        return not (self.steps or self.observed.unsaved) and self.desired.origins == self.observed.origins


def make_plan(host: Host, records: Iterable[Record], observed: Observation, in_use: InUse) -> Plan:
    """What is to be done, apart from what is in use."""
    held = frozenset(uuid for uuid, resource_classes in in_use.items() if resource_classes)
    base = adopt(host.native, observed.tree, observed.origins, host.name, host.driver, held)
    merged = merge(base, records)
    everything = desired(observed.tree, observed.origins, merged, host.name)
    planned = moves(observed, everything)
    in_place, postponed = postpone(observed, everything, planned, in_use)
    possible, kept = hold_back(observed, in_place, in_use)
    steps = difference(observed.tree, possible.tree)
    return Plan(host, observed, merged, possible, steps, kept, planned, postponed, base.names_taken)


def leave_out(plan: Plan, names: Names) -> Plan:
    """The same plan without classes and traits that Placement cannot have."""
    if not names:
        return plan
    tree = without_names(plan.desired.tree, names)
    return replace(plan, desired=Desired(tree, plan.desired.origins), steps=difference(plan.observed.tree, tree))


def disagreements(merged: Merged) -> list[str]:
    """Where files contradict what the host itself reports, or each other; what others do is no reason."""
    native = [conflict.message for conflict in merged.conflicts if conflict.native]
    return native + [duplicate.message for duplicate in merged.duplicates]


def require_agreement(merged: Merged) -> None:
    """AgentRefuses if there are disagreements."""
    if problems := disagreements(merged):
        raise AgentRefuses(problems)


def merge_alone(host: Host, records: Iterable[Record]) -> Merged:
    """What the host has and its files add, as far as that can be said without asking Placement."""
    return merge(adopt(host.native, ProviderTree(), {}, host.name, host.driver), records)

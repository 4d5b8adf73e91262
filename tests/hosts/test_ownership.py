"""Random histories of two hosts, their files and everybody else: what others own is never changed or removed.

Placement is modelled as it is seen from outside: a tree in which every step has to be acceptable, and an origin with
each provider. Who owns what is kept by a model of its own, which knows the agents only by what they may do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from moorage.hosts.adoption import HostProviders, adopt
from moorage.hosts.desired import Desired, desired
from moorage.hosts.difference import difference
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.merging import merge
from moorage.hosts.provider_config.records import COMPUTE_NODE, Record
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from tests.hosts.random_trees import NAMES, UUIDS, records, trees
from tests.hosts.steps import apply
from tests.hosts.things import Thing, gifts, losses, things_of, with_things
from tests.properties import effort

HOSTS = ("north", "south")
OTHERS_UUIDS = ("x1", "x2", "x3")

hosts = st.sampled_from(HOSTS)
existing = st.integers(0, 20)


@dataclass(frozen=True)
class Plan:
    """What an agent makes of what it sees."""

    seen: ProviderTree
    reported: HostProviders
    wanted: Desired


class Ownership(RuleBasedStateMachine):
    """Hosts report anything, files ask for anything, others do anything to anything, agents clear up after all."""

    def __init__(self) -> None:
        super().__init__()
        self.tree = ProviderTree()
        self.origins: dict[str, Origin] = {}
        self.native = dict.fromkeys(HOSTS, ProviderTree())
        self.files: dict[str, list[Record]] = {host: [] for host in HOSTS}
        # The model: providers that others made, and what others gave to providers, by provider.
        self.made_by_others: set[str] = set()
        self.given_by_others: dict[str, dict[Thing, Inventory | None]] = {}

    # --- the hosts

    @initialize(data=st.data())
    def begin_with_hosts_in_step(self, data: st.DataObject) -> None:
        half = len(UUIDS) // 2
        for host, uuids in zip(HOSTS, (UUIDS[:half], UUIDS[half:]), strict=True):
            self.native[host] = data.draw(trees(uuids, NAMES))
            self.files[host] = data.draw(records())
            self.the_agent_looks(host)

    @rule(host=hosts, new=trees(UUIDS, NAMES))
    def the_host_changes(self, host: str, new: ProviderTree) -> None:
        """Whatever it has now, the other one does not have any more."""
        self.native = {other: tree.without(p.uuid for p in new) for other, tree in self.native.items()} | {host: new}

    @rule(host=hosts, asked=records(), at_once=st.booleans())
    def the_files_change(self, host: str, asked: list[Record], *, at_once: bool) -> None:
        self.files[host] = asked
        if at_once:
            self.the_agent_looks(host)

    # --- others

    @rule(uuid=st.sampled_from([*OTHERS_UUIDS, *UUIDS[:2]]), name=st.sampled_from([*OTHERS_UUIDS, *NAMES]), at=existing)
    def others_make_a_provider(self, uuid: str, name: str, at: int) -> None:
        if uuid not in self.tree and self.tree.named(name) is None:
            self.tree = self.tree.with_providers([Provider(uuid, name, self.pick_parent(at))])
            self.made_by_others.add(uuid)

    @precondition(lambda self: len(self.tree) > 0)
    @rule(gifts=gifts)
    def others_give(self, gifts: dict[tuple[int, Thing], Inventory]) -> None:
        for (at, thing), amount in gifts.items():
            provider = self.tree[self.pick(at)]
            has = things_of(provider)
            if thing in has:
                continue
            value = amount if thing[0] == "inventory" else None
            self.tree = self.tree.with_providers([with_things(provider, {**has, thing: value})])
            # What the agent gave, and others took away and gave again before it looked, is still the agent's.
            if thing not in self.noted(provider.uuid):
                self.given_by_others.setdefault(provider.uuid, {})[thing] = value

    @precondition(lambda self: len(self.tree) > 0)
    @rule(losses=losses)
    def others_take(self, losses: set[tuple[int, Thing]]) -> None:
        for at, thing in sorted(losses):
            provider = self.tree[self.pick(at)]
            left = {other: value for other, value in things_of(provider).items() if other != thing}
            self.given_by_others.get(provider.uuid, {}).pop(thing, None)
            self.tree = self.tree.with_providers([with_things(provider, left)])

    @precondition(lambda self: len(self.tree) > 0)
    @rule(at=existing)
    def others_delete(self, at: int) -> None:
        uuid = self.pick(at)
        if not list(self.tree.children(uuid)):
            self.tree = self.tree.without([uuid])
            self.forget_deleted()

    @precondition(lambda self: len(self.tree) > 0)
    @rule(at=existing, to=existing)
    def others_move(self, at: int, to: int) -> None:
        uuid, parent = self.pick(at), self.pick_parent(to)
        if parent is None or parent not in {provider.uuid for provider in self.tree.below(uuid)}:
            self.tree = self.tree.with_providers([replace(self.tree[uuid], parent_uuid=parent)])

    def noted(self, uuid: str) -> set[Thing]:
        """What the provider's origin lists."""
        origin = self.origins.get(uuid, Origin(""))
        lists = {"inventory": origin.inventories, "trait": origin.traits, "aggregate": origin.aggregates}
        return {(kind, name) for kind, names in lists.items() for name in names}

    def pick(self, number: int) -> str:
        return list(self.tree)[number % len(self.tree)].uuid

    def pick_parent(self, number: int) -> str | None:
        return [None, *(provider.uuid for provider in self.tree)][number % (len(self.tree) + 1)]

    def forget_deleted(self) -> None:
        self.origins = {uuid: origin for uuid, origin in self.origins.items() if uuid in self.tree}
        self.given_by_others = {uuid: given for uuid, given in self.given_by_others.items() if uuid in self.tree}
        self.made_by_others = {uuid for uuid in self.made_by_others if uuid in self.tree}

    # --- the agents

    @rule(host=hosts)
    def the_agent_looks(self, host: str) -> None:
        plan, before = self.plan(host), self.tree
        concerned = self.concerned(host, plan)
        for step in difference(plan.seen, plan.wanted.tree):
            self.tree = apply(self.tree, [step])
        seen = {provider.uuid for provider in plan.seen}
        self.origins = {uuid: origin for uuid, origin in self.origins.items() if uuid not in seen}
        self.origins |= plan.wanted.origins
        self.check_providers(plan, before, concerned)
        self.forget_deleted()
        self.check_things(host, plan, before, concerned)
        again = self.plan(host)
        assert difference(again.seen, again.wanted.tree) == ()
        assert again.wanted.origins == {uuid: self.origins[uuid] for uuid in again.wanted.origins}

    def plan(self, host: str) -> Plan:
        """What the agent would do, having looked at no more trees than it must."""
        native = self.native[host]
        roots = {
            self.tree.root_of(provider.uuid).uuid
            for provider in self.tree
            if provider.uuid in native or native.named(provider.name) or self.kept_by(provider.uuid) == host
        }
        seen = ProviderTree(provider for root in roots for provider in self.tree.below(root))
        known = {uuid: origin for uuid, origin in self.origins.items() if uuid in seen}
        nodes = frozenset(root.uuid for root in native.roots())
        reported = adopt(NativeProviders(native, nodes), seen, known, host, "static")
        wanted = desired(seen, known, merge(reported, self.files[host]), host)
        return Plan(seen, reported, wanted)

    def kept_by(self, uuid: str) -> str | None:
        return self.origins[uuid].host if uuid in self.origins else None

    def concerned(self, host: str, plan: Plan) -> set[str]:
        """What the host reports, all below that, and what its agent has had to do with before."""
        inside = set(plan.reported.native)
        for provider in self.tree:
            if provider.parent_uuid in inside:
                inside.add(provider.uuid)
        return inside | {uuid for uuid in self.origins if self.kept_by(uuid) == host}

    def check_providers(self, plan: Plan, before: ProviderTree, concerned: set[str]) -> None:
        native = plan.reported.native
        assert all(uuid in self.tree for uuid in native | self.made_by_others)
        assert all(uuid in concerned for uuid in {p.uuid for p in before} - {p.uuid for p in self.tree})
        for provider in self.tree:
            if provider.uuid in native:
                assert provider.name == plan.reported.tree[provider.uuid].name
                assert provider.parent_uuid == plan.reported.tree[provider.uuid].parent_uuid
                continue
            assert (provider.name, provider.parent_uuid) == (
                before[provider.uuid].name,
                before[provider.uuid].parent_uuid,
            )
            if provider.uuid in concerned and provider.uuid not in self.made_by_others:
                assert any(child.uuid not in native for child in self.tree.children(provider.uuid))

    def check_things(self, host: str, plan: Plan, before: ProviderTree, concerned: set[str]) -> None:
        for provider in self.tree:
            if provider.uuid not in concerned:
                assert provider == before[provider.uuid]
                continue
            own = provider.uuid in plan.reported.native
            reported = things_of(plan.reported.tree[provider.uuid]) if own else {}
            asked = self.things_asked(host, provider.uuid, plan)
            given = self.given_by_others.setdefault(provider.uuid, {})
            for thing in list(given):
                # What the host reports is the host's, and so is every inventory of its own providers.
                if thing in reported or (own and thing in asked and thing[0] == "inventory"):
                    del given[thing]
            assert things_of(provider) == {**asked, **reported, **given}

    def things_asked(self, host: str, uuid: str, plan: Plan) -> dict[Thing, Inventory | None]:
        """By UUID, or else by name, or else for every node."""
        found = plan.reported.tree.get(uuid)
        if found is None:
            return {}
        wanted = {record.identification: record for record in self.files[host]}
        record = wanted.get(uuid) or wanted.get(found.name)
        if record is None and uuid in plan.reported.nodes:
            record = wanted.get(COMPUTE_NODE)
        return {} if record is None else things_of(Provider("", "", None, record.inventories, record.traits))

    # --- the end

    def teardown(self) -> None:
        """Without files only what hosts report is left beside others' things, and without hosts nothing at all."""
        self.files = {host: [] for host in HOSTS}
        self.agents_look()
        self.native = dict.fromkeys(HOSTS, ProviderTree())
        self.agents_look()
        for provider in self.tree:
            assert things_of(provider) == self.given_by_others.get(provider.uuid, {})
            assert any(below.uuid in self.made_by_others for below in self.tree.below(provider.uuid))
        assert all(origin == Origin(origin.host, made=True) for origin in self.origins.values())
        assert self.origins.keys() == {provider.uuid for provider in self.tree} - self.made_by_others

    def agents_look(self) -> None:
        for host in (*HOSTS, *HOSTS):
            self.the_agent_looks(host)


def test_what_others_own_is_never_changed_or_removed() -> None:
    run_state_machine_as_test(Ownership, settings=effort(40, steps=30))

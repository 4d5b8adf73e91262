"""Random histories of two hosts with their agents, everybody else, and a Placement that fails at times.

Whatever happened, once it is quiet both agents come to an end, and then Placement has all that the hosts and their
files ask for, all that others made, and nothing else. What others own has names of its own here, to be told apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID, uuid4

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from moorage.client.errors import ClientError, Unavailable
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from tests.hosts.agent.hosts import AgentOfHost
from tests.hosts.agent.placements import allocate, empty
from tests.hosts.agent.transports import Recorder, Request
from tests.properties import effort

HOSTS = ("north", "south")
UUIDS = tuple(str(UUID(int=number)) for number in range(1, 6))
OTHERS_UUIDS = tuple(str(UUID(int=number)) for number in range(11, 14))
# Each provider of the hosts has names that no other one of theirs has; others may take them all the same.
NAMES = {uuid: (f"host-{number}", f"host-{number}-anew") for number, uuid in enumerate(UUIDS, start=1)}
OTHERS_NAMES = ("guest-1", "guest-2", *(names[0] for names in NAMES.values()))
THEIRS = "CUSTOM_THEIRS"

hosts = st.sampled_from(HOSTS)
existing = st.integers(0, 20)
amounts = st.builds(Inventory, total=st.integers(2, 4))
inventories = st.dictionaries(st.sampled_from(["VCPU", "CUSTOM_PIPE"]), amounts, max_size=2)
traits = st.frozensets(st.sampled_from(["HW_CPU_X86_AVX2", "CUSTOM_RED"]), max_size=2)


@st.composite
def natives(draw: st.DrawFn) -> ProviderTree:
    """Some of the UUIDs, each a root or below another one."""
    chosen = draw(st.lists(st.sampled_from(UUIDS), unique=True, max_size=4))
    return ProviderTree(
        Provider(
            uuid,
            draw(st.sampled_from(NAMES[uuid])),
            draw(st.sampled_from([None, *chosen[:number]])),
            draw(inventories),
            draw(traits),
        )
        for number, uuid in enumerate(chosen)
    )


class Reported:
    """A driver that reports what it is told to; roots are nodes."""

    name = "reported"

    def __init__(self) -> None:
        self.tree = ProviderTree()

    def read(self) -> NativeProviders:
        return NativeProviders(self.tree, frozenset(root.uuid for root in self.tree.roots()))


class Histories(RuleBasedStateMachine):
    """Everybody does anything; agents look now and then."""

    transport: Transport

    def __init__(self) -> None:
        super().__init__()
        empty(self.transport)
        self.closing = ExitStack()
        directory = Path(self.closing.enter_context(TemporaryDirectory()))
        self.recorder = Recorder(self.transport)
        self.client = PlacementClient(self.transport)
        self.client.ensure_traits([THEIRS])
        self.client.ensure_resource_classes([THEIRS])
        self.drivers = {host: Reported() for host in HOSTS}
        self.agents = {
            host: self.closing.enter_context(AgentOfHost(host, directory / host, self.recorder)) for host in HOSTS
        }
        self.file: dict[str, Mapping[str, Inventory]] = {host: {} for host in HOSTS}
        for host in HOSTS:
            self.an_agent_is_restarted(host)
        self.made_by_others: set[str] = set()
        self.given: dict[str, set[str]] = {}
        self.consumers: list[str] = []

    def teardown(self) -> None:
        try:
            self.in_the_end_everything_is_as_it_should_be()
        finally:
            self.closing.close()

    # --- the hosts

    @rule(host=hosts, tree=natives())
    def a_host_changes(self, host: str, tree: ProviderTree) -> None:
        """What it has now, the other one does not have any more."""
        for driver in self.drivers.values():
            driver.tree = driver.tree.without(provider.uuid for provider in tree)
        self.drivers[host].tree = tree

    @rule(host=hosts, total=st.integers(0, 3))
    def a_file_changes(self, host: str, total: int) -> None:
        self.file[host] = {"CUSTOM_LLC": Inventory(total)} if total else {}
        self.agents[host].write(
            "a.yaml",
            f"""
            meta: {{schema_version: 1.0}}
            providers:
              - identification: {{uuid: $COMPUTE_NODE}}
                inventories: {{additional: {{CUSTOM_LLC: {{total: {total}}}}}}}
            """
            if total
            else "meta: {schema_version: 1.0}",
        )

    @rule(host=hosts)
    def an_agent_looks(self, host: str) -> None:
        self.agents[host].round()
        self.forget_the_deleted()

    @rule(host=hosts, requests=st.integers(1, 12), sent=st.booleans())
    def an_agent_looks_in_vain(self, host: str, requests: int, *, sent: bool) -> None:
        """The request with this number gets no answer; it may have been carried out."""
        count = 0

        def fail(_request: Request) -> None:
            nonlocal count
            count += 1
            if count >= requests:
                raise Unavailable("There is nobody.")

        setattr(self.recorder, "after" if sent else "before", fail)
        with suppress(Unavailable):
            self.agents[host].round()
        self.recorder.before = self.recorder.after = lambda _: None
        self.forget_the_deleted()

    @rule(host=hosts)
    def an_agent_is_restarted(self, host: str) -> None:
        self.agents[host].start(driver=self.drivers[host])
        self.agents[host].agent.starting = False

    @rule(host=hosts)
    def an_agent_is_told_to_look_afresh(self, host: str) -> None:
        self.agents[host].agent.look_afresh()

    # --- others

    @rule(uuid=st.sampled_from(OTHERS_UUIDS + UUIDS[:2]), name=st.sampled_from(OTHERS_NAMES), below=existing)
    def others_make_a_provider(self, uuid: str, name: str, below: int) -> None:
        with suppress(ClientError):
            self.client.create_provider(uuid, name, self.pick(below))
            self.made_by_others.add(uuid)

    @rule(at=existing)
    def others_give(self, at: int) -> None:
        uuid = self.pick(at)
        if uuid is not None:
            found = self.client.traits(uuid)
            generation = self.client.put_traits(uuid, found.traits | {THEIRS}, found.generation)
            stock = {**self.client.inventories(uuid).inventories, THEIRS: Inventory(3)}
            self.client.put_inventories(uuid, stock, generation)
            self.given.setdefault(uuid, set()).add(THEIRS)

    @rule(at=existing)
    def others_delete(self, at: int) -> None:
        uuid = self.pick(at)
        if uuid is not None:
            with suppress(ClientError):
                self.client.delete_provider(uuid)
                self.made_by_others.discard(uuid)
                self.given.pop(uuid, None)

    @rule(at=existing, to=existing)
    def others_move(self, at: int, to: int) -> None:
        uuid = self.pick(at)
        if uuid is not None:
            with suppress(ClientError):
                self.client.update_provider(uuid, self.names()[uuid], self.pick(to))

    @rule(at=existing, resource_class=st.sampled_from(["VCPU", "CUSTOM_PIPE", "CUSTOM_LLC", THEIRS]))
    def somebody_takes(self, at: int, resource_class: str) -> None:
        uuid = self.pick(at)
        if uuid is not None:
            consumer = str(uuid4())
            with suppress(ClientError):
                allocate(self.client, consumer, {uuid: {resource_class: 1}})
                self.consumers.append(consumer)

    @rule(at=existing)
    def somebody_lets_go(self, at: int) -> None:
        if self.consumers:
            self.client.delete_allocations(self.consumers.pop(at % len(self.consumers)))

    # --- the end

    def in_the_end_everything_is_as_it_should_be(self) -> None:
        while self.consumers:
            self.somebody_lets_go(0)
        for _ in range(8):
            self.recorder.forget()
            reports = [agent.round() for agent in self.agents.values()]
            self.forget_the_deleted()
            if not self.recorder.writes:
                break
        assert self.recorder.writes == []
        assert [report.undone for report in reports] == [(), ()]
        present = {provider.uuid: provider for provider in self.client.providers()}
        assert self.made_by_others <= present.keys()
        wanted = self.wanted()
        names = {provider.name: provider.uuid for provider in present.values()}
        for uuid, provider in wanted.items():
            assert uuid in present or provider.name in names
        wanted = {uuid if uuid in present else names[each.name]: each for uuid, each in wanted.items()}
        needed = {above for uuid in self.made_by_others for above in self.above(uuid)}
        for uuid in present:
            stock, traits = dict(self.client.inventories(uuid).inventories), set(self.client.traits(uuid).traits)
            theirs = {THEIRS} & self.given.get(uuid, set())
            assert {THEIRS} & stock.keys() == {THEIRS} & traits == theirs
            stock.pop(THEIRS, None)
            expected = wanted.get(uuid)
            assert stock == (expected.inventories if expected else {}), uuid
            assert traits - {THEIRS} == (expected.traits if expected else set()), uuid
            assert expected or uuid in self.made_by_others or uuid in needed, uuid

    def wanted(self) -> dict[str, Provider]:
        """What the hosts have, with what their files add to nodes."""
        return {
            provider.uuid: provider
            if provider.parent_uuid
            else replace(provider, inventories={**provider.inventories, **self.file[host]})
            for host, driver in self.drivers.items()
            for provider in driver.tree
        }

    def pick(self, at: int) -> str | None:
        """One of the providers there are, or none."""
        uuids = [None, *sorted(provider.uuid for provider in self.client.providers())]
        return uuids[at % len(uuids)]

    def names(self) -> dict[str, str]:
        return {provider.uuid: provider.name for provider in self.client.providers()}

    def above(self, uuid: str) -> list[str]:
        parents = {provider.uuid: provider.parent_uuid for provider in self.client.providers()}
        found = []
        above = parents[uuid]
        while above is not None:
            found.append(above)
            above = parents[above]
        return found

    def forget_the_deleted(self) -> None:
        """What is deleted goes with all that others gave it."""
        present = self.names()
        self.given = {uuid: things for uuid, things in self.given.items() if uuid in present}


def test_histories(transport: Transport) -> None:
    machine = type("Histories", (Histories,), {"transport": transport})
    run_state_machine_as_test(machine, settings=effort(15, steps=25))

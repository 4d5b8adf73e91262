"""What goes over from one provider to another does so when nobody uses it, and is never in both places."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.agent.dividing import moves, postpone
from moorage.hosts.agent.holding import InUse
from moorage.hosts.agent.observation import Observation
from moorage.hosts.desired import Desired
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from tests.hosts.random_trees import CLASSES, UUIDS, trees
from tests.properties import effort

DRIVER = "driver:linux"
HALF = {"VCPU": Inventory(4)}
HOST = Provider("h", "host", inventories={"VCPU": Inventory(8), "DISK_GB": Inventory(100)})
BARE = replace(HOST, inventories={"DISK_GB": Inventory(100)})
PARTS = [Provider(f"p{number}", f"part{number}", "h", HALF) for number in range(2)]


def origins_of(tree: ProviderTree) -> dict[str, Origin]:
    """Everything is the agent's own."""
    return {
        provider.uuid: Origin("host", made=True, inventories=dict.fromkeys(provider.inventories, DRIVER))
        for provider in tree
    }


def observation(*providers: Provider) -> Observation:
    tree = ProviderTree(providers)
    return Observation(tree, origins_of(tree))


def desire(*providers: Provider) -> Desired:
    tree = ProviderTree(providers)
    return Desired(tree, origins_of(tree))


def test_a_host_that_is_divided() -> None:
    observed, wanted = observation(HOST), desire(BARE, *PARTS)
    (move,) = planned = moves(observed, wanted)
    assert (move.provider, move.resource_classes, move.takers) == (HOST, frozenset({"VCPU"}), tuple(PARTS))
    # The disk does not move, so it does not matter who uses it.
    assert postpone(observed, wanted, planned, {"h": frozenset({"DISK_GB"})}) == (wanted, ())

    possible, (waiting,) = postpone(observed, wanted, planned, {"h": frozenset({"VCPU", "DISK_GB"})})
    assert (waiting.move, waiting.held) == (move, frozenset({"VCPU"}))
    assert possible == desire(HOST, *(replace(part, inventories={}) for part in PARTS))


def test_a_host_that_is_put_together_stays_as_it_was() -> None:
    observed, wanted = observation(BARE, *PARTS), desire(HOST)
    possible, (waiting,) = postpone(observed, wanted, moves(observed, wanted), {"p1": frozenset({"VCPU"})})
    assert waiting.move.provider == PARTS[1]
    assert possible == Desired(observed.tree, observed.origins)


def test_a_part_that_nobody_uses_goes_if_its_name_is_needed() -> None:
    observed = observation(BARE, *PARTS, Provider("x", "other"))
    wanted = desire(HOST, Provider("x", "part0"))
    possible, _ = postpone(observed, wanted, moves(observed, wanted), {"p1": frozenset({"VCPU"})})
    assert possible.tree == ProviderTree([BARE, PARTS[1], Provider("x", "part0")])


def test_what_others_own_does_not_move() -> None:
    observed = Observation(ProviderTree([HOST]), {"h": Origin("host", made=True)})
    assert moves(observed, desire(BARE, *PARTS)) == ()


@st.composite
def changes(draw: st.DrawFn) -> tuple[Observation, Desired, InUse]:
    """Two trees of the same agent, one after the other, and what is in use."""
    old, new = draw(trees()), draw(trees())
    in_use = draw(st.dictionaries(st.sampled_from(UUIDS), st.frozensets(st.sampled_from(CLASSES))))
    return Observation(old, origins_of(old)), Desired(new, origins_of(new)), in_use


@effort(300)
@given(changes())
def test_what_is_in_use_is_never_also_offered_elsewhere(change: tuple[Observation, Desired, InUse]) -> None:
    observed, wanted, in_use = change
    planned = moves(observed, wanted)
    possible, waiting = postpone(observed, wanted, planned, in_use)
    for each in waiting:
        for taker in each.move.takers:
            before = observed.tree.get(taker.uuid)
            gained = set(possible.tree[taker.uuid].inventories).difference(before.inventories if before else ())
            assert gained.isdisjoint(each.move.resource_classes)
    # Nothing else has to wait then.
    assert postpone(observed, possible, moves(observed, possible), in_use) == (possible, ())

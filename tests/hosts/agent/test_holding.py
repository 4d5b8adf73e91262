"""What is in use stays, and nothing else that should go."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.agent.holding import InUse, Kept, hold_back, taken_over
from moorage.hosts.agent.observation import Observation
from moorage.hosts.desired import Desired
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from tests.hosts.random_trees import CLASSES, UUIDS, trees
from tests.properties import effort

FILE = "file:a.yaml"
NODE = Provider("n", "node", inventories={"VCPU": Inventory(8), "CUSTOM_LLC": Inventory(22)})
CHILD = Provider("c", "child", "n", {"PGPU": Inventory(1)})
ORIGINS = {
    "n": Origin("host", made=True, inventories={"VCPU": "driver:linux", "CUSTOM_LLC": FILE}, traits={"CUSTOM_T": FILE}),
    "c": Origin("host", made=True, inventories={"PGPU": "driver:linux"}),
}
OBSERVED = Observation(ProviderTree([NODE, CHILD]), ORIGINS)


def test_an_inventory_in_use_is_still_there_and_still_ours() -> None:
    without = replace(NODE, inventories={"VCPU": Inventory(8)})
    wanted = Desired(ProviderTree([without, CHILD]), {**ORIGINS, "n": Origin("host", made=True)})
    possible, (kept,) = hold_back(OBSERVED, wanted, {"n": frozenset({"VCPU", "CUSTOM_LLC"})})
    closed = {"VCPU": Inventory(8), "CUSTOM_LLC": Inventory(22, reserved=22)}
    assert possible.tree == ProviderTree([replace(NODE, inventories=closed), CHILD])
    assert possible.origins["n"] == Origin("host", made=True, inventories={"CUSTOM_LLC": FILE})
    assert (kept.provider, kept.resource_classes, kept.whole) == (NODE, frozenset({"CUSTOM_LLC"}), False)


def test_a_provider_in_use_stays_with_what_it_is_below() -> None:
    possible, (kept,) = hold_back(OBSERVED, Desired(ProviderTree(), {}), {"c": frozenset({"PGPU"})})
    bare = replace(NODE, inventories={})
    assert possible.tree == ProviderTree([bare, replace(CHILD, inventories={"PGPU": Inventory(1, reserved=1)})])
    assert possible.origins == {**ORIGINS, "n": replace(ORIGINS["n"], inventories={})}
    assert (kept.provider, kept.whole) == (CHILD, True)


def test_what_others_gave_to_a_provider_that_cannot_go_stays_open() -> None:
    theirs = {"CUSTOM_THEIRS": Inventory(3), "CUSTOM_USED": Inventory(4)}
    child = replace(CHILD, inventories={**CHILD.inventories, **theirs})
    observed = Observation(ProviderTree([NODE, child]), ORIGINS)
    wanted = Desired(ProviderTree([NODE]), {"n": ORIGINS["n"]})
    possible, _ = hold_back(observed, wanted, {"c": frozenset({"PGPU", "CUSTOM_USED"})})
    assert possible.tree["c"].inventories == {"PGPU": Inventory(1, reserved=1), **theirs}


def test_what_was_closed_and_is_closed_is_still_ours() -> None:
    closed = replace(CHILD, inventories={"PGPU": Inventory(1, reserved=1)})
    observed = Observation(ProviderTree([NODE, closed]), ORIGINS)
    assert taken_over(observed, [Kept(CHILD, frozenset({"PGPU"}), whole=True)]) == observed


def test_of_a_provider_that_somebody_opened_again_only_what_files_added_is_still_ours() -> None:
    origin = replace(ORIGINS["c"], traits={"CUSTOM_T": FILE, "HW_T": "driver:linux"})
    observed = Observation(OBSERVED.tree, {**ORIGINS, "c": origin})
    seen = taken_over(observed, [Kept(CHILD, frozenset({"PGPU"}), whole=True)])
    assert seen.origins == {**ORIGINS, "c": Origin("host", traits={"CUSTOM_T": FILE})}


def test_an_inventory_that_somebody_opened_again_is_theirs() -> None:
    seen = taken_over(OBSERVED, [Kept(NODE, frozenset({"CUSTOM_LLC"}), whole=False)])
    assert seen.origins == {**ORIGINS, "n": replace(ORIGINS["n"], inventories={"VCPU": "driver:linux"})}


def test_what_is_not_in_use_goes() -> None:
    wanted = Desired(ProviderTree([NODE]), {"n": ORIGINS["n"]})
    assert hold_back(OBSERVED, wanted, {"n": frozenset({"VCPU"}), "c": frozenset()}) == (wanted, ())


@st.composite
def changes(draw: st.DrawFn) -> tuple[ProviderTree, ProviderTree, InUse]:
    """A tree, the same one after some of it has gone, and what is in use."""
    observed = draw(trees())
    gone = draw(st.frozensets(st.sampled_from(UUIDS)))
    without = draw(st.frozensets(st.sampled_from(CLASSES)))
    wanted = ProviderTree(
        replace(
            provider, inventories={name: held for name, held in provider.inventories.items() if name not in without}
        )
        for provider in observed.without(gone)
    )
    in_use = draw(st.dictionaries(st.sampled_from(UUIDS), st.frozensets(st.sampled_from(CLASSES))))
    return observed, wanted, in_use


@effort(300)
@given(changes())
def test_what_is_in_use_stays_and_only_that(change: tuple[ProviderTree, ProviderTree, InUse]) -> None:
    observed, wanted, in_use = change
    possible, kept = hold_back(Observation(observed, {}), Desired(wanted, {}), in_use)
    for provider in observed:
        held = in_use.get(provider.uuid, frozenset()).intersection(provider.inventories)
        now = possible.tree.get(provider.uuid)
        if held:
            assert now is not None
            assert {name: now.inventories[name] for name in held} == {name: provider.inventories[name] for name in held}
        if provider.uuid in wanted and now is not None:
            rest = wanted[provider.uuid]
            assert {name: now.inventories[name] for name in now.inventories if name not in held} == {
                name: rest.inventories[name] for name in rest.inventories if name not in held
            }
    needed = {each.provider.uuid for each in kept}
    for provider in possible.tree:
        below = {each.uuid for each in possible.tree.below(provider.uuid)}
        assert provider.uuid in wanted or needed & below

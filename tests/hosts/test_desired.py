"""What Placement should hold when files, providers and nodes come and go; whole histories are in test_ownership."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.provider_config.records import Record
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from tests.hosts.in_step import DRIVER, FILE, GUEST, LLC, NODE, NUMA, PIPE, VCPU, Placement, record, with_more
from tests.hosts.random_trees import UUIDS, origins, records, trees
from tests.properties import effort

# --- files come and go


def test_what_a_file_adds_goes_with_the_file() -> None:
    placement = Placement()
    placement.step(NODE, files=[record(inventories=LLC, traits=["CUSTOM_RED"])])
    assert placement.tree == ProviderTree([with_more(NODE, LLC, ["CUSTOM_RED"])])
    assert placement.origins["n"] == Origin(
        "here",
        made=True,
        inventories={"VCPU": DRIVER, "CUSTOM_LLC": FILE},
        traits={"HW_FAST": DRIVER, "CUSTOM_RED": FILE},
        aggregates={"rack": DRIVER},
    )
    placement.step(NODE, files=[record(inventories=PIPE)])
    assert placement.tree == ProviderTree([with_more(NODE, PIPE)])
    placement.step(NODE)
    assert placement.tree == ProviderTree([NODE])


def test_a_trait_that_others_had_set_stays_when_the_file_goes() -> None:
    placement = Placement(ProviderTree([Provider("n", "node", traits=frozenset({"CUSTOM_RED"}))]))
    placement.step(NODE, files=[record(traits=["CUSTOM_RED", "CUSTOM_BLUE"])])
    assert placement.origins["n"].traits == {"HW_FAST": DRIVER, "CUSTOM_BLUE": FILE}
    placement.step(NODE)
    assert placement.tree["n"].traits == {"HW_FAST", "CUSTOM_RED"}


def test_a_trait_that_the_driver_reports_stays_when_the_file_goes_and_goes_with_the_driver() -> None:
    placement = Placement()
    red = with_more(NODE, traits=["CUSTOM_RED"])
    placement.step(red, files=[record(traits=["CUSTOM_RED"])])
    placement.step(red)
    assert placement.tree["n"].traits == {"HW_FAST", "CUSTOM_RED"}
    placement.step(NODE)
    assert placement.tree["n"].traits == {"HW_FAST"}


def test_what_the_driver_reports_is_the_hosts_also_if_others_had_set_it() -> None:
    placement = Placement(ProviderTree([Provider("n", "node", None, VCPU, NODE.traits, NODE.aggregates)]))
    placement.step(NODE)
    placement.step(Provider("n", "node"))
    assert placement.tree == ProviderTree([Provider("n", "node")])


def test_what_others_take_away_is_put_back() -> None:
    placement = Placement()
    asked = [record(inventories=LLC, traits=["CUSTOM_RED"])]
    placement.step(NODE, files=asked)
    placement.others_set(Provider("n", "other-name"))
    placement.step(NODE, files=asked)
    assert placement.tree == ProviderTree([with_more(NODE, LLC, ["CUSTOM_RED"])])


def test_others_things_stay_beside_the_hosts() -> None:
    placement = Placement()
    placement.step(NODE)
    placement.others_set(replace(with_more(NODE, LLC, ["CUSTOM_THEIRS"]), aggregates=frozenset({"rack", "zone"})))
    placement.step(NODE, files=[record(inventories=PIPE)])
    placement.step(replace(NODE, inventories={}, aggregates=frozenset()))
    assert placement.tree["n"].inventories == LLC
    assert placement.tree["n"].traits == {"HW_FAST", "CUSTOM_THEIRS"}
    assert placement.tree["n"].aggregates == {"zone"}


def test_an_inventory_that_others_had_set_on_a_node_is_taken_over() -> None:
    placement = Placement(ProviderTree([with_more(Provider("n", "node"), {"CUSTOM_LLC": Inventory(1)})]))
    placement.step(NODE, files=[record(inventories=LLC)])
    assert placement.tree["n"].inventories == {**VCPU, **LLC}
    placement.step(NODE)
    assert placement.tree["n"].inventories == VCPU


def test_a_file_can_add_to_what_others_made_and_nothing_else_of_it_changes() -> None:
    placement = Placement()
    placement.step(NODE, NUMA)
    placement.others_set(GUEST)
    placement.step(NODE, NUMA, files=[record("r", LLC, ["CUSTOM_RED", "CUSTOM_THEIRS"])])
    assert placement.tree["r"] == with_more(GUEST, LLC, ["CUSTOM_RED"])
    assert placement.origins["r"] == Origin("here", False, {"CUSTOM_LLC": FILE}, {"CUSTOM_RED": FILE})
    placement.step(NODE, NUMA)
    assert placement.tree["r"] == GUEST
    assert "r" not in placement.origins


# --- providers come and go


def test_what_the_agent_made_and_is_reported_no_more_is_deleted() -> None:
    placement = Placement()
    placement.step(NODE, NUMA)
    placement.step(NODE)
    assert placement.tree == ProviderTree([NODE])
    assert placement.origins.keys() == {"n"}
    placement.step()
    assert placement == Placement()


def test_what_has_guests_stays_bare_until_they_are_gone() -> None:
    placement = Placement()
    placement.step(NODE, NUMA, files=[record("m", LLC)])
    placement.others_set(GUEST, with_more(placement.tree["m"], traits=["CUSTOM_THEIRS"]))
    placement.step(NODE)
    bare = Provider("m", "node-numa", "n", traits=frozenset({"CUSTOM_THEIRS"}))
    assert placement.tree == ProviderTree([NODE, bare, GUEST])
    assert placement.origins["m"] == Origin("here", made=True)
    placement.step()  # the whole host is away, and the guest is still there
    assert placement.tree == ProviderTree([Provider("n", "node"), bare, GUEST])
    placement.tree = placement.tree.without(["r"])
    placement.step()
    assert placement == Placement()


def test_what_comes_back_is_what_it_was() -> None:
    placement = Placement()
    placement.step(NODE, NUMA)
    placement.others_set(GUEST)
    before = replace(placement)
    placement.step()
    placement.step(NODE, NUMA)
    assert placement == before


def test_what_was_there_before_is_never_deleted() -> None:
    placement = Placement(ProviderTree([Provider("x", "node", traits=frozenset({"CUSTOM_THEIRS"}))]))
    placement.step(NODE, NUMA)
    assert placement.tree["x"] == replace(with_more(NODE, traits=["CUSTOM_THEIRS"]), uuid="x")
    assert not placement.origins["x"].made
    placement.step()
    assert placement == Placement(ProviderTree([Provider("x", "node", traits=frozenset({"CUSTOM_THEIRS"}))]))


def test_what_others_deleted_is_made_again() -> None:
    placement = Placement(ProviderTree([Provider("n", "node")]))
    placement.step(NODE)
    placement.tree, placement.origins = ProviderTree(), {"n": placement.origins["n"]}
    placement.step(NODE)
    assert placement.origins["n"].made
    # And if it is not wanted any more, nothing is left of it.
    placement.tree = ProviderTree()
    placement.step()
    assert placement == Placement()


def test_providers_move_with_their_guests_and_swap_their_names() -> None:
    placement = Placement()
    placement.step(NODE, NUMA, Provider("o", "other"))
    placement.others_set(GUEST)
    placement.step(replace(NODE, name="other"), replace(NUMA, parent_uuid="o"), Provider("o", "node"))
    assert placement.tree == ProviderTree(
        [replace(NODE, name="other"), Provider("o", "node"), replace(NUMA, parent_uuid="o"), GUEST]
    )


def test_a_parent_goes_when_what_it_had_below_is_reported_elsewhere() -> None:
    placement = Placement()
    placement.step(NODE, NUMA, Provider("g", "gpu", "m"))
    placement.others_set(replace(GUEST, parent_uuid="g"))
    placement.step(NODE, Provider("g", "gpu", "n"))
    assert placement.tree == ProviderTree([NODE, Provider("g", "gpu", "n"), replace(GUEST, parent_uuid="g")])


def test_the_generation_that_was_read_is_kept() -> None:
    placement = Placement(ProviderTree([Provider("n", "node", generation=5), Provider("x", "x", "n", generation=6)]))
    wanted = placement.wanted([NODE, NUMA], [])
    assert {provider.uuid: provider.generation for provider in wanted.tree} == {"n": 5, "x": 6, "m": None}


# --- from any state at all


@effort(100)
@given(trees(), origins, trees(), records())
def test_the_desired_state_is_as_desired(
    observed: ProviderTree, known: dict[str, Origin], native: ProviderTree, asked: list[Record]
) -> None:
    Placement(observed, known).step(*native, files=asked)


@effort(60)
@given(trees(), origins, trees(), st.sets(st.sampled_from(UUIDS)))
def test_what_is_in_use_can_stay_beside_all_that_is_desired(
    observed: ProviderTree, known: dict[str, Origin], native: ProviderTree, in_use: set[str]
) -> None:
    wanted = Placement(observed, known).wanted(native, [], in_use=in_use).tree
    staying = {uuid for uuid in in_use if uuid in observed and uuid not in wanted}
    for provider in reversed(list(observed)):
        if provider.uuid in staying and provider.parent_uuid is not None and provider.parent_uuid not in wanted:
            staying.add(provider.parent_uuid)
    assert len(wanted.with_providers(observed[uuid] for uuid in staying)) == len(wanted) + len(staying)


def test_a_ratio_that_placement_keeps_with_fewer_digits_is_not_written_again() -> None:
    def node(ratio: float) -> Provider:
        return replace(NODE, inventories={"VCPU": Inventory(8, allocation_ratio=ratio)})

    placement = Placement()
    placement.step(node(1.333333333))
    kept = node(1.33333)
    placement.tree = ProviderTree([kept])
    placement.step(node(1.333333333))
    assert placement.tree["n"].inventories == kept.inventories
    placement.step(node(1.3334))
    assert placement.tree["n"].inventories == node(1.3334).inventories

"""Recognising a host's providers among those that Placement has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.adoption import HostProviders, NameTaken, adopt
from moorage.hosts.drivers.driver import NativeProviders
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from tests.hosts.random_trees import UUIDS, trees
from tests.properties import effort

HERE, ELSEWHERE = Origin("here", made=True), Origin("elsewhere", made=True)
NODE = Provider("n", "host", None, {"VCPU": Inventory(8)}, frozenset({"HW_FAST"}))
GPU = Provider("g", "host-gpu", "n", {"VGPU": Inventory(1)})


def adopted(
    native: list[Provider],
    observed: list[Provider],
    origins: dict[str, Origin] | None = None,
    in_use: Collection[str] = (),
) -> HostProviders:
    tree = ProviderTree(native)
    nodes = frozenset(root.uuid for root in tree.roots())
    return adopt(NativeProviders(tree, nodes), ProviderTree(observed), origins or {}, "here", "static", in_use)


def test_in_an_empty_placement_everything_is_as_the_driver_says() -> None:
    host = adopted([NODE, GPU], [])
    assert host == HostProviders(ProviderTree([NODE, GPU]), frozenset({"n", "g"}), frozenset({"n"}), "static")


def test_a_root_with_the_same_name_is_the_same_and_its_children_follow() -> None:
    host = adopted([NODE, GPU], [Provider("other", "host", None, {"CUSTOM_OLD": Inventory(1)})])
    assert host.tree == ProviderTree([replace(NODE, uuid="other"), replace(GPU, parent_uuid="other")])
    assert host.nodes == {"other"}
    assert host.native == {"other", "g"}


def test_a_child_with_the_same_name_below_what_the_host_has_is_the_same() -> None:
    observed = [Provider("n", "host"), Provider("other", "host-gpu", "n")]
    assert adopted([NODE, GPU], observed).tree == ProviderTree([NODE, replace(GPU, uuid="other")])
    # Also if the root was found by its name, and if it is below another root of the host, which was so too.
    moved = [Provider("n2", "host"), Provider("b2", "bee"), Provider("g2", "host-gpu", "b2")]
    host = adopted([NODE, GPU, Provider("b", "bee")], moved)
    assert host.tree["g2"] == replace(GPU, uuid="g2", parent_uuid="n2")


def test_a_uuid_counts_for_more_than_a_name() -> None:
    """Providers that swapped their names are renamed, not exchanged: what is allocated stays where it is."""
    swapped = [replace(NODE, name="bee"), Provider("b", "host")]
    host = adopted(swapped, [NODE, Provider("b", "bee")])
    assert host.tree == ProviderTree(swapped)
    assert not host.names_taken


def test_a_child_of_the_same_name_on_another_host_is_another_one() -> None:
    observed = [Provider("m", "other-host"), Provider("other", "host-gpu", "m")]
    host = adopted([NODE, GPU], observed)
    assert host.tree == ProviderTree([NODE, replace(GPU, name="host-gpu (g)")])
    assert host.names_taken == (NameTaken(GPU, "host-gpu (g)", "other"),)
    assert host.names_taken[0].message == (
        "The name 'host-gpu' of the provider g belongs to another provider in Placement, other: "
        "it is called 'host-gpu (g)' until that one is renamed or deleted."
    )


def test_a_child_of_the_same_name_is_recognised_anywhere_if_the_agent_made_it() -> None:
    observed = [Provider("m", "old-name-of-the-host"), Provider("other", "host-gpu", "m")]
    host = adopted([NODE, GPU], observed, {"m": HERE, "other": HERE})
    assert host.tree == ProviderTree([NODE, replace(GPU, uuid="other")])


def test_a_root_of_others_does_not_become_a_child_by_its_name() -> None:
    host = adopted([NODE, GPU], [Provider("pool", "host-gpu")])
    assert host.tree["g"].name == "host-gpu (g)"


def test_a_node_that_another_host_kept_is_recognised() -> None:
    assert adopted([NODE], [Provider("other", "host")], {"other": ELSEWHERE}).native == {"other"}


def test_a_long_name_that_is_taken_is_shortened() -> None:
    long = replace(GPU, name="x" * 200, uuid="4f0e8a3c-0000-4000-8000-000000000001")
    host = adopted([NODE, long], [Provider("pool", "x" * 200)])
    instead = host.tree[long.uuid].name
    assert len(instead) == 200
    assert instead.endswith(f"x ({long.uuid})")


def test_a_provider_that_cannot_be_renamed_keeps_its_name_and_so_does_the_next_one() -> None:
    """The one that wanted the first one's name may be new, or be renamed itself."""
    observed = [Provider("1", "a"), Provider("2", "b"), Provider("p", "pool"), Provider("q", "c", "p")]
    native = [Provider("1", "c"), Provider("2", "a"), Provider("3", "b", "1")]
    host = adopted(native, observed)
    assert {provider.uuid: provider.name for provider in host.tree} == {"1": "a", "2": "b", "3": "b (3)"}
    assert [(taken.provider.uuid, taken.holder) for taken in host.names_taken] == [("1", "q"), ("2", "1"), ("3", "2")]


def test_the_name_of_what_is_about_to_be_deleted_is_free() -> None:
    observed = [NODE, GPU, Provider("g2", "host-gpu2", "n")]
    renamed = replace(GPU, name="host-gpu2")
    assert adopted([NODE, renamed], observed, {"g2": HERE}).tree == ProviderTree([NODE, renamed])
    # Unless others have put something below it: then it stays, and with it its name.
    kept = adopted([NODE, renamed], [*observed, Provider("r", "reservation", "g2")], {"g2": HERE})
    assert kept.tree["g"].name == "host-gpu"
    assert [taken.holder for taken in kept.names_taken] == ["g2"]
    # Or somebody uses it, or what is below it.
    core = Provider("c", "core", "g2")
    for used in ({"g2"}, {"c"}):
        kept = adopted([NODE, renamed], [*observed, core], {"g2": HERE, "c": HERE}, used | {"n", "elsewhere"})
        assert kept.tree == ProviderTree([NODE, GPU])


def test_what_others_put_below_is_there_without_what_the_agent_added_to_it() -> None:
    guest = Provider("r", "reservation", "n", {"CUSTOM_SLOT": Inventory(1)}, frozenset({"T"}), frozenset({"rack"}))
    observed = replace(
        guest,
        inventories={**guest.inventories, "CUSTOM_LLC": Inventory(2)},
        traits=guest.traits | {"CUSTOM_RED"},
        aggregates=guest.aggregates | {"row"},
    )
    origin = Origin("here", False, {"CUSTOM_LLC": "file:a"}, {"CUSTOM_RED": "file:a"}, {"row": "driver:static"})
    # Whoever added it: since the node is here, its tree is this host's business.
    for host in ("here", "elsewhere"):
        found = adopted([NODE], [NODE, observed, Provider("far", "away")], {"r": replace(origin, host=host)})
        assert found.tree == ProviderTree([NODE, guest])
        assert found.native == {"n"}


def test_what_an_agent_made_and_the_host_reports_no_more_is_there_only_as_long_as_others_need_it() -> None:
    numa, guest = Provider("m", "host-numa", "n"), Provider("r", "reservation", "m")
    assert "m" not in adopted([NODE], [NODE, numa], {"m": HERE}).tree
    assert "m" not in adopted([NODE], [NODE, numa], {"m": ELSEWHERE}).tree
    assert list(adopted([NODE], [NODE, numa, guest], {"m": HERE}).tree.below("n")) == [NODE, numa, guest]


@effort(100)
@given(trees(), trees(), st.dictionaries(st.sampled_from(UUIDS), st.sampled_from([HERE, ELSEWHERE])))
def test_everything_that_is_reported_is_there_once_with_its_relations(
    native: ProviderTree, observed: ProviderTree, origins: dict[str, Origin]
) -> None:
    host = adopted(list(native), list(observed), origins)
    assert len(host.native) == len(native)
    renamed = {taken.provider.uuid: taken for taken in host.names_taken}
    uuids = {}
    for provider in native:
        found = next(
            found
            for found in host.tree
            if found.uuid in host.native
            and provider.name == (renamed[found.uuid].provider.name if found.uuid in renamed else found.name)
        )
        uuids[provider.uuid] = found.uuid
        assert found.parent_uuid == (None if provider.parent_uuid is None else uuids[provider.parent_uuid])
        assert (found.inventories, found.traits, found.aggregates) == (
            provider.inventories,
            provider.traits,
            provider.aggregates,
        )
        assert found.uuid == provider.uuid or observed[found.uuid].name == provider.name
    assert host.nodes == {uuids[root.uuid] for root in native.roots()}

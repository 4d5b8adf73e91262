"""Nodes that move from host to host, as bare-metal nodes do, take nothing along but what others gave them."""

from __future__ import annotations

from dataclasses import replace

from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.origin import Origin
from tests.hosts.in_step import DRIVER, FILE, GUEST, LLC, NODE, NUMA, Placement, record, with_more


def test_a_node_that_moves_has_what_its_new_host_gives_it_and_keeps_what_others_did() -> None:
    placement = Placement()
    placement.step(NODE, NUMA, files=[record(inventories=LLC, traits=["CUSTOM_RED"])], host="a")
    placement.others_set(with_more(placement.tree["n"], traits=["CUSTOM_THEIRS"]))
    bare = replace(NODE, traits=frozenset(), aggregates=frozenset())

    placement.step(bare, files=[record(traits=["CUSTOM_BLUE"])], host="b")
    assert placement.tree == ProviderTree([with_more(bare, traits=["CUSTOM_BLUE", "CUSTOM_THEIRS"])])
    assert placement.origins == {
        "n": Origin("b", True, {"VCPU": DRIVER}, {"CUSTOM_BLUE": FILE}),
    }

    at_b = replace(placement)
    placement.step(files=[record(inventories=LLC)], host="a")  # which has it no more, and leaves it alone
    assert placement == at_b

    placement.step(NODE, NUMA, host="a")
    assert placement.tree == ProviderTree([with_more(NODE, traits=["CUSTOM_THEIRS"]), NUMA])
    assert {origin.host for origin in placement.origins.values()} == {"a"}
    placement.step(host="b")
    placement.step(host="a")
    assert placement == Placement()


def test_what_the_former_hosts_files_gave_to_guests_goes_as_well() -> None:
    placement = Placement()
    placement.step(NODE, NUMA, host="a")
    placement.others_set(GUEST)
    placement.step(NODE, NUMA, files=[record("r", LLC)], host="a")
    placement.step(NODE, NUMA, host="b")
    assert placement.tree == ProviderTree([NODE, NUMA, GUEST])
    assert placement.origins.keys() == {"n", "m"}


def test_other_hosts_and_what_nobody_reports_are_left_alone() -> None:
    placement = Placement(ProviderTree([Provider("pool", "pool")]))
    placement.step(NODE, NUMA, host="a")
    placement.others_set(GUEST)
    before = replace(placement)
    placement.step(Provider("o", "other"), host="b")
    placement.step(host="b")
    assert placement == before

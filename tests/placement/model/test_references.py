"""What keeps contents from being a ledger."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.placement.model.contents import Contents, HeldConsumer, HeldProvider
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.references import problems

HOST = HeldProvider("host", "the-host", 1, None, {"VCPU": Inventory(8)}, frozenset({"HW_CPU_X86_AVX"}), frozenset())
CELL = HeldProvider("cell", "its-cell", 1, "host", {"CUSTOM_FPGA": Inventory(2)}, frozenset(), frozenset())
SERVER = HeldConsumer("server", 1, "project", "user", None, {"host": {"VCPU": 2}, "cell": {"CUSTOM_FPGA": 1}})


def ledger(*providers: HeldProvider, consumer: HeldConsumer = SERVER) -> Contents:
    names = frozenset({"CUSTOM_FPGA"})
    return Contents(names, frozenset(), {each.uuid: each for each in providers}, {consumer.uuid: consumer})


def test_what_holds_together_has_none_and_standard_names_need_not_be_among_it() -> None:
    assert list(problems(ledger(HOST, CELL))) == []


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (ledger(HOST, replace(CELL, parent_uuid="gone")), "The parent gone of the provider cell is not there."),
        (
            ledger(replace(HOST, inventories={**HOST.inventories, "VCPUS": Inventory(1)}), CELL),
            "The resource class VCPUS of the provider host is not among the names.",
        ),
        (
            ledger(replace(HOST, traits=frozenset({"CUSTOM_GOLD"})), CELL),
            "The trait CUSTOM_GOLD of the provider host is not among the names.",
        ),
        (ledger(HOST), "The consumer server holds something of the provider cell, which is not there."),
        (
            ledger(replace(HOST, inventories={}), CELL),
            "The consumer server holds VCPU of the provider host, which has no such inventory.",
        ),
        (ledger(HOST, replace(CELL, name="the-host")), "The name the-host is that of 2 providers."),
        (
            replace(ledger(HOST, CELL), consumers={"another": SERVER}),
            "The consumer server stands in the place of another.",
        ),
    ],
)
def test_what_does_not_hold_together_is_named(broken: Contents, told: str) -> None:
    assert list(problems(broken)) == [told]


def test_a_circle_of_providers_has_no_root() -> None:
    assert list(problems(ledger(replace(HOST, parent_uuid="cell"), CELL))) == [
        "No root is above the provider host, whose parent is cell.",
        "No root is above the provider cell, whose parent is host.",
    ]

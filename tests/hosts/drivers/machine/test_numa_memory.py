"""NUMA nodes whose memory is not that of the machine."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.drivers.machine.facts import Machine, NumaNode
from moorage.hosts.drivers.machine.numa_memory import disagreement, within
from moorage.hosts.drivers.machine.policy import Policy
from moorage.hosts.drivers.machine.providers import native_providers

UUID = "2b1f0f0e-9c9e-4f7a-8a53-0f3c5c1c7d11"


def nodes(*megabytes: int) -> tuple[NumaNode, ...]:
    return tuple(NumaNode(number, frozenset({number}), size) for number, size in enumerate(megabytes))


@pytest.mark.parametrize(
    ("machine", "parts", "offered", "is_told"),
    [
        (1000, (500, 500), 1000, False),
        # Rounded, or without the kernel's own.
        (1000, (500, 491), 991, False),
        (1000, (505, 500), 1000, False),
        # Memory that belongs to no node.
        (24103, (8792,), 8792, True),
        # A container.
        (2048, (8192, 8192), 2048, True),
    ],
)
@pytest.mark.parametrize("numa", [True, False])
def test_the_lesser_amount_is_offered(
    machine: int, parts: tuple[int, ...], offered: int, *, is_told: bool, numa: bool
) -> None:
    cpus = frozenset(range(len(parts)))
    found = Machine(cpus, machine, None, frozenset(), nodes(*parts), ())
    native = native_providers(found, Policy(numa=numa), UUID, "host")
    totals = [each.inventories["MEMORY_MB"].total for each in native.tree if "MEMORY_MB" in each.inventories]
    assert sum(totals) == (offered if numa else machine)
    assert bool(native.remarks) == (is_told and numa)


def test_what_is_told() -> None:
    assert disagreement(nodes(8192, 8192), 2048) == (
        "The NUMA nodes have 16384 MiB of memory together, the machine has 2048 MiB: 2048 MiB are offered."
    )


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=8), st.integers(0, 10**7))
def test_no_node_gets_more_than_it_has_and_all_together_as_much_as_there_is(sizes: list[int], machine: int) -> None:
    found = within(nodes(*sizes), machine)
    assert all(node.memory_mb <= size for node, size in zip(found, sizes, strict=True))
    assert sum(node.memory_mb for node in found) == min(machine, sum(sizes))

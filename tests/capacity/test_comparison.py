"""A cloud before and after a change: nothing that has no place or does not count goes without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.capacity.comparison import Comparison, compare
from moorage.capacity.errors import FailingHypervisors
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import Demand
from moorage.capacity.model.hypervisor import Hypervisor, Inventory
from moorage.capacity.what_if import with_copies, without
from tests.capacity.small_cloud import SHADOWING, host, snapshot

BROKEN = replace(host("broken"), problem="Nobody knows it.")
TWO = snapshot({"north": (host("a"), host("b"))}, {("instances_big", "north"): Demand(12)})


def without_hosts(given: Snapshot, *names: str) -> Snapshot:
    return replace(given, cloud=without(given.cloud, names))


def with_more_of(given: Snapshot, name: str, count: int = 3) -> Snapshot:
    return replace(given, cloud=with_copies(given.cloud, name, count))


def skipping(given: Snapshot) -> Snapshot:
    selection = replace(given.configuration.hypervisor_selection, skip_failing=True)
    return replace(given, configuration=replace(given.configuration, hypervisor_selection=selection))


def cores(found: Comparison) -> tuple[int, int]:
    [difference] = [each for each in found.differences if each.resource == "cores"]
    return difference.before, difference.after


def test_what_finds_no_place_after_the_change_is_told() -> None:
    assert compare(TWO, TWO).unplaced == ()
    [unplaced] = compare(TWO, without_hosts(TWO, "b")).unplaced
    assert (unplaced.flavor, unplaced.zone, unplaced.demand, unplaced.count) == ("big", "north", "usage", 2)


def test_what_stops_a_report_may_be_taken_away() -> None:
    given = snapshot({"north": (host("a"), BROKEN)}, {})
    found = compare(given, without_hosts(given, "broken"))
    assert cores(found) == (0, 0)  # split flavors fill all of it
    [big] = [each for each in found.differences if each.resource == "instances_big"]
    assert (big.before, big.after) == (10, 10)
    assert found.left_out == ()
    [sentence] = found.left_out_before
    assert "broken" in sentence
    assert "Nobody knows it." in sentence


def test_what_stops_the_report_after_the_change_is_told_once_and_not_for_each_copy() -> None:
    given = snapshot({"north": (host("a"), BROKEN)}, {})
    with pytest.raises(FailingHypervisors, match=r"^The capacity of 1 hypervisor cannot be told") as refused:
        compare(given, with_more_of(given, "broken"))
    assert "broken+1" not in str(refused.value)


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (replace(host("odd"), service_host="elsewhere"), "it has no aggregate or zone."),
        (replace(host("odd"), hypervisor_type="ironic"), "hypervisor_selection leaves it out."),
        (host("odd", SHADOWING), "it is shadowed, and of such a one only what is used counts."),
        (
            replace(host("odd"), inventories={**host("odd").inventories, "DISK_GB": Inventory(0)}),
            "it has no cores, no RAM or no disk of its own.",
        ),
        (replace(host("odd"), problem="Nobody knows it."), "Nobody knows it. Every hypervisor in Nova needs"),
    ],
)
def test_more_of_what_does_not_count_is_told(odd: Hypervisor, why: str) -> None:
    given = skipping(snapshot({"north": (host("a"), host("odd"))}, {}))
    selection = replace(given.configuration.hypervisor_selection, hypervisor_type_pattern="QEMU")
    given = replace(
        given,
        cloud=replace(given.cloud, hypervisors=(host("a"), odd)),
        configuration=replace(given.configuration, hypervisor_selection=selection),
    )

    found = compare(given, with_more_of(given, "odd"))

    told = [sentence for sentence in found.left_out if sentence.startswith("More of odd change nothing: ")]
    assert [why in sentence for sentence in told] == [True]
    assert not any("+" in sentence for sentence in found.left_out)
    assert found.left_out_before == ()
    assert not any("change nothing" in sentence for sentence in compare(given, with_more_of(given, "a")).left_out)

"""The same cloud with another flavor: it shows in a report, or somebody says why it would not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moorage.capacity.model.cloud import Cloud
from moorage.capacity.model.configuration import FlavorSelection
from moorage.capacity.model.flavor import Flavor
from moorage.capacity.what_if import UnknownHypervisor, with_copies, with_flavor, without
from moorage.service.errors import OperatorError
from tests.capacity.small_cloud import host

PICKY = {"quota:separate": "true", "trait:FAST": "required"}
CLOUD = Cloud(
    flavors=(
        Flavor(id="7", name="big", vcpus=8, ram_mib=8192, disk_gib=8, extra_specs=PICKY),
        Flavor(
            id="8", name="metal", vcpus=8, ram_mib=8, disk_gib=8, extra_specs={"capabilities:hypervisor_type": "ironic"}
        ),
        Flavor(id="9", name="small", vcpus=1, ram_mib=1, disk_gib=1),
    )
)


def test_a_flavor_that_is_not_there_comes_last() -> None:
    [*others, huge] = with_flavor(CLOUD, "huge", 64, 65536, 100).flavors
    assert others == list(CLOUD.flavors)
    assert huge == Flavor(
        id="huge", name="huge", vcpus=64, ram_mib=65536, disk_gib=100, extra_specs={"quota:separate": "true"}
    )


def test_a_flavor_of_another_size_keeps_its_instances_and_what_it_asks_for() -> None:
    [big, *others] = with_flavor(CLOUD, "big", 16, 16384, 16).flavors
    assert big == Flavor(id="7", name="big", vcpus=16, ram_mib=16384, disk_gib=16, extra_specs=PICKY)
    assert others == list(CLOUD.flavors[1:])


@pytest.mark.parametrize(
    ("name", "selection", "told"),
    [
        ("big one", FlavorSelection(), "big one would not be counted by itself: its name is not made of letters"),
        ("huge", FlavorSelection(required_extra_specs={"vmware:use": "yes"}), "flavor_selection asks for extra specs"),
        ("huge", FlavorSelection(excluded_extra_specs={"quota:separate": "true"}), "or excludes one that it has"),
        ("metal", FlavorSelection(), "is one of bare metal"),
        ("small", FlavorSelection(), "^The flavor small is there and pooled: .* Give the split flavor another name.$"),
    ],
)
def test_a_flavor_that_would_not_count_is_refused(name: str, selection: FlavorSelection, told: str) -> None:
    with pytest.raises(OperatorError, match=told):
        with_flavor(CLOUD, name, 64, 65536, 100, selection)


def test_a_selected_flavor_may_change_its_size() -> None:
    selection = FlavorSelection(required_extra_specs={"trait:FAST": "required"})
    assert with_flavor(CLOUD, "big", 16, 16384, 16, selection).flavors[0].vcpus == 16


def test_a_hypervisor_that_is_not_there_is_told_beside_those_that_are() -> None:
    with pytest.raises(UnknownHypervisor, match=r"^There is no hypervisor a. There are none at all.$"):
        with_copies(CLOUD, "a", 1)
    with pytest.raises(UnknownHypervisor, match=r"^There is no hypervisor a. There are 1, such as b.$"):
        without(replace(CLOUD, hypervisors=(host("b"),)), ["a"])

"""From flavor and image to a query, without any conditions on aggregates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.placing.refusals import (
    ContradictoryTraits,
    MalformedExtraSpec,
    MalformedImageTrait,
    MissingGroupPolicy,
    NothingRequested,
    NothingUnnumbered,
    UnservedGroup,
)
from tests.compute.placing.examples import request, uuid_of
from tests.properties import effort

NO_SIZES = {"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources:DISK_GB": "0"}
EVERYWHERE = [("limit", "1000"), ("root_required", "COMPUTE_NODE,!COMPUTE_STATUS_DISABLED")]
SIZES = ("resources", "DISK_GB:20,MEMORY_MB:2048,VCPU:2")

trait_sets = st.frozensets(st.sampled_from(["CUSTOM_A", "CUSTOM_B", "CUSTOM_C", "HW_CPU_X86_AVX2"]))


def required(traits: frozenset[str], value: str = "required") -> dict[str, str]:
    return {f"trait:{trait}": value for trait in traits}


class TestTheQuery:
    def test_a_plain_flavor_asks_for_its_sizes_on_compute_nodes_that_are_enabled(self) -> None:
        assert request().pairs() == sorted([*EVERYWHERE, SIZES])

    def test_traits_that_are_required_come_before_those_that_are_forbidden(self) -> None:
        specs = {"trait:CUSTOM_Z": "required", "trait:CUSTOM_B": "forbidden", "trait:CUSTOM_A": "required"}
        assert request(specs).pairs() == sorted([*EVERYWHERE, SIZES, ("required", "CUSTOM_A,CUSTOM_Z,!CUSTOM_B")])

    def test_groups_are_told_apart_by_their_suffixes(self) -> None:
        specs = {
            "resources1:VGPU": "1",
            "trait1:CUSTOM_FAST": "required",
            "resources_nic:SRIOV_NET_VF": "2",
            "trait_nic:CUSTOM_OLD": "forbidden",
            "group_policy": "isolate",
        }
        assert request(specs).pairs() == [
            ("group_policy", "isolate"),
            ("limit", "1000"),
            ("required1", "CUSTOM_FAST"),
            ("required_nic", "!CUSTOM_OLD"),
            SIZES,
            ("resources1", "VGPU:1"),
            ("resources_nic", "SRIOV_NET_VF:2"),
            EVERYWHERE[1],
        ]

    def test_a_single_host_is_asked_for_by_its_tree(self) -> None:
        assert ("in_tree", uuid_of("cn1")) in request().at_host(uuid_of("cn1")).pairs()

    def test_where_nothing_is_unnumbered_a_numbered_group_names_the_tree(self) -> None:
        wanted = request({**NO_SIZES, "resources1:VGPU": "1"}).at_host(uuid_of("cn1"))
        assert wanted.pairs() == sorted([*EVERYWHERE, ("resources1", "VGPU:1"), ("in_tree1", uuid_of("cn1"))])

    def test_a_server_group_looks_at_all_candidates(self) -> None:
        assert request().without_limit().pairs() == sorted([EVERYWHERE[1], SIZES])


class TestTraitsOfFlavorAndImage:
    @effort(100)
    @given(trait_sets, trait_sets)
    def test_they_are_joined(self, of_flavor: frozenset[str], of_image: frozenset[str]) -> None:
        wanted = request(required(of_flavor), required(of_image))
        assert wanted.required_traits == of_flavor | of_image
        listed = dict(wanted.pairs()).get("required", "")
        assert listed == ",".join(sorted(of_flavor | of_image))

    @effort(100)
    @given(trait_sets, trait_sets)
    def test_what_one_forbids_the_other_may_not_require(
        self, of_flavor: frozenset[str], of_image: frozenset[str]
    ) -> None:
        if both := of_flavor & of_image:
            with pytest.raises(ContradictoryTraits) as refusal:
                request(required(of_flavor, "forbidden"), required(of_image))
            assert refusal.value.traits == tuple(sorted(both))
        else:
            assert request(required(of_flavor, "forbidden"), required(of_image)).required_traits == of_image

    def test_a_contradiction_names_both_sides(self) -> None:
        with pytest.raises(ContradictoryTraits) as refusal:
            request({"trait:CUSTOM_A": "forbidden"}, {"trait:CUSTOM_A": "required"})
        assert 'image "debian" requires what the flavor "small" forbids: trait:CUSTOM_A' in str(refusal.value)

    def test_what_a_numbered_group_forbids_is_no_contradiction(self) -> None:
        specs = {"resources1:VGPU": "1", "trait1:CUSTOM_A": "forbidden"}
        pairs = dict(request(specs, {"trait:CUSTOM_A": "required"}).pairs())
        assert (pairs["required"], pairs["required1"]) == ("CUSTOM_A", "!CUSTOM_A")

    def test_traits_of_an_image_never_go_to_a_numbered_group(self) -> None:
        specs = {"resources1:VGPU": "1", "trait1:CUSTOM_B": "required"}
        pairs = dict(request(specs, {"trait:CUSTOM_A": "required"}).pairs())
        assert (pairs["required"], pairs["required1"]) == ("CUSTOM_A", "CUSTOM_B")

    def test_those_of_all_groups_stay_on_record(self) -> None:
        specs = {"resources1:VGPU": "1", "trait1:CUSTOM_B": "required", "trait:CUSTOM_C": "required"}
        wanted = request({**specs, "trait:CUSTOM_D": "forbidden"}, {"trait:CUSTOM_A": "required"})
        assert wanted.required_traits == {"CUSTOM_A", "CUSTOM_B", "CUSTOM_C"}


class TestRefusals:
    def test_extra_specs_that_cannot_be_read(self) -> None:
        with pytest.raises(MalformedExtraSpec, match='"trait:CUSTOM_A" = "maybe"'):
            request({"trait:CUSTOM_A": "maybe"})

    def test_an_image_that_says_more_than_required(self) -> None:
        with pytest.raises(MalformedImageTrait, match='"trait:CUSTOM_A" = "forbidden"'):
            request(properties={"trait:CUSTOM_A": "forbidden"})

    def test_a_flavor_that_asks_for_nothing(self) -> None:
        with pytest.raises(NothingRequested, match='"small" asks for no resources'):
            request(NO_SIZES)

    def test_traits_for_a_group_without_resources(self) -> None:
        with pytest.raises(UnservedGroup, match="resources1:CLASS is needed"):
            request({"trait1:CUSTOM_A": "required"})

    @pytest.mark.parametrize(
        ("specs", "properties"),
        [
            ({"trait:CUSTOM_A": "required"}, {}),
            ({"trait:CUSTOM_A": "forbidden"}, {}),
            ({}, {"trait:CUSTOM_A": "required"}),
        ],
    )
    def test_traits_without_unnumbered_resources(self, specs: dict[str, str], properties: dict[str, str]) -> None:
        with pytest.raises(NothingUnnumbered, match="the traits CUSTOM_A"):
            request({**NO_SIZES, "resources1:VGPU": "1", **specs}, properties)

    def test_several_numbered_groups_without_a_policy(self) -> None:
        with pytest.raises(MissingGroupPolicy, match=r"\(1, 2\) and no group_policy"):
            request({"resources1:VGPU": "1", "resources2:VGPU": "1"})

    def test_a_group_of_which_nothing_is_left_needs_no_policy(self) -> None:
        pairs = dict(request({"resources1:VGPU": "1", "resources2:VGPU": "0"}).pairs())
        assert pairs["resources1"] == "VGPU:1"
        assert "resources2" not in pairs

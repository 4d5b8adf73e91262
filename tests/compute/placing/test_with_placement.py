"""What the queries bring, from Moorage's Placement and from upstream's."""

from __future__ import annotations

from random import Random

import pytest

from moorage.client.errors import Refused
from moorage.compute.placing.rebuild import check_rebuild
from moorage.compute.placing.refusals import ForeignHost, MissingTraits
from moorage.compute.placing.settings import PlacingSettings, Weigher
from moorage.compute.placing.weighing import weighed
from tests.compute.placing.cloud import SHARING, Cloud
from tests.compute.placing.examples import HARBOUR, flavor, image

SIZE = {"VCPU": 8, "MEMORY_MB": 16384}
RESERVATIONS = PlacingSettings(
    required_member_prefix="reservation:", default_forbidden_member_prefixes=("reservation:",)
)
LICENSES = PlacingSettings(required_member_prefix="license:", default_forbidden_member_prefixes=("license:",))


class TestReservations:
    """The flow of the document about forbidden aggregates, from the settings to the servers."""

    def test_reserved_hosts_are_for_servers_with_the_reservation_only(self, cloud: Cloud) -> None:
        # 0. The operator sets both prefixes.
        cloud.settings = RESERVATIONS
        for name in ("cn1", "cn2", "cn3"):
            cloud.add_host(name, SIZE)
        assert cloud.hosts() == {"cn1", "cn2", "cn3"}
        # 1. Hosts are put into the free pool.
        cloud.group("free pool", {"reservation:": ""}, "cn1", "cn2")
        assert cloud.hosts() == {"cn3"}
        # 2. A user reserves one of them.
        cloud.group("free pool", {"reservation:": ""}, "cn2")
        cloud.group("reserved", {"reservation:123": ""}, "cn1")
        # 3. Who has the reservation goes there, by flavor or by image.
        assert cloud.hosts({"reservation:123": ""}) == {"cn1"}
        assert cloud.hosts({}, {"reservation:123": ""}) == {"cn1"}
        # 4. Who has none goes elsewhere.
        assert cloud.hosts() == {"cn3"}

    def test_a_host_that_stays_in_the_pool_serves_its_reservation_too(self, cloud: Cloud) -> None:
        cloud.settings = RESERVATIONS
        cloud.add_host("cn1", SIZE)
        cloud.group("free pool", {"reservation:": ""}, "cn1")
        cloud.group("reserved", {"reservation:123": ""}, "cn1")
        assert cloud.hosts({"reservation:123": ""}) == {"cn1"}
        assert cloud.hosts({}, {"reservation:123": ""}) == {"cn1"}
        assert cloud.hosts() == set()


class TestTreesAndSharedStorage:
    """The picture of the same document: two nodes with two NUMA nodes each; one node shares a storage."""

    @pytest.fixture
    def cloud(self, cloud: Cloud) -> Cloud:
        for number in ("1", "2"):
            cloud.add_host(f"cn{number}", {})
            for numa in ("1", "2"):
                cloud.add(f"numa{number}_{numa}", SIZE, {"HW_NUMA_ROOT"}, parent=f"cn{number}")
        cloud.add("ss1", {"DISK_GB": 1000}, {SHARING})
        cloud.group("A", {"license:windows": ""}, "cn1")
        cloud.group("B", {"reservation:b": ""}, "cn2", "ss1")
        return cloud

    def test_the_host_of_a_candidate_is_the_root_of_its_tree(self, cloud: Cloud) -> None:
        assert cloud.hosts() == {"cn1", "cn2"}

    def test_a_forbidden_aggregate_of_the_root_closes_the_whole_tree(self, cloud: Cloud) -> None:
        cloud.settings = PlacingSettings(default_forbidden_member_prefixes=("license:",))
        assert cloud.hosts() == {"cn2"}
        cloud.settings = PlacingSettings(default_forbidden_member_prefixes=("reservation:",))
        assert cloud.hosts() == {"cn1"}
        cloud.settings = PlacingSettings(default_forbidden_member_prefixes=("reservation:", "license:"))
        assert cloud.hosts() == set()

    def test_who_is_let_in_gets_the_shared_storage_too(self, cloud: Cloud) -> None:
        cloud.settings = RESERVATIONS
        found = cloud.candidates(cloud.request({"reservation:b": ""}, disk_gb=10))
        assert {cloud.name_of(candidate.host) for candidate in found} == {"cn2"}
        assert all(candidate.allocations[cloud.uuids["ss1"]] == {"DISK_GB": 10} for candidate in found)
        assert cloud.hosts(disk_gb=10) == set()

    def test_numbered_groups_get_a_provider_each(self, cloud: Cloud) -> None:
        specs = {"resources:MEMORY_MB": "0", "resources1:VCPU": "8", "resources2:VCPU": "8"}
        found = cloud.candidates(cloud.request({**specs, "group_policy": "isolate"}))
        assert {cloud.name_of(candidate.host) for candidate in found} == {"cn1", "cn2"}
        for candidate in found:
            assert set(candidate.mappings) == {"", "1", "2"}
            assert candidate.mappings["1"] != candidate.mappings["2"]

    def test_one_host_is_asked_for_by_its_tree(self, cloud: Cloud) -> None:
        found = cloud.candidates(cloud.request().at_host(cloud.uuids["cn2"]))
        assert {cloud.name_of(candidate.host) for candidate in found} == {"cn2"}


class TestTraits:
    @pytest.fixture
    def cloud(self, cloud: Cloud) -> Cloud:
        cloud.add_host("plain", SIZE)
        cloud.add_host("fast", SIZE, {"HW_CPU_X86_AVX2"})
        cloud.add_host("trusted", SIZE, {"HW_CPU_X86_AVX2", "CUSTOM_TRUSTED_HOST"})
        cloud.add_host("disabled", SIZE, {"HW_CPU_X86_AVX2", "CUSTOM_TRUSTED_HOST", "COMPUTE_STATUS_DISABLED"})
        return cloud

    def test_disabled_hosts_get_no_servers(self, cloud: Cloud) -> None:
        assert cloud.hosts() == {"plain", "fast", "trusted"}

    def test_flavor_and_image_require_together(self, cloud: Cloud) -> None:
        by_flavor, by_image = {"trait:HW_CPU_X86_AVX2": "required"}, {"trait:CUSTOM_TRUSTED_HOST": "required"}
        assert cloud.hosts(by_flavor) == {"fast", "trusted"}
        assert cloud.hosts({}, by_image) == {"trusted"}
        assert cloud.hosts(by_flavor, by_image) == {"trusted"}

    def test_a_flavor_forbids(self, cloud: Cloud) -> None:
        assert cloud.hosts({"trait:CUSTOM_TRUSTED_HOST": "forbidden"}) == {"plain", "fast"}

    def test_a_trait_that_nobody_has_made_is_an_error(self, cloud: Cloud) -> None:
        with pytest.raises(Refused, match="No such trait"):
            cloud.hosts({"trait:CUSTOM_NOBODY_HAS_MADE_THIS": "required"})

    def test_isolated_hosts_are_for_those_that_require_their_trait(self, cloud: Cloud) -> None:
        cloud.settings = PlacingSettings(isolate_aggregates=True)
        cloud.group("trusted hosts", {"trait:CUSTOM_TRUSTED_HOST": "required"}, "trusted")
        assert cloud.hosts() == {"plain", "fast"}
        assert cloud.hosts({}, {"trait:CUSTOM_TRUSTED_HOST": "required"}) == {"trusted"}


class TestWeighing:
    def test_servers_are_spread_or_packed(self, cloud: Cloud) -> None:
        cloud.add_host("cn1", SIZE)
        cloud.add_host("cn2", SIZE)
        request = cloud.request()
        (first,) = (each for each in cloud.candidates(request) if each.host == cloud.uuids["cn1"])
        cloud.claim(first)
        order = {
            weigher: [cloud.name_of(each.host) for each in weighed(cloud.candidates(request), weigher, Random(1))]
            for weigher in Weigher
        }
        assert order == {Weigher.SPREAD: ["cn2", "cn1"], Weigher.PACK: ["cn1", "cn2"]}


class TestRebuild:
    OFFLOAD = image({"trait:CUSTOM_HW_NIC_OFFLOAD_XX": "required"})
    VIRTUAL_FUNCTION = {"resources1:SRIOV_NET_VF": "1"}  # noqa: RUF012 - nobody changes it

    @pytest.fixture
    def cloud(self, cloud: Cloud) -> Cloud:
        """One host with two network cards, of which one has offload."""
        cloud.add_host("cn1", {"VCPU": 2, "MEMORY_MB": 2048})
        cloud.add("plain card", {"SRIOV_NET_VF": 4}, {"HW_NIC_SRIOV"}, parent="cn1")
        cloud.add("card with offload", {"SRIOV_NET_VF": 4}, {"CUSTOM_HW_NIC_OFFLOAD_XX"}, parent="cn1")
        return cloud

    def server_with(self, cloud: Cloud, card: str) -> str:
        found = cloud.candidates(cloud.request(self.VIRTUAL_FUNCTION))
        server = cloud.claim(next(each for each in found if each.mappings["1"] == (cloud.uuids[card],)))
        assert cloud.hosts(self.VIRTUAL_FUNCTION) == set(), "the host is full"
        return server

    def test_a_virtual_function_of_the_plain_card_has_no_offload(self, cloud: Cloud) -> None:
        server = self.server_with(cloud, "plain card")
        with pytest.raises(MissingTraits, match="CUSTOM_HW_NIC_OFFLOAD_XX"):
            check_rebuild(
                flavor(self.VIRTUAL_FUNCTION),
                self.OFFLOAD,
                cloud.held_traits(server),
                "cn1",
                (),
                cloud.settings,
                HARBOUR,
            )

    def test_one_of_the_other_card_has_and_a_full_host_is_no_obstacle(self, cloud: Cloud) -> None:
        held = cloud.held_traits(self.server_with(cloud, "card with offload"))
        required = check_rebuild(flavor(self.VIRTUAL_FUNCTION), self.OFFLOAD, held, "cn1", (), cloud.settings, HARBOUR)
        assert required == {"CUSTOM_HW_NIC_OFFLOAD_XX"}

    def test_windows_hosts_are_for_windows(self, cloud: Cloud) -> None:
        cloud.settings = LICENSES
        cloud.add_host("cn2", SIZE)
        cloud.group("licensed", {"license:windows": ""}, "cn2")
        windows, linux = {"license:windows": "2030"}, {"os_type": "linux"}
        assert cloud.hosts({}, linux) == {"cn1"}
        (place,) = cloud.candidates(cloud.request({}, windows))
        assert cloud.name_of(place.host) == "cn2"
        held, aggregates = cloud.held_traits(cloud.claim(place)), tuple(cloud.host_aggregates.values())
        check_rebuild(flavor(), image(windows), held, "cn2", aggregates, LICENSES, HARBOUR)
        with pytest.raises(ForeignHost, match="may not be used on the host of the server"):
            check_rebuild(flavor(), image(linux), held, "cn2", aggregates, LICENSES, HARBOUR)

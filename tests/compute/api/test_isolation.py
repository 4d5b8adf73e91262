"""Which servers get to which hosts, as the metadata of aggregates say: tenants, traits, prefixes, zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from moorage.db.database import Database
from tests.client import upstream
from tests.client.conftest import http_client
from tests.compute.servers.yard import ADMIN, PROJECT, STRANGER, Yard, open_yard

TENANTS = {"scheduler.limit_tenants_to_placement_aggregate": True}
NO_TENANT_NO_HOST = {**TENANTS, "scheduler.placement_aggregate_required_for_tenants": True}
TRAITS = {"scheduler.enable_isolated_aggregate_filtering": True}
PREFIXES = {
    "scheduler.placement_req_required_member_prefix": "reservation:",
    "scheduler.placement_req_default_forbidden_member_prefix": ["reservation:", "license:"],
}


def with_hosts(database: Database, settings: Mapping[str, object], *names: str) -> Yard:
    yard = open_yard(database, settings=settings)
    for name in names:
        yard.host(name)
    return yard


def places(yard: Yard, flavor: str, image: str = "", number: int = 6, zone: str | None = None) -> set[str | None]:
    """Where so many servers go, which are spread over all hosts that they may use."""

    def place() -> str | None:
        server = yard.server(flavor, image, availability_zone=zone) if zone else yard.server(flavor, image)
        return yard.place_of(server)

    return {place() for _ in range(number)}


class TestTenants:
    @pytest.fixture
    def yard(self, database: Database) -> Yard:
        yard = with_hosts(database, TENANTS, "ours", "shared", "theirs", "open")
        yard.aggregate("ours", {"filter_tenant_id": PROJECT}, "ours")
        yard.aggregate("shared", {"filter_tenant_id_1": "elsewhere", "filter_tenant_id_2": f"x, {PROJECT}"}, "shared")
        yard.aggregate("theirs", {"filter_tenant_id": "elsewhere"}, "theirs")
        return yard

    def test_a_project_uses_what_is_set_aside_for_it_and_nothing_else(self, yard: Yard) -> None:
        assert places(yard, yard.flavor("small")) == {"ours", "shared"}

    def test_a_project_without_hosts_of_its_own_stays_off_those_of_others(self, yard: Yard) -> None:
        assert places(yard.by(STRANGER), yard.flavor("small")) == {"open"}

    def test_without_the_setting_hosts_are_for_all(self, database: Database) -> None:
        yard = with_hosts(database, {}, "theirs", "open")
        yard.aggregate("theirs", {"filter_tenant_id": "elsewhere"}, "theirs")
        assert places(yard, yard.flavor("small")) == {"theirs", "open"}

    def test_who_has_no_hosts_may_get_none_at_all(self, database: Database) -> None:
        yard = with_hosts(database, NO_TENANT_NO_HOST, "ours", "open")
        yard.aggregate("ours", {"filter_tenant_id": PROJECT}, "ours")
        flavor = yard.flavor("small")
        assert places(yard, flavor) == {"ours"}
        refused = yard.by(STRANGER).order(flavor)
        assert (refused.status, refused.message) == (
            400,
            "No hosts are set aside for the project tortuga, and it may use no others.",
        )
        assert yard.by(STRANGER).servers() == []


class TestTraits:
    WINDOWS, FAST = "trait:CUSTOM_WINDOWS", "trait:HW_CPU_X86_AVX2"

    @pytest.fixture
    def yard(self, database: Database) -> Yard:
        yard = open_yard(database, settings=TRAITS)
        yard.host("open")
        yard.host("windows", traits=["CUSTOM_WINDOWS"])
        yard.host("both", traits=["CUSTOM_WINDOWS", "HW_CPU_X86_AVX2"])
        yard.aggregate("for windows", {self.WINDOWS: "required"}, "windows")
        yard.aggregate("for both", {self.WINDOWS: "required", self.FAST: "required"}, "both")
        return yard

    def test_who_does_not_require_the_trait_stays_away(self, yard: Yard) -> None:
        assert places(yard, yard.flavor("small")) == {"open"}

    def test_who_requires_it_gets_there_by_flavor_or_by_image(self, yard: Yard) -> None:
        image = yard.image("windows", {self.WINDOWS: "required"})
        assert places(yard, yard.flavor("windows", {self.WINDOWS: "required"}), number=3) == {"windows"}
        assert places(yard, yard.flavor("small"), image, number=3) == {"windows"}

    def test_an_aggregate_that_demands_two_traits_is_for_those_who_require_both(self, yard: Yard) -> None:
        flavor = yard.flavor("fast", {self.FAST: "required"})
        assert places(yard, flavor, yard.image("w", {self.WINDOWS: "required"})) == {"both"}

    def test_any_other_value_demands_nothing(self, yard: Yard) -> None:
        yard.host("lax")
        yard.aggregate("lax", {"trait:CUSTOM_WINDOWS": "preferred"}, "lax")
        assert places(yard, yard.flavor("small")) == {"open", "lax"}

    def test_without_the_setting_nothing_is_closed(self, database: Database) -> None:
        yard = with_hosts(database, {}, "windows")
        yard.aggregate("for windows", {self.WINDOWS: "required"}, "windows")
        assert places(yard, yard.flavor("small")) == {"windows"}

    def test_a_server_is_not_rebuilt_with_an_image_that_has_no_business_there(self, yard: Yard) -> None:
        server = yard.server(yard.flavor("small"), yard.image("w", {self.WINDOWS: "required"}))
        assert yard.place_of(server) == "windows"
        refused = yard.act(server, "rebuild", {"imageRef": yard.image("linux")})
        assert refused.status == 409
        assert '"for windows" are closed' in refused.message


class TestSeveralPrefixes:
    @pytest.fixture
    def yard(self, database: Database) -> Yard:
        yard = with_hosts(database, PREFIXES, "open", "reserved", "licensed", "both")
        yard.aggregate("reserved", {"reservation:1": ""}, "reserved", "both")
        yard.aggregate("licensed", {"license:windows": "2030"}, "licensed", "both")
        return yard

    def test_each_prefix_is_lifted_by_keys_of_its_own(self, yard: Yard) -> None:
        assert places(yard, yard.flavor("plain")) == {"open"}
        # This prefix only lifts, so it opens the licensed hosts beside those that are open to all.
        assert places(yard, yard.flavor("w", {"license:windows": "yes"}), number=8) == {"open", "licensed"}
        # This one also requires.
        assert places(yard, yard.flavor("r", {"reservation:1": "yes"})) == {"reserved"}
        assert places(yard, yard.flavor("b", {"reservation:1": "", "license:windows": ""}), number=8) == {
            "reserved",
            "both",
        }

    def test_keys_of_flavor_and_image_count_together(self, yard: Yard) -> None:
        image = yard.image("windows", {"license:windows": "yes"})
        assert places(yard, yard.flavor("r", {"reservation:1": "yes"}), image, number=8) == {"reserved", "both"}

    def test_a_key_that_no_aggregate_has_lifts_a_prefix_for_flavors_and_not_for_images(self, yard: Yard) -> None:
        image = yard.image("pirated", {"license:beos": "yes"})
        assert places(yard, yard.flavor("plain"), image) == {"open"}
        assert places(yard, yard.flavor("any licence", {"license:": ""}), number=8) == {"open", "licensed"}

    def test_who_is_refused_hears_why(self, yard: Yard) -> None:
        yard.aggregate("more", {"license:more": ""}, "open")
        shown = yard.shown(yard.server(yard.flavor("plain")))
        assert shown["status"] == "ERROR"
        assert "aggregate" in shown["fault"]["message"]


class TestZones:
    @pytest.fixture
    def yard(self, database: Database) -> Yard:
        yard = with_hosts(database, PREFIXES, "north1", "north2", "south", "nowhere")
        yard.host("off", traits=["COMPUTE_STATUS_DISABLED"])
        for name, zone, host in (("n1", "north", "north1"), ("n2", "north", "north2"), ("s", "south", "south")):
            yard.aggregate(name, {"availability_zone": zone}, host)
        return yard

    def test_a_server_goes_to_the_zone_that_it_asks_for(self, yard: Yard) -> None:
        flavor = yard.flavor("small")
        assert places(yard, flavor, zone="north") == {"north1", "north2"}
        assert places(yard, flavor, zone="south") == {"south"}
        assert places(yard, flavor, zone="nova") == {"nowhere"}
        assert places(yard, flavor, number=12) == {"north1", "north2", "south", "nowhere"}

    def test_a_zone_that_there_is_not(self, yard: Yard) -> None:
        refused = yard.order(yard.flavor("small"), availability_zone="west")
        assert (refused.status, "west" in refused.message) == (400, True)
        assert yard.servers() == []

    def test_an_administrator_names_a_host_of_the_zone(self, yard: Yard) -> None:
        flavor = yard.flavor("small")
        assert yard.order(flavor, availability_zone="north:north2").status == 403
        server = yard.by(ADMIN).server(flavor, availability_zone="north:north2")
        assert yard.place_of(server) == "north2"

    def test_a_host_with_servers_stays_in_its_zone(self, yard: Yard) -> None:
        server = yard.server(yard.flavor("small"), availability_zone="south")
        west, others = yard.aggregate("w", {"availability_zone": "west"}), yard.aggregate("o", {}, "south", "nowhere")
        admin = yard.by(ADMIN)
        [south] = [one["id"] for one in admin.get("/os-aggregates")["aggregates"] if one["name"] == "s"]
        for path, body, status in (
            (f"/os-aggregates/{south}/action", {"remove_host": {"host": "south"}}, 409),
            (f"/os-aggregates/{south}/action", {"set_metadata": {"metadata": {"availability_zone": "west"}}}, 400),
            (f"/os-aggregates/{south}/action", {"set_metadata": {"metadata": {"availability_zone": None}}}, 400),
            (f"/os-aggregates/{west}/action", {"add_host": {"host": "south"}}, 409),
            (f"/os-aggregates/{others}/action", {"set_metadata": {"metadata": {"availability_zone": "west"}}}, 400),
        ):
            assert "south" in admin.refused(status, "POST", path, body)
        # The same zone by another aggregate, or another name of the aggregate, is no other zone.
        assert admin.send("POST", f"/os-aggregates/{others}/action", {"remove_host": {"host": "nowhere"}}).status == 200
        zone = {"aggregate": {"availability_zone": "south", "name": "again"}}
        assert admin.send("PUT", f"/os-aggregates/{others}", zone).status == 200
        assert admin.send("PUT", f"/os-aggregates/{south}", zone | {"aggregate": {"name": "s2"}}).status == 200
        assert yard.send("DELETE", f"/servers/{server}").status == 204
        assert admin.send("POST", f"/os-aggregates/{others}/action", {"remove_host": {"host": "south"}}).status == 200
        assert admin.send("POST", f"/os-aggregates/{south}/action", {"remove_host": {"host": "south"}}).status == 200

    def test_all_conditions_count_at_the_same_time(self, yard: Yard) -> None:
        yard.aggregate("reserved", {"reservation:1": ""}, "north1", "south")
        reserved = yard.flavor("r", {"reservation:1": ""})
        assert places(yard, reserved, zone="north", number=3) == {"north1"}
        assert places(yard, yard.flavor("plain"), zone="north", number=3) == {"north2"}


@pytest.fixture
def upstreams(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    settings = {**PREFIXES, **TENANTS, **TRAITS}
    with upstream.running_upstream(tmp_path_factory.mktemp("upstream")) as endpoint:
        yield open_yard(database, http_client(endpoint, upstream.ADMIN), settings)


def test_upstreams_placement_understands_it_all_as_well(upstreams: Yard) -> None:
    yard = upstreams
    for name in ("open", "reserved", "licensed", "theirs", "north"):
        yard.host(name)
    trusted = yard.host("trusted", {"VCPU": 8, "MEMORY_MB": 8192, "DISK_GB": 100}, ["CUSTOM_TRUSTED"])
    for card in ("a", "b"):
        yard.host(f"card_{card}", {"SRIOV_NET_VF": 1}, ["HW_NIC_SRIOV"], parent=trusted)
    yard.aggregate("reserved", {"reservation:1": ""}, "reserved")
    yard.aggregate("licensed", {"license:windows": ""}, "licensed")
    yard.aggregate("theirs", {"filter_tenant_id": "elsewhere"}, "theirs")
    yard.aggregate("north", {"availability_zone": "north"}, "north")
    yard.aggregate("trusted", {"trait:CUSTOM_TRUSTED": "required"}, "trusted")

    flavor = yard.flavor("small")
    assert places(yard, flavor, number=3) == {"open", "north"}
    assert places(yard, flavor, number=2, zone="north") == {"north"}
    assert places(yard, flavor, yard.image("r", {"reservation:1": ""}), number=2) == {"reserved"}
    assert "licensed" in places(yard, flavor, yard.image("w", {"license:windows": ""}), number=8)
    assert places(yard, flavor, yard.image("t", {"trait:CUSTOM_TRUSTED": "required"}), number=2) == {"trusted"}

    groups = {"resources1:SRIOV_NET_VF": "1", "resources_b:SRIOV_NET_VF": "1", "trait1:HW_NIC_SRIOV": "required"}
    specs = {**groups, "group_policy": "isolate", "trait:CUSTOM_TRUSTED": "required"}
    server = yard.server(yard.flavor("two cards", specs))
    assert yard.place_of(server) == "trusted"
    assert [amounts for amounts in yard.held(server).values() if "SRIOV_NET_VF" in amounts] == [{"SRIOV_NET_VF": 1}] * 2
    assert yard.shown(server)["status"] == "ACTIVE"
    assert yard.shown(yard.server(yard.flavor("two more cards", specs)))["status"] == "ERROR"

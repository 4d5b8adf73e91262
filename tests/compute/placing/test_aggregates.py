"""Isolation by traits, tenants and availability zones, as Nova's operators know them."""

from __future__ import annotations

import pytest

from moorage.compute.placing.refusals import NoAggregateForProject, UnknownAvailabilityZone
from moorage.compute.placing.settings import PlacingSettings
from tests.compute.placing.examples import aggregate, in_any_of, in_none_of, member_of, request


class TestIsolationByTraits:
    ON = PlacingSettings(isolate_aggregates=True)
    WINDOWS = aggregate("windows", {"trait:CUSTOM_WINDOWS": "required"})
    BOTH = aggregate("both", {"trait:CUSTOM_WINDOWS": "required", "trait:CUSTOM_SQL": "required"})
    OTHER = aggregate("other", {"trait:CUSTOM_FAST": "preferred", "ssd": "true"})
    ALL = (WINDOWS, BOTH, OTHER)

    def test_hosts_are_kept_for_servers_that_require_their_traits(self) -> None:
        assert member_of(request({}, {}, self.ALL, self.ON)) == [in_none_of("windows", "both")]

    def test_the_flavor_may_require_them(self) -> None:
        assert member_of(request({"trait:CUSTOM_WINDOWS": "required"}, {}, self.ALL, self.ON)) == [in_none_of("both")]

    def test_the_image_may_require_them(self) -> None:
        found = member_of(request({}, {"trait:CUSTOM_WINDOWS": "required"}, self.ALL, self.ON))
        assert found == [in_none_of("both")]

    def test_flavor_and_image_together(self) -> None:
        wanted = request({"trait:CUSTOM_WINDOWS": "required"}, {"trait:CUSTOM_SQL": "required"}, self.ALL, self.ON)
        assert member_of(wanted) == []

    def test_a_numbered_group_may_require_them(self) -> None:
        specs = {"resources1:VGPU": "1", "trait1:CUSTOM_WINDOWS": "required"}
        assert member_of(request(specs, {}, self.ALL, self.ON)) == [in_none_of("both")]

    def test_what_is_forbidden_is_not_required(self) -> None:
        found = member_of(request({"trait:CUSTOM_WINDOWS": "forbidden"}, {}, self.ALL, self.ON))
        assert found == [in_none_of("windows", "both")]

    def test_it_is_off_by_default(self) -> None:
        assert member_of(request({}, {}, self.ALL)) == []


class TestTenants:
    ON = PlacingSettings(limit_tenants=True)
    STRICT = PlacingSettings(limit_tenants=True, aggregate_required_for_tenants=True)
    OURS = aggregate("ours", {"filter_tenant_id": "harbour"})
    SHARED = aggregate("shared", {"filter_tenant_id1": "elsewhere", "filter_tenant_id2": "harbour"})
    LISTED = aggregate("listed", {"filter_tenant_id": "elsewhere, harbour"})
    THEIRS = aggregate("theirs", {"filter_tenant_id": "elsewhere"})
    OPEN = aggregate("open", {"ssd": "true"})

    def test_a_project_goes_to_the_aggregates_that_are_set_aside_for_it(self) -> None:
        aggregates = (self.OURS, self.SHARED, self.LISTED, self.THEIRS, self.OPEN)
        assert member_of(request({}, {}, aggregates, self.ON)) == [in_any_of("ours", "shared", "listed")]

    def test_one_that_has_none_stays_off_the_others(self) -> None:
        assert member_of(request({}, {}, (self.THEIRS, self.OPEN), self.ON)) == [in_none_of("theirs")]

    def test_or_gets_nothing_at_all(self) -> None:
        with pytest.raises(NoAggregateForProject, match="No hosts are set aside for the project harbour"):
            request({}, {}, (self.THEIRS, self.OPEN), self.STRICT)

    def test_the_strict_setting_lets_those_in_that_have_some(self) -> None:
        assert member_of(request({}, {}, (self.OURS, self.THEIRS), self.STRICT)) == [in_any_of("ours")]

    def test_it_is_off_by_default(self) -> None:
        strict_only = PlacingSettings(aggregate_required_for_tenants=True)
        for settings in (PlacingSettings(), strict_only):
            assert member_of(request({}, {}, (self.OURS, self.THEIRS), settings)) == []


class TestZones:
    NORTH = aggregate("north", {"availability_zone": "north"})
    NORTH_TOO = aggregate("north too", {"availability_zone": "north"})
    SOUTH = aggregate("south", {"availability_zone": "south"})
    ALL = (NORTH, NORTH_TOO, SOUTH, aggregate("none"))

    @pytest.mark.parametrize("zone", [None, ""])
    def test_who_does_not_ask_gets_any(self, zone: str | None) -> None:
        assert member_of(request({}, {}, self.ALL, zone=zone)) == []

    def test_who_asks_goes_to_an_aggregate_of_the_zone(self) -> None:
        assert member_of(request({}, {}, self.ALL, zone="north")) == [in_any_of("north", "north too")]

    def test_a_zone_that_is_not_there_is_refused(self) -> None:
        with pytest.raises(UnknownAvailabilityZone, match='no availability zone "west"'):
            request({}, {}, self.ALL, zone="west")

    def test_the_default_zone_is_where_no_other_is(self) -> None:
        assert member_of(request({}, {}, self.ALL, zone="nova")) == [in_none_of("north", "north too", "south")]


def test_all_conditions_hold_together() -> None:
    settings = PlacingSettings(
        limit_tenants=True,
        isolate_aggregates=True,
        required_member_prefix="license:",
        default_forbidden_member_prefixes=("reservation:",),
    )
    aggregates = (
        aggregate("north", {"availability_zone": "north"}),
        aggregate("ours", {"filter_tenant_id": "harbour"}),
        aggregate("licensed", {"license:windows": ""}),
        aggregate("reserved", {"reservation:1": ""}),
        aggregate("isolated", {"trait:CUSTOM_FAST": "required"}),
    )
    wanted = request({"license:windows": ""}, {}, aggregates, settings, "north")
    assert sorted(member_of(wanted)) == sorted(
        [in_any_of("north"), in_any_of("ours"), in_any_of("licensed"), in_none_of("reserved", "isolated")]
    )

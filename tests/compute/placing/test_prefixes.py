"""Keys of flavors and images that speak of aggregates: reservations, licences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.placing.refusals import NothingUnnumbered, UnknownMemberKey
from moorage.compute.placing.settings import PlacingSettings
from tests.compute.placing.examples import aggregate, in_any_of, in_none_of, member_of, request
from tests.properties import effort

RESERVED = PlacingSettings(required_member_prefix="reservation:", default_forbidden_member_prefixes=("reservation:",))
ONLY_REQUIRED = PlacingSettings(required_member_prefix="reservation:")
ONLY_FORBIDDEN = PlacingSettings(default_forbidden_member_prefixes=("reservation:",))

POOL = aggregate("free pool", {"reservation:": ""})
MINE = aggregate("mine", {"reservation:mine": ""})
THEIRS = aggregate("theirs", {"reservation:theirs": "", "filter_tenant_id": "elsewhere"})
PLAIN = aggregate("plain", {"ssd": "true", "my reservation:": "no"})
ALL = (POOL, MINE, THEIRS, PLAIN)

FLAVOR_AND_IMAGE = pytest.mark.parametrize("place", ["specs", "properties"])


def with_key(place: str, key: str, settings: PlacingSettings, aggregates: tuple[HostAggregate, ...] = ALL) -> list[str]:
    """What is asked about aggregates when a key is an extra spec of the flavor or a property of the image."""
    specs, properties = ({key: "yes"}, {}) if place == "specs" else ({}, {key: "yes"})
    return member_of(request(specs, properties, aggregates, settings))


class TestReservations:
    """The flow of the document about forbidden aggregates."""

    @FLAVOR_AND_IMAGE
    def test_who_has_a_reservation_goes_to_its_hosts(self, place: str) -> None:
        aggregates = (POOL, MINE, PLAIN)
        assert with_key(place, "reservation:mine", RESERVED, aggregates) == [in_any_of("mine")]

    def test_who_has_none_stays_off_all_reserved_hosts(self) -> None:
        assert member_of(request({}, {}, ALL, RESERVED)) == [in_none_of("free pool", "mine", "theirs")]

    @FLAVOR_AND_IMAGE
    def test_other_keys_are_no_reservation(self, place: str) -> None:
        assert with_key(place, "my reservation:mine", RESERVED) == [in_none_of("free pool", "mine", "theirs")]

    def test_without_settings_keys_mean_nothing(self) -> None:
        assert with_key("specs", "reservation:nobody", PlacingSettings()) == []

    def test_without_aggregates_nothing_is_forbidden(self) -> None:
        assert member_of(request({}, {}, (PLAIN,), RESERVED)) == []


class TestTheRequiredPrefix:
    def test_all_aggregates_with_that_very_key_will_do(self) -> None:
        second = aggregate("second", {"reservation:mine": "another value"})
        longer = aggregate("longer", {"reservation:mine2": ""})
        found = with_key("specs", "reservation:mine", ONLY_REQUIRED, (*ALL, second, longer))
        assert found == [in_any_of("mine", "second")]

    def test_each_of_several_keys_must_be_met(self) -> None:
        wanted = request({"reservation:mine": "", "reservation:": ""}, {}, ALL, ONLY_REQUIRED)
        assert member_of(wanted) == sorted([in_any_of("mine"), in_any_of("free pool")])

    def test_flavor_and_image_may_have_one_each(self) -> None:
        wanted = request({"reservation:mine": ""}, {"reservation:": ""}, ALL, ONLY_REQUIRED)
        assert member_of(wanted) == sorted([in_any_of("mine"), in_any_of("free pool")])

    def test_it_closes_nothing_by_itself(self) -> None:
        assert member_of(request({}, {}, ALL, ONLY_REQUIRED)) == []

    @FLAVOR_AND_IMAGE
    def test_a_key_that_no_aggregate_has_is_refused(self, place: str) -> None:
        with pytest.raises(UnknownMemberKey, match='has the metadata key "reservation:nobody" that'):
            with_key(place, "reservation:nobody", RESERVED)

    def test_an_operator_s_flavor_leads_anywhere(self) -> None:
        assert with_key("specs", "reservation:theirs", RESERVED) == [in_any_of("theirs")]

    def test_an_image_leads_nobody_to_hosts_of_others(self) -> None:
        with pytest.raises(UnknownMemberKey, match="No host aggregate that is open to the project harbour"):
            with_key("properties", "reservation:theirs", RESERVED)

    def test_an_image_leads_to_those_aggregates_with_the_key_that_are_open(self) -> None:
        open_one = aggregate("open", {"reservation:theirs": "", "filter_tenant_id_2": "harbour"})
        found = with_key("properties", "reservation:theirs", ONLY_REQUIRED, (*ALL, open_one))
        assert found == [in_any_of("open")]

    def test_what_the_flavor_says_needs_no_permission_though_the_image_says_it_too(self) -> None:
        wanted = request({"reservation:theirs": ""}, {"reservation:theirs": ""}, ALL, RESERVED)
        assert member_of(wanted) == [in_any_of("theirs")]


class TestForbiddenPrefixes:
    def test_a_key_of_the_flavor_lifts_one_and_requires_nothing(self) -> None:
        assert with_key("specs", "reservation:mine", ONLY_FORBIDDEN) == []

    def test_a_key_of_an_image_opens_only_what_is_open_to_the_project(self) -> None:
        assert with_key("properties", "reservation:mine", ONLY_FORBIDDEN) == [in_none_of("theirs")]

    @pytest.mark.parametrize("key", ["reservation:theirs", "reservation:made-up"])
    def test_a_key_of_an_image_that_leads_nowhere_opens_nothing(self, key: str) -> None:
        found = with_key("properties", key, ONLY_FORBIDDEN)
        assert found == [in_none_of("free pool", "mine", "theirs")]

    def test_each_is_lifted_by_keys_of_its_own(self) -> None:
        licensed = aggregate("licensed", {"license:windows": ""})
        both = PlacingSettings(default_forbidden_member_prefixes=("reservation:", "license:"))
        found = with_key("specs", "license:windows", both, (*ALL, licensed))
        assert found == [in_none_of("free pool", "mine", "theirs")]
        found = with_key("specs", "reservation:mine", both, (*ALL, licensed))
        assert found == [in_none_of("licensed")]

    def test_required_and_forbidden_prefixes_may_differ(self) -> None:
        licensed = aggregate("licensed", {"license:windows": ""})
        settings = PlacingSettings(
            required_member_prefix="license:", default_forbidden_member_prefixes=("reservation:",)
        )
        found = with_key("specs", "license:windows", settings, (*ALL, licensed))
        assert found == sorted([in_any_of("licensed"), in_none_of("free pool", "mine", "theirs")])


NUMBERED = {"resources:VCPU": "0", "resources:MEMORY_MB": "0", "resources:DISK_GB": "0", "resources1:VGPU": "1"}


class TestUnnumberedResources:
    @pytest.mark.parametrize("settings", [RESERVED, ONLY_REQUIRED, ONLY_FORBIDDEN])
    def test_a_flavor_without_any_is_refused_while_prefixes_are_set(self, settings: PlacingSettings) -> None:
        with pytest.raises(NothingUnnumbered, match="prefixes of their metadata keys"):
            request(NUMBERED, {}, (), settings)

    def test_without_prefixes_it_is_fine(self) -> None:
        assert member_of(request(NUMBERED, {}, ALL)) == []

    def test_a_zone_needs_some_too(self) -> None:
        with pytest.raises(NothingUnnumbered, match='the availability zone "az1" is asked for'):
            request(NUMBERED, {}, (aggregate("zone", {"availability_zone": "az1"}),), zone="az1")


keys = st.sampled_from(["a:1", "a:2", "b:1", "b:2", "c"])
tenants = st.sampled_from([None, "harbour", "elsewhere"])


@effort(300)
@given(
    st.lists(st.tuples(st.frozensets(keys), tenants), max_size=5),
    st.frozensets(keys),
    st.frozensets(keys),
    st.lists(st.sampled_from(["a:", "b:"]), unique=True),
)
def test_hosts_of_others_and_hosts_that_nobody_asked_for_stay_closed(
    contents: list[tuple[frozenset[str], str | None]],
    of_flavor: frozenset[str],
    of_image: frozenset[str],
    prefixes: list[str],
) -> None:
    aggregates = tuple(
        aggregate(f"number {number}", dict.fromkeys(names, "") | ({"filter_tenant_id": tenant} if tenant else {}))
        for number, (names, tenant) in enumerate(contents)
    )
    settings = PlacingSettings(default_forbidden_member_prefixes=tuple(prefixes))
    wanted = request(dict.fromkeys(of_flavor, ""), dict.fromkeys(of_image, ""), aggregates, settings)
    closed = frozenset[str]().union(*(condition.uuids for condition in wanted.conditions))
    for each in aggregates:
        with_prefix = [prefix for prefix in prefixes if any(key.startswith(prefix) for key in each.metadata)]
        for prefix in with_prefix:
            if not any(key.startswith(prefix) for key in of_flavor | of_image):
                assert each.uuid in closed
            if not any(key.startswith(prefix) for key in of_flavor) and not each.is_open_to("harbour"):
                assert each.uuid in closed
        if not with_prefix:
            assert each.uuid not in closed

"""Whether a server may have another image where it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.model.aggregate import HostAggregate
from moorage.compute.placing.rebuild import check_rebuild
from moorage.compute.placing.refusals import (
    ContradictoryTraits,
    ForeignHost,
    MalformedImageTrait,
    MissingTraits,
    UnknownMemberKey,
)
from moorage.compute.placing.settings import PlacingSettings
from tests.compute.placing.examples import HARBOUR, aggregate, flavor, image
from tests.properties import effort

LICENSED = aggregate("licensed", {"license:windows": ""}, ("cn1",))
LICENSES = PlacingSettings(required_member_prefix="license:", default_forbidden_member_prefixes=("license:",))
ISOLATED = PlacingSettings(isolate_aggregates=True)


def rebuild(
    properties: dict[str, str],
    *held: set[str],
    specs: dict[str, str] | None = None,
    host: str = "cn1",
    aggregates: tuple[HostAggregate, ...] = (),
    settings: PlacingSettings | None = None,
) -> frozenset[str]:
    """Rebuild a server that holds something of providers with these traits."""
    return check_rebuild(
        flavor(specs),
        image(properties),
        [frozenset(traits) for traits in held],
        host,
        aggregates,
        settings or PlacingSettings(),
        HARBOUR,
    )


class TestTraits:
    def test_an_image_without_traits_may_be_used_anywhere(self) -> None:
        assert rebuild({}) == frozenset()

    def test_the_traits_of_all_providers_in_the_allocation_count_together(self) -> None:
        wanted = {"trait:CUSTOM_A": "required", "trait:CUSTOM_B": "required"}
        assert rebuild(wanted, {"CUSTOM_A"}, {"CUSTOM_B", "CUSTOM_C"}) == {"CUSTOM_A", "CUSTOM_B"}

    def test_a_virtual_function_of_a_card_without_offload_does_not_become_one_with(self) -> None:
        """The other card of the host has offload, but the server has nothing of it, so nobody names it here."""
        plain_card, host = {"HW_NIC_SRIOV"}, {"COMPUTE_NODE"}
        with pytest.raises(MissingTraits) as refusal:
            rebuild({"trait:CUSTOM_HW_NIC_OFFLOAD_XX": "required"}, plain_card, host)
        assert refusal.value.missing == ("CUSTOM_HW_NIC_OFFLOAD_XX",)

    def test_all_missing_traits_are_named(self) -> None:
        wanted = {"trait:CUSTOM_B": "required", "trait:CUSTOM_A": "required", "trait:CUSTOM_C": "required"}
        with pytest.raises(MissingTraits, match="has: CUSTOM_A, CUSTOM_B"):
            rebuild(wanted, {"CUSTOM_C"})

    def test_a_server_that_holds_nothing_meets_nothing(self) -> None:
        with pytest.raises(MissingTraits):
            rebuild({"trait:CUSTOM_A": "required"})

    def test_what_the_flavor_forbids_is_refused_though_the_host_has_it(self) -> None:
        with pytest.raises(ContradictoryTraits, match='"debian" requires what the flavor "small" forbids'):
            rebuild({"trait:CUSTOM_A": "required"}, {"CUSTOM_A"}, specs={"trait:CUSTOM_A": "forbidden"})

    def test_what_the_flavor_requires_is_not_looked_at_again(self) -> None:
        """It stays on record all the same."""
        assert rebuild({}, specs={"trait:CUSTOM_A": "required"}) == {"CUSTOM_A"}

    def test_an_image_that_says_more_than_required_is_refused(self) -> None:
        with pytest.raises(MalformedImageTrait):
            rebuild({"trait:CUSTOM_A": "forbidden"})

    @effort(200)
    @given(
        st.frozensets(st.sampled_from("ABCDE")),
        st.lists(st.frozensets(st.sampled_from("ABCDE")), max_size=3),
    )
    def test_it_is_refused_exactly_when_something_is_missing(
        self, wanted: frozenset[str], held: list[frozenset[str]]
    ) -> None:
        properties = {f"trait:CUSTOM_{letter}": "required" for letter in wanted}
        providers = [{f"CUSTOM_{letter}" for letter in letters} for letters in held]
        missing = wanted.difference(*held)
        if missing:
            with pytest.raises(MissingTraits) as refusal:
                rebuild(properties, *providers)
            assert refusal.value.missing == tuple(f"CUSTOM_{letter}" for letter in sorted(missing))
        else:
            assert rebuild(properties, *providers) == {f"CUSTOM_{letter}" for letter in wanted}


class TestAggregates:
    def test_a_linux_image_may_not_be_used_on_a_licensed_windows_host(self) -> None:
        with pytest.raises(ForeignHost) as refusal:
            rebuild({}, aggregates=(LICENSED,), settings=LICENSES)
        assert 'The image "debian" may not be used on the host of the server' in str(refusal.value)
        assert 'its aggregates "licensed" are closed' in str(refusal.value)
        assert '"license:"' in str(refusal.value)

    def test_another_windows_image_may(self) -> None:
        assert rebuild({"license:windows": "yes"}, aggregates=(LICENSED,), settings=LICENSES) == frozenset()

    def test_a_flavor_with_the_licence_takes_any_image(self) -> None:
        specs = {"license:windows": "yes"}
        assert rebuild({}, specs=specs, aggregates=(LICENSED,), settings=LICENSES) == frozenset()

    def test_a_windows_image_may_not_be_used_on_a_host_without_the_licence(self) -> None:
        with pytest.raises(ForeignHost, match='it is in none of the aggregates "licensed", and the image "debian" has'):
            rebuild({"license:windows": "yes"}, host="cn2", aggregates=(LICENSED,), settings=LICENSES)

    def test_a_linux_image_may_be_used_on_any_other_host(self) -> None:
        assert rebuild({}, host="cn2", aggregates=(LICENSED,), settings=LICENSES) == frozenset()

    def test_a_licence_that_nobody_has_is_refused(self) -> None:
        with pytest.raises(UnknownMemberKey):
            rebuild({"license:solaris": "yes"}, aggregates=(LICENSED,), settings=LICENSES)

    def test_a_host_set_aside_for_others_is_not_opened_by_an_image(self) -> None:
        theirs = aggregate("theirs", {"license:windows": "", "filter_tenant_id": "elsewhere"}, ("cn1",))
        only_forbidden = PlacingSettings(default_forbidden_member_prefixes=("license:",))
        with pytest.raises(ForeignHost):
            rebuild({"license:windows": "yes"}, aggregates=(theirs,), settings=only_forbidden)

    def test_isolation_by_traits_holds_too(self) -> None:
        windows = aggregate("windows", {"trait:CUSTOM_WINDOWS": "required"}, ("cn1",))
        with pytest.raises(ForeignHost, match='"windows" are closed'):
            rebuild({}, {"CUSTOM_WINDOWS"}, aggregates=(windows,), settings=ISOLATED)
        wanted = {"trait:CUSTOM_WINDOWS": "required"}
        assert rebuild(wanted, {"CUSTOM_WINDOWS"}, aggregates=(windows,), settings=ISOLATED) == {"CUSTOM_WINDOWS"}

    def test_a_flavor_s_reservation_that_has_ended_is_no_matter_of_the_image(self) -> None:
        specs = {"license:ended": "yes"}
        assert rebuild({}, specs=specs, host="cn2", aggregates=(LICENSED,), settings=LICENSES) == frozenset()
        moved = aggregate("moved", {"license:ended": ""}, ("cn3",))
        assert rebuild({}, specs=specs, host="cn2", aggregates=(LICENSED, moved), settings=LICENSES) == frozenset()

    def test_tenants_and_zones_are_not_looked_at_again(self) -> None:
        moved = aggregate("moved", {"filter_tenant_id": "elsewhere", "availability_zone": "south"}, ("cn1",))
        assert rebuild({}, aggregates=(moved,), settings=PlacingSettings(limit_tenants=True)) == frozenset()

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.quota import UNLIMITED, Excess, amounts_of, excesses, separate_quota
from tests.properties import effort

amounts = st.dictionaries(st.sampled_from(["instances", "cores", "ram", "instances_big"]), st.integers(0, 20))
limits = st.dictionaries(st.sampled_from(["instances", "cores", "ram", "instances_big"]), st.integers(-1, 20))


def flavor(separate: str | None = None) -> Flavor:
    specs = {} if separate is None else {"quota:separate": separate}
    return Flavor(flavor_id="1", name="big", ram_mb=4096, vcpus=4, extra_specs=specs)


def test_servers_count_towards_instances_cores_and_memory() -> None:
    assert amounts_of(flavor()) == {"instances": 1, "cores": 4, "ram": 4096}
    assert amounts_of(flavor(), 3) == {"instances": 3, "cores": 12, "ram": 12288}


def test_servers_of_a_flavor_with_a_quota_of_its_own_count_towards_that_alone() -> None:
    assert amounts_of(flavor("true"), 3) == {"instances_big": 3}
    assert separate_quota(flavor("true")) == "instances_big"


def test_servers_of_a_flavor_may_count_as_those_of_another() -> None:
    specs = {"quota:separate": "true", "quota:flavor": "big"}
    leased = Flavor(flavor_id="2", name="reservation:2", ram_mb=4096, vcpus=4, extra_specs=specs)
    assert amounts_of(leased, 3) == {"instances_big": 3}
    pooled = Flavor(flavor_id="2", name="reservation:2", ram_mb=4096, vcpus=4, extra_specs={"quota:flavor": "big"})
    assert separate_quota(pooled) is None


# Capacity goes by the same text, to the letter.
@pytest.mark.parametrize("value", [None, "false", "", "yes", "True", " true "])
def test_other_flavors_have_none(value: str | None) -> None:
    assert separate_quota(flavor(value)) is None


@pytest.mark.parametrize(
    ("limit", "used", "requested", "exceeded"),
    [(10, 9, 1, False), (10, 10, 1, True), (10, 0, 11, True), (0, 0, 1, True), (UNLIMITED, 99, 1, False)],
)
def test_a_limit_may_be_reached_and_not_exceeded(*, limit: int, used: int, requested: int, exceeded: bool) -> None:
    found = excesses({"cores": limit}, {"cores": used}, {"cores": requested})
    assert found == ((Excess("cores", requested, used, limit),) if exceeded else ())


def test_who_has_too_much_may_still_ask_for_other_things() -> None:
    assert excesses({"cores": 10, "ram": 10}, {"cores": 50}, {"cores": 0, "ram": 1}) == ()


def test_all_exceeded_quotas_are_named() -> None:
    found = excesses({"ram": 1, "cores": 1, "instances": 5}, {}, {"ram": 2, "cores": 2, "instances": 2})
    assert [excess.resource for excess in found] == ["cores", "ram"]


@effort(200)
@given(limits, amounts, amounts)
def test_what_is_granted_stays_within_every_limit(
    limited: dict[str, int], used: dict[str, int], requested: dict[str, int]
) -> None:
    exceeded = {excess.resource for excess in excesses(limited, used, requested)}
    for name, limit in limited.items():
        if name not in exceeded and limit != UNLIMITED and requested.get(name, 0):
            assert used.get(name, 0) + requested[name] <= limit
    assert exceeded <= {name for name, amount in requested.items() if amount}

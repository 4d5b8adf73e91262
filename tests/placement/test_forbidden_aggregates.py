"""Forbidden aggregates: `member_of=!<aggregate>` and `member_of=!in:<aggregate>,<aggregate>` (microversion 1.32)."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import NAMESPACE_DNS, uuid4, uuid5

import pytest

from tests.placement.rest import SHARING, Api

ENDPOINTS = ("/resource_providers", "/allocation_candidates")

AGG1, AGG2, AGG3, AGG4, NOBODYS = (str(uuid5(NAMESPACE_DNS, f"aggregate {number}")) for number in range(5))
AGG_A, AGG_B, AGG_C = (str(uuid5(NAMESPACE_DNS, f"aggregate {letter}")) for letter in "ABC")


@dataclass(frozen=True)
class Hosts:
    """A cloud whose providers are known by their names."""

    api: Api
    uuids: dict[str, str] = field(default_factory=dict)

    def add(
        self,
        name: str,
        resource_class: str = "VCPU",
        *,
        parent: str | None = None,
        aggregates: tuple[str, ...] = (),
        traits: tuple[str, ...] = (),
    ) -> None:
        self.uuids[name] = self.api.create_provider(
            name,
            {resource_class: 8},
            parent=None if parent is None else self.uuids[parent],
            aggregates=aggregates,
            traits=traits,
        )

    def listed(self, *member_of: str) -> set[str]:
        """The providers that GET /resource_providers answers."""
        found = self.api.get("/resource_providers", {"member_of": list(member_of)})
        return {provider["name"] for provider in found["resource_providers"]}

    def candidates(self, suffix: str, *member_of: str, resources: str = "VCPU:1") -> set[frozenset[str]]:
        """The sets of providers that GET /allocation_candidates proposes, for a group with this suffix."""
        query = {f"resources{suffix}": resources, f"member_of{suffix}": list(member_of)}
        found = self.api.get("/allocation_candidates", query)
        names = {uuid: name for name, uuid in self.uuids.items()}
        return {frozenset(names[uuid] for uuid in request["allocations"]) for request in found["allocation_requests"]}

    def usable(self, suffix: str, *member_of: str) -> set[str]:
        """The providers that can be used for processors or, if they are storage, for disks."""
        proposed = [self.candidates(suffix, *member_of, resources=one) for one in ("VCPU:1", "DISK_GB:1")]
        return {name for candidates in proposed for candidate in candidates for name in candidate}

    def found_by(self, endpoint: str, *member_of: str) -> set[str]:
        return self.listed(*member_of) if endpoint == "/resource_providers" else self.usable("", *member_of)


# --- one provider a tree: both endpoints agree


@pytest.fixture
def hosts(api: Api) -> Hosts:
    """Four hosts in the first four aggregates, and others in several or none."""
    made = Hosts(api)
    made.add("in1", aggregates=(AGG1,))
    made.add("in2", aggregates=(AGG2,))
    made.add("in4", aggregates=(AGG4,))
    made.add("in1and3", aggregates=(AGG1, AGG3))
    made.add("in2and3", aggregates=(AGG2, AGG3))
    made.add("in1and3and4", aggregates=(AGG1, AGG3, AGG4))
    made.add("free")
    return made


@pytest.mark.parametrize("endpoint", ENDPOINTS)
class TestOnBothEndpoints:
    def test_an_exclamation_mark_keeps_members_out(self, hosts: Hosts, endpoint: str) -> None:
        assert hosts.found_by(endpoint, f"!{AGG1}") == {"in2", "in4", "in2and3", "free"}

    def test_several_parameters_must_all_hold(self, hosts: Hosts, endpoint: str) -> None:
        found = hosts.found_by(endpoint, f"in:{AGG1},{AGG2}", AGG3, f"!{AGG4}")
        assert found == {"in1and3", "in2and3"}

    def test_a_forbidden_list_keeps_members_of_any_of_them_out(self, hosts: Hosts, endpoint: str) -> None:
        assert hosts.found_by(endpoint, f"!in:{AGG1},{AGG2},{AGG4}") == {"free"}

    def test_a_forbidden_list_equals_its_items_one_by_one(self, hosts: Hosts, endpoint: str) -> None:
        together = hosts.found_by(endpoint, f"!in:{AGG1},{AGG3},{AGG4}")
        assert together == hosts.found_by(endpoint, f"!{AGG1}", f"!{AGG3}", f"!{AGG4}") == {"in2", "free"}

    def test_a_forbidden_list_may_have_one_item(self, hosts: Hosts, endpoint: str) -> None:
        assert hosts.found_by(endpoint, f"!in:{AGG1}") == hosts.found_by(endpoint, f"!{AGG1}")

    def test_what_is_required_and_forbidden_is_nowhere(self, hosts: Hosts, endpoint: str) -> None:
        assert hosts.found_by(endpoint, AGG1, f"!{AGG1}") == set()

    def test_an_aggregate_without_members_forbids_nothing(self, hosts: Hosts, endpoint: str) -> None:
        assert hosts.found_by(endpoint, f"!{NOBODYS}") == set(hosts.uuids)

    @pytest.mark.parametrize("member_of", [f"in:{AGG1},{AGG2},!{AGG3}", f"in:!{AGG1}", f"in:!in:{AGG1}"])
    def test_an_exclamation_mark_inside_a_list_is_a_bad_request(self, api: Api, endpoint: str, member_of: str) -> None:
        assert status_of(api, endpoint, member_of) == 400

    @pytest.mark.parametrize("member_of", ["!", "!in:", f"!{AGG1},{AGG2}", f"!in:{AGG1},", "!free"])
    def test_what_follows_must_be_uuids(self, api: Api, endpoint: str, member_of: str) -> None:
        assert status_of(api, endpoint, member_of) == 400

    @pytest.mark.parametrize("member_of", [f"!{AGG1}", f"!in:{AGG1},{AGG2}"])
    def test_it_is_new_in_1_32(self, api: Api, endpoint: str, member_of: str) -> None:
        assert status_of(api.at("1.31"), endpoint, member_of) == 400
        assert status_of(api.at("1.32"), endpoint, member_of) == 200


def status_of(api: Api, endpoint: str, member_of: str) -> int:
    query = {"member_of": member_of}
    if endpoint == "/allocation_candidates":
        query["resources"] = "VCPU:1"
    return api.send("GET", endpoint, query=query).status


# --- nested providers


@pytest.fixture
def nested(api: Api) -> Hosts:
    """Two hosts with two NUMA nodes each, and two storage pools.

    ss1 shares with cn2 through aggB, and ss2 with numa1_1, and so with the tree of cn1, through aggC:

        cn1 [aggA]                        cn2 [aggB] ------- ss1 [aggB]
          numa1_1 [aggC] -- ss2 [aggC]      numa2_1
          numa1_2                           numa2_2
    """
    made = Hosts(api)
    made.add("cn1", aggregates=(AGG_A,))
    made.add("numa1_1", parent="cn1", aggregates=(AGG_C,))
    made.add("numa1_2", parent="cn1")
    made.add("cn2", aggregates=(AGG_B,))
    made.add("numa2_1", parent="cn2")
    made.add("numa2_2", parent="cn2")
    made.add("ss1", "DISK_GB", aggregates=(AGG_B,), traits=(SHARING,))
    made.add("ss2", "DISK_GB", aggregates=(AGG_C,), traits=(SHARING,))
    return made


class TestOfARoot:
    """In the group without a suffix, an aggregate on a root spans its whole tree."""

    def test_everything_can_be_used_without_a_filter(self, nested: Hosts) -> None:
        assert nested.usable("") == nested.usable("1") == set(nested.uuids)

    @pytest.mark.parametrize(
        ("forbidden", "excluded"),
        [
            pytest.param(AGG_A, {"cn1", "numa1_1", "numa1_2"}, id="aggA"),
            pytest.param(AGG_B, {"cn2", "numa2_1", "numa2_2", "ss1"}, id="aggB"),
            pytest.param(AGG_C, {"numa1_1", "ss2"}, id="aggC"),
        ],
    )
    def test_its_whole_tree_is_excluded(self, nested: Hosts, forbidden: str, excluded: set[str]) -> None:
        assert nested.usable("") - nested.usable("", f"!{forbidden}") == excluded

    @pytest.mark.parametrize(
        ("forbidden", "excluded"),
        [
            pytest.param(AGG_A, {"cn1"}, id="aggA"),
            pytest.param(AGG_B, {"cn2", "ss1"}, id="aggB"),
            pytest.param(AGG_C, {"numa1_1", "ss2"}, id="aggC"),
        ],
    )
    @pytest.mark.parametrize("suffix", ["1", "_COMPUTE"])
    def test_nothing_is_spanned_in_a_group_with_a_suffix(
        self, nested: Hosts, suffix: str, forbidden: str, excluded: set[str]
    ) -> None:
        assert nested.usable(suffix) - nested.usable(suffix, f"!{forbidden}") == excluded

    @pytest.mark.parametrize(
        ("forbidden", "member"),
        [
            pytest.param(AGG_A, {"cn1"}, id="aggA"),
            pytest.param(AGG_B, {"cn2", "ss1"}, id="aggB"),
            pytest.param(AGG_C, {"numa1_1", "ss2"}, id="aggC"),
        ],
    )
    def test_a_list_of_providers_looks_at_each_provider_itself(
        self, nested: Hosts, forbidden: str, member: set[str]
    ) -> None:
        assert nested.listed(f"!{forbidden}") == set(nested.uuids) - member

    def test_several_forbidden_roots_exclude_all_their_trees(self, nested: Hosts) -> None:
        assert nested.usable("", f"!in:{AGG_A},{AGG_B}") == {"ss2"}

    @pytest.mark.parametrize(
        ("forbidden", "left"),
        [
            pytest.param(AGG_A, {("cn2", "ss1"), ("numa2_1", "ss1"), ("numa2_2", "ss1")}, id="aggA"),
            pytest.param(AGG_B, {("cn1", "ss2"), ("numa1_1", "ss2"), ("numa1_2", "ss2")}, id="aggB"),
            # The storage of the first host is forbidden, so the host has none.
            pytest.param(AGG_C, {("cn2", "ss1"), ("numa2_1", "ss1"), ("numa2_2", "ss1")}, id="aggC"),
        ],
    )
    def test_a_host_and_its_storage_must_both_be_allowed(
        self, nested: Hosts, forbidden: str, left: set[tuple[str, str]]
    ) -> None:
        found = nested.candidates("", f"!{forbidden}", resources="VCPU:1,DISK_GB:1")
        assert found == {frozenset(pair) for pair in left}


class TestAPoolBelowAnotherRoot:
    """A pool that shares with a host, and is the child of a provider in a forbidden aggregate."""

    ZONE, FORBIDDEN = (str(uuid4()) for _ in range(2))

    @pytest.fixture
    def cloud(self, api: Api) -> Hosts:
        made = Hosts(api)
        made.add("host", aggregates=(self.ZONE,))
        made.add("array", "CUSTOM_SLOT", aggregates=(self.FORBIDDEN,))
        made.add("pool", "DISK_GB", parent="array", aggregates=(self.ZONE,), traits=(SHARING,))
        return made

    def test_does_not_share_what_is_forbidden_through_its_root(self, cloud: Hosts) -> None:
        both = "VCPU:1,DISK_GB:1"
        assert cloud.candidates("", resources=both) == {frozenset({"host", "pool"})}
        assert cloud.candidates("", f"!{self.FORBIDDEN}", resources=both) == set()
        assert cloud.candidates("", f"!{self.FORBIDDEN}", resources="DISK_GB:1") == set()

    def test_is_looked_at_by_itself_in_a_group_with_a_suffix(self, cloud: Hosts) -> None:
        found = cloud.candidates("_D", f"!{self.FORBIDDEN}", resources="DISK_GB:1")
        assert found == {frozenset({"pool"})}


# --- what they are for


class TestReservedHosts:
    """Hosts of a reservation are in its aggregate, unused ones in a pool: reserved workloads require, others forbid."""

    POOL, MINE, THEIRS = (str(uuid4()) for _ in range(3))

    @pytest.fixture
    def cloud(self, api: Api) -> Hosts:
        made = Hosts(api)
        made.add("pooled", aggregates=(self.POOL,))
        made.add("reserved_by_me", aggregates=(self.MINE,))
        made.add("gpu_of_mine", parent="reserved_by_me")
        made.add("reserved_by_them", aggregates=(self.THEIRS,))
        made.add("for_everybody")
        return made

    def test_a_workload_with_a_reservation_lands_on_its_hosts(self, cloud: Hosts) -> None:
        assert cloud.usable("", self.MINE) == {"reserved_by_me", "gpu_of_mine"}

    def test_a_workload_without_one_stays_off_all_reserved_hosts(self, cloud: Hosts) -> None:
        assert cloud.usable("", f"!in:{self.POOL},{self.MINE},{self.THEIRS}") == {"for_everybody"}

    def test_a_licensed_host_is_kept_for_what_needs_the_licence(self, api: Api) -> None:
        windows = str(uuid4())
        made = Hosts(api)
        made.add("licensed", aggregates=(windows,))
        made.add("unlicensed")
        assert (made.usable("", windows), made.usable("", f"!{windows}")) == ({"licensed"}, {"unlicensed"})

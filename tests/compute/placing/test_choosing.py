"""From candidates to a host: what server groups rule out, what they prefer, and the weighers."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.model.server_group import Policy, ServerGroup
from moorage.compute.placing.candidates import Candidate, read_candidates
from moorage.compute.placing.groups import allowed_by_group, rule_in_words
from moorage.compute.placing.settings import Weigher
from moorage.compute.placing.weighing import weighed
from tests.properties import effort


def candidate(host: str, fullness: float = 0.5) -> Candidate:
    return Candidate(host, {host: {"VCPU": 1}}, {"": (host,)}, fullness)


def group(policy: Policy, most: int | None = None) -> ServerGroup:
    return ServerGroup(
        uuid="1", name="quay", project_id="harbour", user_id="me", policy=policy, max_server_per_host=most
    )


def hosts(candidates: object) -> list[str]:
    assert isinstance(candidates, list | tuple)
    return [each.host for each in candidates]


ABC = (candidate("a"), candidate("b"), candidate("c"))


class TestReading:
    SUMMARIES: Any = {  # noqa: RUF012 - a table, as the API gives it
        "root": {"root_provider_uuid": "root", "traits": ["COMPUTE_NODE"], "resources": {}},
        "numa": {
            "root_provider_uuid": "root",
            "traits": [],
            "resources": {"VCPU": {"used": 2, "capacity": 8}, "MEMORY_MB": {"used": 0, "capacity": 4096}},
        },
        "a storage": {
            "root_provider_uuid": "a storage",
            "traits": ["MISC_SHARES_VIA_AGGREGATE"],
            "resources": {"DISK_GB": {"used": 50, "capacity": 100}},
        },
    }

    def read(self, allocations: dict[str, dict[str, int]]) -> Candidate:
        request = {
            "allocations": {uuid: {"resources": resources} for uuid, resources in allocations.items()},
            "mappings": {"": list(allocations)},
        }
        (found,) = read_candidates({"allocation_requests": [request], "provider_summaries": self.SUMMARIES})
        return found

    def test_the_host_is_the_compute_node_though_others_share_with_it(self) -> None:
        found = self.read({"a storage": {"DISK_GB": 10}, "numa": {"VCPU": 2}})
        assert found.host == "root"
        assert found.allocations == {"a storage": {"DISK_GB": 10}, "numa": {"VCPU": 2}}
        assert found.mappings == {"": ("a storage", "numa")}

    def test_fullness_is_the_mean_of_what_would_be_taken(self) -> None:
        assert self.read({"numa": {"VCPU": 2, "MEMORY_MB": 1024}}).fullness == pytest.approx((4 / 8 + 1 / 4) / 2)

    def test_no_candidates(self) -> None:
        assert read_candidates({"allocation_requests": [], "provider_summaries": {}}) == ()


class TestServerGroups:
    @pytest.mark.parametrize(
        ("policy", "most", "members", "left"),
        [
            ("affinity", None, {}, ["a", "b", "c"]),
            ("affinity", None, {"b": 2}, ["b"]),
            ("affinity", None, {"b": 0}, ["a", "b", "c"]),
            # A host that has no candidate: no place at all.
            ("affinity", None, {"d": 1}, []),
            ("anti-affinity", None, {}, ["a", "b", "c"]),
            ("anti-affinity", None, {"b": 1}, ["a", "c"]),
            ("anti-affinity", 2, {"a": 2, "b": 1}, ["b", "c"]),
            ("anti-affinity", 2, {"a": 5, "b": 2, "c": 2}, []),
            ("soft-affinity", None, {"b": 1}, ["a", "b", "c"]),
            ("soft-anti-affinity", None, {"a": 1, "b": 1, "c": 1}, ["a", "b", "c"]),
        ],
    )
    def test_conditions_rule_hosts_out(
        self, policy: Policy, most: int | None, members: dict[str, int], left: list[str]
    ) -> None:
        assert hosts(allowed_by_group(ABC, group(policy, most), members)) == left

    def test_no_group_rules_nothing_out(self) -> None:
        assert hosts(allowed_by_group(ABC, None, {"a": 1})) == ["a", "b", "c"]

    @pytest.mark.parametrize("policy", ["affinity", "anti-affinity"])
    def test_the_rule_can_be_told(self, policy: Policy) -> None:
        assert 'the group "quay"' in rule_in_words(group(policy, 3 if policy == "anti-affinity" else None))

    @pytest.mark.parametrize(
        ("policy", "order"), [("soft-affinity", ["b", "a", "c"]), ("soft-anti-affinity", ["c", "a", "b"])]
    )
    def test_wishes_come_before_fullness(self, policy: Policy, order: list[str]) -> None:
        candidates = (candidate("a", 0.5), candidate("b", 0.9), candidate("c", 0.1))
        members = {"a": 1, "b": 3, "c": 0}
        for weigher in (Weigher.SPREAD, Weigher.PACK):
            found = weighed(candidates, weigher, Random(1), group(policy), members)
            assert hosts(found) == order


class TestWeighing:
    CANDIDATES = (candidate("half", 0.5), candidate("full", 0.99), candidate("empty", 0.05))

    def test_spread_tries_the_emptiest_first(self) -> None:
        assert hosts(weighed(self.CANDIDATES, Weigher.SPREAD, Random(1))) == ["empty", "half", "full"]

    def test_pack_tries_the_fullest_first(self) -> None:
        assert hosts(weighed(self.CANDIDATES, Weigher.PACK, Random(1))) == ["full", "half", "empty"]

    def test_chance_decides_among_those_about_as_full(self) -> None:
        alike = [candidate(str(number), 0.500 + number / 10_000) for number in range(10)]
        firsts = {weighed(alike, Weigher.SPREAD, Random(seed))[0].host for seed in range(100)}
        assert firsts == {str(number) for number in range(10)}

    @effort(100)
    @given(st.lists(st.floats(0, 1)), st.sampled_from(Weigher), st.integers())
    def test_the_same_chance_gives_the_same_order_and_nothing_is_lost(
        self, fullness: list[float], weigher: Weigher, seed: int
    ) -> None:
        candidates = [candidate(str(number), each) for number, each in enumerate(fullness)]
        found = weighed(candidates, weigher, Random(seed))
        assert found == weighed(candidates, weigher, Random(seed))
        assert sorted(hosts(found)) == sorted(hosts(candidates))
        in_order = (
            [each.fullness for each in found] if weigher is Weigher.SPREAD else [-each.fullness for each in found]
        )
        assert all(later >= earlier - 0.0201 for earlier, later in pairwise(in_order))

"""Requests that the reference implementation answers wrongly on some database, or by accident of row order.

Each is answered here as the API's documents say, on every database.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.placement.rest import SHARING, Api, Query, allocation_body

# Provider, resource class, amount.
Placements = frozenset[tuple[str, str, int]]


def candidates(api: Api, query: Query) -> set[Placements]:
    """What each candidate takes from whom; each must be there once."""
    found = [placements_of(request) for request in api.get("/allocation_candidates", query)["allocation_requests"]]
    assert len(found) == len(set(found))
    return set(found)


def placements_of(request: dict[str, Any]) -> Placements:
    return frozenset(
        (uuid, resource_class, amount)
        for uuid, allocation in request["allocations"].items()
        for resource_class, amount in allocation["resources"].items()
    )


def placing(*placements: tuple[str, str, int]) -> Placements:
    return frozenset(placements)


class TestForbiddenTraitsWithoutSharingProviders:
    def test_keep_providers_of_a_tree_out(self, api: Api) -> None:
        host = api.create_provider("host", {"MEMORY_MB": 1024})
        fast = api.create_provider("fast", {"VCPU": 4}, parent=host, traits=("CUSTOM_FAST",))
        slow = api.create_provider("slow", {"VCPU": 4}, parent=host)
        plain = {"resources": "MEMORY_MB:512,VCPU:1"}
        with_slow = placing((host, "MEMORY_MB", 512), (slow, "VCPU", 1))
        with_fast = placing((host, "MEMORY_MB", 512), (fast, "VCPU", 1))
        assert candidates(api, plain) == {with_slow, with_fast}
        assert candidates(api, {**plain, "required": "!CUSTOM_FAST"}) == {with_slow}


class TestTheSameClassInTwoGroups:
    @pytest.fixture
    def cells(self, api: Api) -> list[str]:
        """The two NUMA nodes of a host, with four processors each."""
        host = api.create_provider("host")
        return [api.create_provider(name, {"VCPU": 4}, parent=host) for name in ("cell0", "cell1")]

    def test_adds_up_where_one_provider_serves_both(self, api: Api, cells: list[str]) -> None:
        one, other = cells
        assert candidates(api, {"resources": "VCPU:1", "resources1": "VCPU:2"}) == {
            placing((one, "VCPU", 3)),
            placing((other, "VCPU", 3)),
            placing((one, "VCPU", 1), (other, "VCPU", 2)),
            placing((one, "VCPU", 2), (other, "VCPU", 1)),
        }

    def test_does_not_fit_where_the_sum_is_too_much(self, api: Api, cells: list[str]) -> None:
        one, other = cells
        assert candidates(api, {"resources": "VCPU:3", "resources1": "VCPU:2"}) == {
            placing((one, "VCPU", 3), (other, "VCPU", 2)),
            placing((one, "VCPU", 2), (other, "VCPU", 3)),
        }

    @pytest.mark.parametrize("limit", [None, 1, 3])
    @pytest.mark.usefixtures("cells")
    def test_is_the_same_whether_the_policy_is_given_or_not(self, api: Api, limit: int | None) -> None:
        query = {"resources": "VCPU:1", "resources1": "VCPU:2", **({"limit": limit} if limit else {})}
        without, none, isolate = (
            candidates(api, {**query, **policy})
            for policy in ({}, {"group_policy": "none"}, {"group_policy": "isolate"})
        )
        assert without == none == isolate
        assert len(none) == (limit or 4)

    @pytest.mark.usefixtures("cells")
    def test_isolate_only_takes_away_what_none_finds(self, api: Api) -> None:
        query = {"resources": "VCPU:1", "resources1": "VCPU:2", "resources2": "VCPU:1"}
        found: dict[str, list[Any]] = {
            policy: api.get("/allocation_candidates", {**query, "group_policy": policy})["allocation_requests"]
            for policy in ("none", "isolate")
        }
        apart = [request for request in found["none"] if request["mappings"]["1"] != request["mappings"]["2"]]
        assert found["isolate"] == apart
        assert (len(found["none"]), len(apart)) == (8, 4)


class TestAGroupServedBySharingProvidersAlone:
    def test_is_proposed_with_every_tree_that_shares(self, api: Api) -> None:
        aggregate = str(uuid4())
        storage = api.create_provider("storage", {"DISK_GB": 100}, aggregates=(aggregate,), traits=(SHARING,))
        hosts = [api.create_provider(f"host{n}", {"VCPU": 4}, aggregates=(aggregate,)) for n in range(3)]
        api.create_provider("unrelated", {"VCPU": 4})
        assert candidates(api, {"resources": "DISK_GB:10", "resources1": "VCPU:1"}) == {
            placing((storage, "DISK_GB", 10), (host, "VCPU", 1)) for host in hosts
        }


class TestARefusedWrite:
    def test_leaves_no_consumer_behind(self, api: Api) -> None:
        host = api.create_provider("host", {"VCPU": 4})
        consumer, unknown = str(uuid4()), str(uuid4())
        refused = api.send("PUT", f"/allocations/{consumer}", allocation_body({unknown: {"VCPU": 1}}))
        assert refused.status == 400
        # No generation says that the consumer is new, and so it still is.
        api.allocate({host: {"VCPU": 1}}, consumer, generation=None)
        assert api.get(f"/allocations/{consumer}")["consumer_generation"] == 1

    def test_of_several_consumers_leaves_none_of_them_behind(self, api: Api) -> None:
        host = api.create_provider("host", {"VCPU": 4})
        known, refused = str(uuid4()), str(uuid4())
        body = {
            known: allocation_body({host: {"VCPU": 1}}),
            refused: allocation_body({str(uuid4()): {"VCPU": 1}}),
        }
        assert api.send("POST", "/allocations", body).status == 400
        for consumer in (known, refused):
            api.allocate({host: {"VCPU": 1}}, consumer, generation=None)


class TestASharingProviderInATree:
    def test_serves_its_own_tree_and_those_it_shares_with(self, api: Api) -> None:
        aggregate = str(uuid4())
        owner = api.create_provider("owner", {"VCPU": 4})
        pool = api.create_provider("pool", {"DISK_GB": 100}, parent=owner, aggregates=(aggregate,), traits=(SHARING,))
        guest = api.create_provider("guest", {"VCPU": 4}, aggregates=(aggregate,))
        assert candidates(api, {"resources": "VCPU:1,DISK_GB:10"}) == {
            placing((host, "VCPU", 1), (pool, "DISK_GB", 10)) for host in (owner, guest)
        }

    def test_is_summarised_with_both_trees(self, api: Api) -> None:
        aggregate = str(uuid4())
        owner = api.create_provider("owner")
        pool = api.create_provider("pool", {"DISK_GB": 100}, parent=owner, aggregates=(aggregate,), traits=(SHARING,))
        guest = api.create_provider("guest", {"VCPU": 4}, aggregates=(aggregate,))
        found = api.get("/allocation_candidates", {"resources": "VCPU:1,DISK_GB:10"})
        assert {uuid: summary["root_provider_uuid"] for uuid, summary in found["provider_summaries"].items()} == {
            owner: owner,
            pool: owner,
            guest: guest,
        }


class TestAGroupWithoutResources:
    @pytest.fixture
    def hosts(self, api: Api) -> list[str]:
        """Two hosts; the processors of each are in a cell, and the first one's has a trait."""
        hosts = [api.create_provider(name) for name in ("host0", "host1")]
        api.create_provider("cell0", {"VCPU": 4}, parent=hosts[0], traits=("CUSTOM_NOISY",))
        api.create_provider("cell1", {"VCPU": 4}, parent=hosts[1])
        return hosts

    def test_stays_in_the_tree_it_is_told_to(self, api: Api, hosts: list[str]) -> None:
        query = {"required_TOP": "!CUSTOM_NOISY", "in_tree_TOP": hosts[1], "same_subtree": "_CPU,_TOP"}
        assert roots_found(api, query) == {hosts[1]}

    def test_may_have_nothing_but_forbidden_traits(self, api: Api, hosts: list[str]) -> None:
        query = {"required_TOP": "!CUSTOM_NOISY", "same_subtree": "_CPU,_TOP"}
        # The root of the first host is not noisy, so it can be the top.
        assert roots_found(api, query) == set(hosts)

    def test_may_have_nothing_but_forbidden_aggregates(self, api: Api, hosts: list[str]) -> None:
        aggregate = str(uuid4())
        for uuid in (hosts[0], *cells_of(api, hosts[0])):
            generation = api.get(f"/resource_providers/{uuid}")["generation"]
            body = {"aggregates": [aggregate], "resource_provider_generation": generation}
            api.put(f"/resource_providers/{uuid}/aggregates", body)
        query = {"member_of_TOP": f"!{aggregate}", "same_subtree": "_CPU,_TOP"}
        assert roots_found(api, query) == {hosts[1]}


def roots_found(api: Api, query: dict[str, str]) -> set[str]:
    """The roots of the trees in which a processor can be had under these conditions."""
    found = api.get("/allocation_candidates", {"resources_CPU": "VCPU:1", "group_policy": "none", **query})
    return {summary["root_provider_uuid"] for summary in found["provider_summaries"].values()}


def cells_of(api: Api, host: str) -> list[str]:
    tree = api.get("/resource_providers", {"in_tree": host})["resource_providers"]
    return [provider["uuid"] for provider in tree if provider["uuid"] != host]


class TestUsagesByConsumerType:
    @pytest.fixture
    def used(self, api: Api) -> Api:
        """Two instances, a migration, and a consumer from before types existed."""
        host = api.create_provider("host", {"VCPU": 16, "MEMORY_MB": 4096})
        for consumer_type, amounts in (
            ("INSTANCE", {"VCPU": 1, "MEMORY_MB": 512}),
            ("INSTANCE", {"VCPU": 2}),
            ("MIGRATION", {"VCPU": 4}),
        ):
            body = {**allocation_body({host: amounts}), "consumer_type": consumer_type}
            api.put(f"/allocations/{uuid4()}", body)
        old = allocation_body({host: {"MEMORY_MB": 256}})
        del old["consumer_type"]
        api.at("1.37").put(f"/allocations/{uuid4()}", old)
        return api

    def usages(self, api: Api, **query: str) -> Any:
        return api.get("/usages", {"project_id": "project", **query})["usages"]

    def test_are_grouped(self, used: Api) -> None:
        assert self.usages(used) == {
            "INSTANCE": {"consumer_count": 2, "VCPU": 3, "MEMORY_MB": 512},
            "MIGRATION": {"consumer_count": 1, "VCPU": 4},
            "unknown": {"consumer_count": 1, "MEMORY_MB": 256},
        }

    def test_can_be_those_of_one_type(self, used: Api) -> None:
        assert self.usages(used, consumer_type="MIGRATION") == {"MIGRATION": {"consumer_count": 1, "VCPU": 4}}

    def test_can_be_those_of_no_known_type(self, used: Api) -> None:
        assert self.usages(used, consumer_type="unknown") == {"unknown": {"consumer_count": 1, "MEMORY_MB": 256}}

    def test_can_be_added_up_over_all_types(self, used: Api) -> None:
        assert self.usages(used, consumer_type="all") == {"all": {"consumer_count": 4, "VCPU": 7, "MEMORY_MB": 768}}

    def test_can_be_those_of_one_user(self, used: Api) -> None:
        assert self.usages(used, user_id="somebody else") == {}
        assert self.usages(used, user_id="user", consumer_type="all")["all"]["consumer_count"] == 4

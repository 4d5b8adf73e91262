"""Leases on a stock Nova: reserved servers land on reserved hosts, others never do, and nothing is left at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.openstack.cloud.site import COMPUTES
from tests.openstack.leases import (
    NOTHING,
    POOL_TRAIT,
    aggregates_of,
    await_status,
    closing_traits,
    end_soon,
    fault_of,
    lease,
    leftovers,
    reservable_host,
    reservation_provider,
    runs,
)
from tests.openstack.operator import SMALL, Operator, host_of
from tests.openstack.waiting import eventually

FIRST, SECOND, THIRD = COMPUTES
INSTANCES = "resource_type=virtual:instance,vcpus=1,memory_mb=512,disk_gb=1,amount=2,affinity=None"
WHOLE = "min=1,max=1,hypervisor_properties=,resource_properties="


@pytest.fixture(scope="module")
def tycho(operator: Operator) -> Operator:
    """A user who leases."""
    return Operator(operator.site, "tycho", "astronomy")


@pytest.fixture(scope="module")
def carl(operator: Operator) -> Operator:
    """Somebody of another project."""
    return Operator(operator.site, "carl", "botany")


@pytest.fixture(autouse=True)
def _nothing_is_left(operator: Operator) -> Iterator[None]:
    """Whatever a test does, of leases there is nothing afterwards, nor is anything used."""
    before = operator.usages()
    yield
    assert leftovers(operator) == NOTHING
    operator.await_usages(before)


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_found_in_the_end(operator: Operator) -> Iterator[None]:
    """After all of them those who look for what does not agree find nothing."""
    yield
    find_nothing(operator)


def find_nothing(operator: Operator) -> None:
    """Have Moorage and Nova look for what does not agree."""
    runs(operator, "moorage reservation audit")
    runs(operator, "nova-manage placement audit --verbose")


def test_a_host_that_is_handed_over_is_closed_to_everybody(operator: Operator) -> None:
    with reservable_host(operator, THIRD):
        assert closing_traits(operator, THIRD) == {POOL_TRAIT}
        provider = reservation_provider(operator, THIRD)
        assert provider is not None
        assert POOL_TRAIT in provider["traits"]
        assert provider["inventories"] == {}
        with operator.server(availability_zone="south") as server:
            assert server.status == "ERROR"
            assert "No valid host was found" in server.fault["message"]
    assert aggregates_of(operator, THIRD) == {}
    assert reservation_provider(operator, THIRD) is None
    with operator.server(availability_zone="south") as server:
        assert (server.status, host_of(server)) == ("ACTIVE", THIRD)


def test_a_host_that_placement_has_forgotten_to_close_is_found(operator: Operator) -> None:
    """As when a Nova could not tell Placement that the host is in the free pool, which it only writes into its log."""
    with reservable_host(operator, THIRD):
        path = f"/resource_providers/{operator.provider(THIRD)}/aggregates"
        known = operator.asks_placement(path)
        pool = operator.cloud.compute.find_aggregate("freepool", ignore_missing=False).uuid
        assert pool in known["aggregates"]
        operator.asks_placement(path, "PUT", json={**known, "aggregates": sorted({*known["aggregates"]} - {pool})})
        with operator.server(availability_zone="south") as slipped_in:
            assert slipped_in.status == "ACTIVE"
        assert "cmp3 is not in the free pool as Placement knows it" in said_in_vain(
            operator, "moorage reservation audit"
        )
        runs(operator, "moorage reservation audit --fix")
        assert operator.asks_placement(path)["aggregates"] == known["aggregates"]
        with operator.server(availability_zone="south") as kept_off:
            assert kept_off.status == "ERROR"


def said_in_vain(user: Operator, command: str) -> str:
    """What a command says that ends with 1."""
    done = user.runs(command)
    assert done.returncode == 1, done.stdout + done.stderr
    return " ".join(done.stdout.split())


def test_a_host_with_servers_is_not_handed_over(operator: Operator) -> None:
    with operator.server(availability_zone="south") as server:
        assert host_of(server) == THIRD
        assert f"Servers found for host {THIRD}" in fault_of(operator, f"openstack reservation host create {THIRD}")
    assert aggregates_of(operator, THIRD) == {}


def test_the_whole_life_of_a_lease_of_instances(operator: Operator, tycho: Operator, carl: Operator) -> None:
    with reservable_host(operator, THIRD), lease(tycho, INSTANCES) as made:
        flavor = f"reservation:{made.reservation_id}"
        assert slots(operator)[made.resource_class]["total"] == 2
        assert tycho.cloud.compute.find_flavor(flavor) is not None
        assert carl.cloud.compute.find_flavor(flavor) is None
        assert "No Flavor found" in fault_of(
            carl, f"openstack server create --flavor {made.reservation_id} --image plain --nic none mine"
        )

        one, two, three = (tycho.orders(flavor) for _ in range(3))
        reserved = [operator.settled(server) for server in (one, two, three)]
        assert sorted(server.status for server in reserved) == ["ACTIVE", "ACTIVE", "ERROR"]
        for server in reserved:
            if server.status == "ACTIVE":
                assert host_of(server) == THIRD
                assert operator.holds(server.id) == {THIRD: SMALL, f"blazar_{THIRD}": {made.resource_class: 1}}
        stays_off(operator, carl, POOL_TRAIT)
        find_nothing(operator)

        end_soon(tycho, made)
        assert await_status(tycho, made, "TERMINATED", "ERROR") == "TERMINATED"
        for server in reserved:
            assert operator.cloud.compute.find_server(server.id, all_projects=True) is None
        assert leftovers(operator) == NOTHING
        assert slots(operator) == {}


def stays_off(operator: Operator, stranger: Operator, trait: str) -> None:
    """Nobody else gets to the third host, not even with an image that asks for what closes it."""
    with (
        operator.image(**{f"trait:{trait}": "required"}, visibility="public") as with_the_trait,
        stranger.server(availability_zone="south") as ordinary,
        stranger.server(image=with_the_trait, availability_zone="south") as cunning,
    ):
        for server in (ordinary, cunning):
            assert server.status == "ERROR"
            assert "No valid host was found" in server.fault["message"]


def slots(operator: Operator) -> dict[str, Any]:
    """The slots of leases on the third host, by resource class."""
    provider = reservation_provider(operator, THIRD)
    assert provider is not None
    found: dict[str, Any] = provider["inventories"]
    return found


def test_a_lease_of_a_flavor_keeps_what_the_flavor_asks_for(operator: Operator, tycho: Operator) -> None:
    with (
        operator.flavor({"trait:CUSTOM_P_STATE_ENABLED": "required"}) as flavor,
        reservable_host(operator, FIRST),
        reservable_host(operator, THIRD),
    ):
        source = operator.cloud.compute.find_flavor(flavor, ignore_missing=False).id
        with (
            lease(tycho, f"resource_type=flavor:instance,flavor_id={source},amount=1,affinity=None") as made,
            tycho.server(f"reservation:{made.reservation_id}") as server,
        ):
            found = operator.settled(server)
            assert (found.status, host_of(found)) == ("ACTIVE", FIRST)


def test_the_whole_life_of_a_lease_of_hosts(operator: Operator, tycho: Operator, carl: Operator) -> None:
    with reservable_host(operator, THIRD):
        with lease(tycho, WHOLE, option="--physical-reservation") as made:
            assert set(aggregates_of(operator, THIRD)) == {f"reservation:{made.reservation_id}"}
            assert closing_traits(operator, THIRD) == {made.resource_class}
            stays_off(operator, carl, made.resource_class)

            # Another flavor leads there, too, if it asks for the trait; the lease's own is as large as the host.
            with operator.flavor({f"trait:{made.resource_class}": "required"}) as fit, tycho.server(fit) as server:
                found = operator.settled(server)
                assert (found.status, host_of(found)) == ("ACTIVE", THIRD)
            flavor = f"reservation:{made.reservation_id}"
            assert carl.cloud.compute.find_flavor(flavor) is None
            server = operator.settled(tycho.boots(flavor))
            assert (server.status, host_of(server)) == ("ACTIVE", THIRD)
            find_nothing(operator)
        eventually(lambda: closing_traits(operator, THIRD) == {POOL_TRAIT}, "the host returns to the free pool")
        assert operator.cloud.compute.find_server(server.id, all_projects=True) is None

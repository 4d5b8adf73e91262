"""Where servers go: provider configuration that nova-compute reads, traits of images, closed aggregates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.openstack.cloud.site import COMPUTES
from tests.openstack.operator import Operator, host_of

FIRST, SECOND, THIRD = COMPUTES
CACHE = "CUSTOM_LLC"
P_STATE = "CUSTOM_P_STATE_ENABLED"
CLOSED = "CUSTOM_FOR_ASTRONOMERS"


@contextmanager
def closed_aggregate(operator: Operator, hosts: Sequence[str]) -> Iterator[None]:
    """Hosts that only servers asking for a trait may go to."""
    compute = operator.cloud.compute
    operator.asks_placement(f"/traits/{CLOSED}", "PUT")
    for host in hosts:
        change_traits(operator, host, add=frozenset({CLOSED}))
    aggregate = compute.create_aggregate(name="closed")
    compute.set_aggregate_metadata(aggregate, {f"trait:{CLOSED}": "required"})
    for host in hosts:
        compute.add_host_to_aggregate(aggregate, host)
    try:
        yield
    finally:
        for host in hosts:
            compute.remove_host_from_aggregate(aggregate, host)
            change_traits(operator, host, remove=frozenset({CLOSED}))
        compute.delete_aggregate(aggregate)
        operator.asks_placement(f"/traits/{CLOSED}", "DELETE")


def change_traits(
    operator: Operator, host: str, add: frozenset[str] = frozenset(), remove: frozenset[str] = frozenset()
) -> None:
    """Add traits to a host, and remove some."""
    path = f"/resource_providers/{operator.provider(host)}/traits"
    now = operator.asks_placement(path)
    wanted = {
        "resource_provider_generation": now["resource_provider_generation"],
        "traits": sorted((set(now["traits"]) | add) - remove),
    }
    operator.asks_placement(path, "PUT", json=wanted)


def test_provider_configuration_of_nova_compute_is_in_placement(operator: Operator) -> None:
    inventories = operator.asks_placement(f"/resource_providers/{operator.provider(FIRST)}/inventories")["inventories"]
    assert inventories[CACHE] == {
        "total": 22, "reserved": 2, "min_unit": 1, "max_unit": 11, "step_size": 1, "allocation_ratio": 1.0,
    }  # fmt: skip
    traits = operator.asks_placement(f"/resource_providers/{operator.provider(FIRST)}/traits")["traits"]
    assert {P_STATE, "OWNER_NOVA", "COMPUTE_NODE"} <= set(traits)


def test_servers_are_scheduled_on_it_until_it_is_used_up(operator: Operator) -> None:
    before = operator.usages()
    with operator.flavor({f"resources:{CACHE}": "10"}) as flavor:
        with operator.server(flavor) as one, operator.server(flavor) as two, operator.server(flavor) as three:
            assert [each.status for each in (one, two, three)] == ["ACTIVE", "ACTIVE", "ERROR"]
            assert {host_of(one), host_of(two)} == {FIRST}
            assert operator.holds(one.id)[FIRST][CACHE] == 10
            assert operator.usages()[FIRST][CACHE] == 20
        operator.await_usages(before)
        assert before[FIRST][CACHE] == 0


def goes_to(operator: Operator, where: str, flavor: str = "small", image: str = "plain") -> str | None:
    """The host that a server gets in a zone, or on a host that is named with it; None if it gets none.

    All hosts are equal, so where a server goes by itself would show little: it must be refused where it may not be.
    """
    with operator.server(flavor, image, availability_zone=where) as server:
        if server.status == "ACTIVE":
            return host_of(server)
        assert "No valid host was found" in server.fault["message"]
        return None


def test_traits_of_an_image_restrict_the_host(operator: Operator) -> None:
    with operator.image(**{f"trait:{P_STATE}": "required"}) as image:
        assert goes_to(operator, "north", image=image) == FIRST
        assert goes_to(operator, f"north:{SECOND}", image=image) is None
        assert goes_to(operator, "south", image=image) is None


def test_a_trait_that_a_flavor_forbids_keeps_servers_away(operator: Operator) -> None:
    with operator.flavor({f"trait:{P_STATE}": "forbidden"}) as flavor:
        assert goes_to(operator, "north", flavor) == SECOND
        assert goes_to(operator, f"north:{FIRST}", flavor) is None


def test_a_closed_aggregate_is_open_to_those_who_ask_for_its_trait_alone(operator: Operator) -> None:
    with closed_aggregate(operator, [SECOND, THIRD]):
        assert goes_to(operator, "north") == FIRST
        assert goes_to(operator, f"north:{SECOND}") is None
        assert goes_to(operator, "south") is None
        with operator.flavor({f"trait:{CLOSED}": "required"}) as flavor:
            assert goes_to(operator, "north", flavor) == SECOND
            assert goes_to(operator, "south", flavor) == THIRD
        with operator.image(**{f"trait:{CLOSED}": "required"}) as image:
            assert goes_to(operator, "south", image=image) == THIRD


def test_availability_zones_are_aggregates_of_placement(operator: Operator) -> None:
    assert goes_to(operator, "south") == THIRD
    assert goes_to(operator, "north") in {FIRST, SECOND}


def test_a_disabled_host_takes_no_server(operator: Operator) -> None:
    compute = operator.cloud.compute
    (service,) = compute.services(binary="nova-compute", host=FIRST)
    compute.disable_service(service)
    try:
        assert goes_to(operator, "north") == SECOND
        assert goes_to(operator, f"north:{FIRST}") is None
    finally:
        compute.enable_service(service)
    assert goes_to(operator, f"north:{FIRST}") == FIRST

"""Consumers, candidates and reshaping, the same with every service."""

from __future__ import annotations

from uuid import uuid4

import pytest

from moorage.client.errors import Conflict, NotFound
from moorage.client.placement import ConsumerAllocations, PlacementClient, ProviderInventories
from moorage.placement.model.inventory import Inventory
from tests.client.test_providers import new_name, new_provider


@pytest.fixture
def host(client: PlacementClient) -> str:
    """A provider with eight processors."""
    uuid = new_provider(client).uuid
    client.put_inventories(uuid, {"VCPU": Inventory(8)}, 0)
    return uuid


def processors(amounts: dict[str, int], project: str = "harbour", generation: int | None = None) -> ConsumerAllocations:
    """What a server of some project holds, by host."""
    return ConsumerAllocations(
        allocations={host: {"VCPU": amount} for host, amount in amounts.items()},
        project_id=project,
        user_id="me",
        consumer_type="INSTANCE",
        generation=generation,
    )


def test_a_consumer_takes_changes_and_gives_back(client: PlacementClient, host: str) -> None:
    server = str(uuid4())
    assert client.allocations(server) is None
    client.put_allocations(server, processors({host: 2}))
    assert client.allocations(server) == processors({host: 2}, generation=1)
    client.put_allocations(server, processors({host: 4}, generation=1))
    assert client.provider_allocations(host) == {server: {"VCPU": 4}}
    assert client.usages(host) == {"VCPU": 4}
    client.put_allocations(server, processors({}, generation=2))
    assert client.allocations(server) is None
    assert client.usages(host) == {"VCPU": 0}


def test_allocations_are_deleted(client: PlacementClient, host: str) -> None:
    server = str(uuid4())
    client.put_allocations(server, processors({host: 2}))
    client.delete_allocations(server)
    assert client.provider_allocations(host) == {}
    with pytest.raises(NotFound):
        client.delete_allocations(server)


def test_several_consumers_change_together_or_not_at_all(client: PlacementClient, host: str) -> None:
    server, migration = str(uuid4()), str(uuid4())
    client.put_allocations(server, processors({host: 8}))
    with pytest.raises(Conflict):
        client.post_allocations({server: processors({host: 8}, generation=1), migration: processors({host: 8})})
    assert client.provider_allocations(host) == {server: {"VCPU": 8}}
    client.post_allocations({server: processors({}, generation=1), migration: processors({host: 8})})
    assert client.provider_allocations(host) == {migration: {"VCPU": 8}}


def test_more_than_there_is_cannot_be_taken(client: PlacementClient, host: str) -> None:
    with pytest.raises(Conflict) as refused:
        client.put_allocations(str(uuid4()), processors({host: 9}))
    assert refused.value.code == "placement.undefined_code"
    assert host in refused.value.detail


def test_an_inventory_in_use_stays(client: PlacementClient, host: str) -> None:
    client.put_allocations(str(uuid4()), processors({host: 1}))
    provider = client.provider(host)
    assert provider is not None
    with pytest.raises(Conflict) as refused:
        client.put_inventories(host, {}, provider.generation)
    assert refused.value.code == "placement.inventory.inuse"
    with pytest.raises(Conflict):
        client.delete_inventory(host, "VCPU")
    with pytest.raises(Conflict) as refused:
        client.delete_provider(host)
    assert refused.value.code == "placement.resource_provider.inuse"


def test_a_project_uses_what_its_consumers_hold(client: PlacementClient, host: str) -> None:
    project = new_name()
    assert client.project_usages(project) == {}
    for amount in (1, 2):
        client.put_allocations(str(uuid4()), processors({host: amount}, project))
    used = {"INSTANCE": {"VCPU": 3, "consumer_count": 2}}
    assert client.project_usages(project) == used
    assert client.project_usages(project, user_id="me", consumer_type="INSTANCE") == used
    assert client.project_usages(project, user_id="somebody else") == {}


def test_candidates_say_where_something_fits(client: PlacementClient, host: str) -> None:
    found = client.allocation_candidates([("resources", "VCPU:8"), ("in_tree", host), ("limit", "1")])
    assert found["allocation_requests"] == [
        {"allocations": {host: {"resources": {"VCPU": 8}}}, "mappings": {"": [host]}}
    ]
    assert found["provider_summaries"][host]["resources"] == {"VCPU": {"capacity": 8, "used": 0}}
    assert client.allocation_candidates([("resources", "VCPU:9"), ("in_tree", host)])["allocation_requests"] == []


def test_inventories_move_with_the_allocations_on_them(client: PlacementClient, host: str) -> None:
    server, numa = str(uuid4()), new_provider(client, host).uuid
    client.put_allocations(server, processors({host: 8}))
    before = client.provider(host)
    assert before is not None
    client.reshape(
        {host: ProviderInventories(before.generation, {}), numa: ProviderInventories(0, {"VCPU": Inventory(8)})},
        {server: processors({numa: 8}, generation=1)},
    )
    assert client.inventories(host).inventories == {}
    assert client.provider_allocations(numa) == {server: {"VCPU": 8}}

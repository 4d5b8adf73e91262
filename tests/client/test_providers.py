"""Providers, inventories, traits, classes and aggregates, the same with every service."""

from __future__ import annotations

from uuid import uuid4

import pytest

from moorage.client.errors import Conflict, NotFound, Refused
from moorage.client.placement import PlacementClient, ProviderFilter, ProviderSummary
from moorage.placement.model.inventory import Inventory


def new_name(prefix: str = "") -> str:
    """A name that nothing else has; with a prefix one for a trait or a resource class."""
    return f"{prefix}{uuid4().hex.upper()}"


def new_provider(client: PlacementClient, parent: str | None = None) -> ProviderSummary:
    return client.create_provider(str(uuid4()), new_name(), parent)


# --- the providers themselves


def test_a_provider_is_created_and_found(client: PlacementClient) -> None:
    uuid, name = str(uuid4()), new_name()
    root = client.create_provider(uuid, name)
    assert root == ProviderSummary(uuid=uuid, name=name, generation=0, root_uuid=uuid, parent_uuid=None)
    assert client.provider(uuid) == root
    assert client.provider_named(name) == root
    child = new_provider(client, uuid)
    assert (child.root_uuid, child.parent_uuid) == (uuid, uuid)


def test_what_is_not_there_is_not_found(client: PlacementClient) -> None:
    assert client.provider(str(uuid4())) is None
    assert client.provider_named("nobody's name & more") is None
    with pytest.raises(NotFound):
        client.inventories(str(uuid4()))


def test_a_tree_is_listed(client: PlacementClient) -> None:
    root = new_provider(client)
    child = new_provider(client, root.uuid)
    new_provider(client)
    found = client.providers(ProviderFilter(in_tree=child.uuid))
    assert {provider.uuid for provider in found} == {root.uuid, child.uuid}
    assert {root.uuid, child.uuid} < {provider.uuid for provider in client.providers()}


def test_providers_are_listed_by_all_conditions(client: PlacementClient) -> None:
    trait, other, aggregate = new_name("CUSTOM_"), new_name("CUSTOM_"), str(uuid4())
    client.ensure_traits([trait, other])
    fitting, forbidden, full = (new_provider(client) for _ in range(3))
    for provider, total, traits in ((fitting, 8, {trait}), (forbidden, 8, {trait, other}), (full, 1, {trait})):
        generation = client.put_inventories(provider.uuid, {"VCPU": Inventory(total)}, provider.generation)
        generation = client.put_traits(provider.uuid, traits, generation)
        client.put_aggregates(provider.uuid, [aggregate], generation)
    which = ProviderFilter(
        member_of=(f"in:{aggregate},{uuid4()}", f"!{uuid4()}"),
        required=(trait, f"!{other}"),
        resources={"VCPU": 4},
    )
    assert [provider.uuid for provider in client.providers(which)] == [fitting.uuid]
    assert client.providers(ProviderFilter(name=full.name, uuid=fitting.uuid)) == ()


def test_a_provider_gets_another_name_and_parent(client: PlacementClient) -> None:
    old, new, child = new_provider(client), new_provider(client), new_provider(client)
    name = new_name()
    moved = client.update_provider(child.uuid, name, new.uuid)
    assert (moved.name, moved.parent_uuid) == (name, new.uuid)
    assert client.update_provider(child.uuid, name, old.uuid).root_uuid == old.uuid
    assert client.update_provider(child.uuid, name, None).parent_uuid is None


def test_a_provider_is_deleted_unless_it_has_children(client: PlacementClient) -> None:
    root = new_provider(client)
    child = new_provider(client, root.uuid)
    with pytest.raises(Conflict) as refused:
        client.delete_provider(root.uuid)
    assert refused.value.code == "placement.resource_provider.cannot_delete_parent"
    client.delete_provider(child.uuid)
    client.delete_provider(root.uuid)
    assert client.provider(root.uuid) is None
    with pytest.raises(NotFound):
        client.delete_provider(root.uuid)


def test_a_name_is_taken_once(client: PlacementClient) -> None:
    taken = new_provider(client)
    with pytest.raises(Conflict) as refused:
        client.create_provider(str(uuid4()), taken.name)
    assert refused.value.code == "placement.duplicate_name"
    assert taken.name in refused.value.detail


# --- inventories


def test_inventories_are_replaced_as_a_whole(client: PlacementClient) -> None:
    uuid = new_provider(client).uuid
    inventory = Inventory(total=22, reserved=2, min_unit=2, max_unit=11, step_size=2, allocation_ratio=1.5)
    assert client.put_inventories(uuid, {"VCPU": inventory, "DISK_GB": Inventory(100)}, 0) == 1
    read = client.inventories(uuid)
    assert (read.generation, read.inventories) == (1, {"VCPU": inventory, "DISK_GB": Inventory(100)})
    assert client.put_inventories(uuid, {"MEMORY_MB": Inventory(1)}, 1) == 2
    assert set(client.inventories(uuid).inventories) == {"MEMORY_MB"}
    assert client.usages(uuid) == {"MEMORY_MB": 0}


def test_one_inventory_is_deleted(client: PlacementClient) -> None:
    uuid = new_provider(client).uuid
    client.put_inventories(uuid, {"VCPU": Inventory(1), "DISK_GB": Inventory(1)}, 0)
    client.delete_inventory(uuid, "VCPU")
    assert set(client.inventories(uuid).inventories) == {"DISK_GB"}


def test_an_old_generation_is_a_conflict(client: PlacementClient) -> None:
    uuid = new_provider(client).uuid
    assert client.put_inventories(uuid, {"VCPU": Inventory(1)}, 0) == 1
    for write in (client.put_traits, client.put_aggregates):
        with pytest.raises(Conflict) as refused:
            write(uuid, [], 0)
        assert refused.value.code == "placement.concurrent_update"
    with pytest.raises(Conflict) as refused:
        client.put_inventories(uuid, {}, 0)
    assert refused.value.code == "placement.concurrent_update"


# --- traits and resource classes


def test_traits_are_made_where_missing_and_put(client: PlacementClient) -> None:
    uuid, custom = new_provider(client).uuid, new_name("CUSTOM_")
    assert client.known_traits([custom, "HW_CPU_X86_AVX2"]) == {"HW_CPU_X86_AVX2"}
    client.ensure_traits([custom, "HW_CPU_X86_AVX2"])
    client.ensure_traits([custom])
    assert client.known_traits([custom]) == {custom}
    generation = client.put_traits(uuid, {custom, "HW_CPU_X86_AVX2"}, 0)
    read = client.traits(uuid)
    assert (read.generation, read.traits) == (generation, frozenset({custom, "HW_CPU_X86_AVX2"}))


def test_any_number_of_traits_can_be_asked_for(client: PlacementClient) -> None:
    assert client.known_traits([]) == frozenset()
    names = [f"CUSTOM_NO_SUCH_TRAIT_WITH_A_NAME_THAT_IS_RATHER_LONG_{number}" for number in range(1000)]
    assert client.known_traits([*names, "COMPUTE_NODE"]) == {"COMPUTE_NODE"}


def test_what_is_not_custom_cannot_be_made(client: PlacementClient) -> None:
    with pytest.raises(Refused) as refused:
        client.ensure_traits(["HW_NO_SUCH_TRAIT"])
    assert refused.value.status == 400
    with pytest.raises(Refused):
        client.ensure_resource_classes(["NO_SUCH_CLASS"])


def test_resource_classes_are_made_where_missing(client: PlacementClient) -> None:
    custom = new_name("CUSTOM_")
    assert custom not in client.known_resource_classes()
    client.ensure_resource_classes([custom, "VCPU"])
    client.ensure_resource_classes([custom])
    assert {custom, "VCPU"} < client.known_resource_classes()


# --- aggregates


def test_aggregates_are_replaced(client: PlacementClient) -> None:
    uuid, aggregate = new_provider(client).uuid, str(uuid4())
    generation = client.put_aggregates(uuid, [aggregate], 0)
    read = client.aggregates(uuid)
    assert (read.generation, read.aggregates) == (generation, frozenset({aggregate}))
    assert client.put_aggregates(uuid, (), generation) == generation + 1
    assert client.aggregates(uuid).aggregates == frozenset()

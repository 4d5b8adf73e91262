"""What only Moorage offers, and that others are known not to."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from moorage.client.errors import Conflict, NotFound, Refused, Unauthorized
from moorage.client.placement import PlacementClient, ProviderFilter, ProviderWrite
from moorage.placement.model.inventory import Inventory
from moorage.placement.model.origin import Origin
from tests.client.conftest import http_client
from tests.client.test_providers import new_name, new_provider
from tests.clients.running_service import RunningService


def test_a_moorage_is_known_by_its_extensions(moorage: PlacementClient) -> None:
    assert moorage.is_moorage()


def test_upstream_is_no_moorage(upstream: str) -> None:
    client = http_client(upstream, "admin")
    assert not client.is_moorage()
    with pytest.raises(NotFound):
        client.read_providers()


def test_it_is_asked_once(service: RunningService) -> None:
    client = http_client(service.placement, service.token)
    asked = service.log.count("/moorage/providers")
    assert client.is_moorage()
    assert client.is_moorage()
    assert service.log.count("/moorage/providers") == asked + 1


def test_all_providers_of_a_moorage_are_one_question(service: RunningService, upstream: str) -> None:
    client, other = http_client(service.placement, service.token), http_client(upstream, "admin")
    asked = service.log.count("/moorage/providers")
    found = client.read_providers_of_moorage(["inventories"])
    assert found is not None
    assert client.is_moorage()
    assert service.log.count("/moorage/providers") == asked + 1
    assert found == client.read_providers(["inventories"])
    assert other.read_providers_of_moorage() is None
    assert not other.is_moorage()


def test_a_refusal_is_no_answer_to_what_it_is(service: RunningService) -> None:
    with pytest.raises(Unauthorized):
        http_client(service.placement, "wrong").is_moorage()


def test_many_providers_are_written_and_read_at_once(moorage: PlacementClient) -> None:
    root, child, aggregate = str(uuid4()), str(uuid4()), str(uuid4())
    names = (new_name(), new_name())
    written = moorage.write_providers(
        [
            ProviderWrite(
                uuid=root,
                name=names[0],
                inventories={"VCPU": Inventory(4)},
                traits=frozenset({"COMPUTE_NODE"}),
                aggregates=frozenset({aggregate}),
            ),
            ProviderWrite(uuid=child, name=names[1], parent_uuid=root),
        ]
    )
    assert written == {root: 0, child: 0}
    parts = ("inventories", "usages", "traits", "aggregates")
    found = {provider.uuid: provider for provider in moorage.read_providers(parts, ProviderFilter(in_tree=child))}
    assert set(found) == {root, child}
    assert found[root].inventories == {"VCPU": Inventory(4)}
    assert found[root].usages == {"VCPU": 0}
    assert found[root].traits == frozenset({"COMPUTE_NODE"})
    assert found[root].aggregates == frozenset({aggregate})
    assert (found[child].parent_uuid, found[child].root_uuid) == (root, root)
    (plain,) = moorage.read_providers(which=ProviderFilter(uuid=root))
    assert (plain.inventories, plain.usages, plain.traits, plain.aggregates) == (None, None, None, None)


def test_what_is_unset_stays_and_none_makes_a_root(moorage: PlacementClient) -> None:
    root = new_provider(moorage)
    child = new_provider(moorage, root.uuid)
    moorage.put_inventories(child.uuid, {"VCPU": Inventory(4)}, 0)
    moorage.write_providers([ProviderWrite(uuid=child.uuid, name=child.name, traits=frozenset({"COMPUTE_NODE"}))])
    (kept,) = moorage.read_providers(["inventories"], ProviderFilter(uuid=child.uuid))
    assert (kept.parent_uuid, kept.inventories) == (root.uuid, {"VCPU": Inventory(4)})
    moorage.write_providers([ProviderWrite(uuid=child.uuid, name=child.name, parent_uuid=None)])
    moved = moorage.provider(child.uuid)
    assert moved is not None
    assert moved.parent_uuid is None


def test_an_old_generation_is_a_conflict(moorage: PlacementClient) -> None:
    provider = new_provider(moorage)
    moorage.put_inventories(provider.uuid, {"VCPU": Inventory(4)}, 0)
    with pytest.raises(Conflict) as refused:
        moorage.write_providers(
            [
                ProviderWrite(uuid=str(uuid4()), name=(unborn := new_name())),
                ProviderWrite(uuid=provider.uuid, name=provider.name, generation=0, inventories={}),
            ]
        )
    assert refused.value.code == "placement.concurrent_update"
    assert moorage.provider_named(unborn) is None


def test_what_is_in_the_way_is_told_provider_by_provider(moorage: PlacementClient) -> None:
    fine, changed = new_provider(moorage), new_provider(moorage)
    moorage.put_inventories(changed.uuid, {"VCPU": Inventory(4)}, 0)
    with pytest.raises(Conflict) as refused:
        moorage.write_providers([ProviderWrite(each.uuid, each.name, generation=0) for each in (fine, changed)])
    assert [(fact["uuid"], fact["code"]) for fact in refused.value.facts["providers"]] == [
        (changed.uuid, "placement.concurrent_update")
    ]


def test_names_are_made_and_providers_deleted_on_the_way(moorage: PlacementClient) -> None:
    gone, changed = new_provider(moorage), new_provider(moorage)
    trait, resource_class = new_name("CUSTOM_"), new_name("CUSTOM_")
    wanted = ProviderWrite(
        uuid=changed.uuid,
        name=changed.name,
        inventories={resource_class: Inventory(1)},
        traits=frozenset({trait}),
    )
    with pytest.raises(Refused):
        moorage.write_providers([wanted], delete={gone.uuid: None})
    assert moorage.provider(gone.uuid) is not None
    written = moorage.write_providers([wanted], delete={gone.uuid: gone.generation}, create_names=True)
    assert set(written) == {changed.uuid}
    assert moorage.provider(gone.uuid) is None
    assert moorage.traits(changed.uuid).traits == frozenset({trait})
    assert moorage.write_providers(delete={changed.uuid: None}) == {}


def test_an_origin_is_kept_read_and_taken_away(moorage: PlacementClient) -> None:
    host, provider = new_name(), new_provider(moorage)
    origin = Origin(host, made=True, inventories={"VCPU": "driver:linux"})
    new_provider(moorage)
    moorage.write_providers([ProviderWrite(provider.uuid, provider.name, origin=origin)])
    (found,) = moorage.read_providers(["origin"], origin_host=host)
    assert (found.uuid, found.origin) == (provider.uuid, origin)
    moorage.write_providers([ProviderWrite(provider.uuid, provider.name)])
    assert len(moorage.read_providers(origin_host=host)) == 1
    moorage.write_providers([ProviderWrite(provider.uuid, provider.name, origin=None)])
    assert moorage.read_providers(origin_host=host) == ()


def test_why_something_does_not_fit(moorage: PlacementClient) -> None:
    uuid = new_provider(moorage).uuid
    moorage.put_inventories(uuid, {"VCPU": Inventory(4)}, 0)
    told = moorage.explain([("resources", "VCPU:1000000"), ("in_tree", uuid)])
    assert not told["has_candidates"]
    assert told["blocked_by"]["condition"] == "resources=VCPU:1000000"


def test_a_place_is_found_and_taken(moorage: PlacementClient) -> None:
    uuid, server = new_provider(moorage).uuid, str(uuid4())
    moorage.put_inventories(uuid, {"VCPU": Inventory(4)}, 0)
    claim = partial(moorage.claim, project_id="harbour", user_id="me", consumer_type="INSTANCE")
    query = [("resources", "VCPU:3"), ("in_tree", uuid)]
    claimed = claim(query, consumer_uuid=server, strategy="pack")
    assert claimed.consumer_uuid == server
    assert claimed.allocations == {uuid: {"VCPU": 3}}
    assert claimed.mappings == {"": (uuid,)}
    with pytest.raises(Conflict):
        claim(query)
    less = [("resources", "VCPU:1"), ("in_tree", uuid)]
    claim(less, consumer_uuid=server, consumer_generation=1)
    assert moorage.provider_allocations(uuid) == {server: {"VCPU": 1}}

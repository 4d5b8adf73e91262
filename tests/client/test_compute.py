"""Flavors, hosts, servers and quotas of a compute service: of Moorage, over HTTP and in this process."""

from __future__ import annotations

from uuid import uuid4

import pytest

from moorage.client.compute import ComputeClient, Flavor, Hypervisor, ServerFilter
from moorage.client.errors import Conflict, NotFound, Refused
from moorage.client.placement import PlacementClient
from moorage.placement.model.inventory import Inventory
from tests.client.conftest import Clients


@pytest.fixture
def compute(cloud: Clients) -> ComputeClient:
    return cloud.compute


def new_name() -> str:
    return uuid4().hex


def new_flavor(compute: ComputeClient, *, is_public: bool = True) -> Flavor:
    name = new_name()
    return compute.create_flavor(name, f"flavor {name}", vcpus=2, ram_mb=512, disk_gb=3, is_public=is_public)


def new_host(placement: PlacementClient) -> str:
    """A host with eight processors; its name."""
    uuid, name = str(uuid4()), f"host-{new_name()}"
    made = placement.create_provider(uuid, name)
    stocks = {"VCPU": Inventory(8), "MEMORY_MB": Inventory(4096), "DISK_GB": Inventory(100)}
    generation = placement.put_inventories(uuid, stocks, made.generation)
    placement.put_traits(uuid, ["COMPUTE_NODE"], generation)
    return name


def new_server(compute: ComputeClient, flavor: Flavor, host: str) -> str:
    """A server, which the client does not make; here it is asked for in the API's words."""
    server = {"name": "barge", "flavorRef": flavor.id, "networks": "none", "host": host}
    calls = compute._calls.at("compute 2.74")
    made = calls.ask(dict[str, dict[str, object]], "POST", "/servers", content={"server": server})
    return str(made["server"]["id"])


def test_the_service_tells_its_newest_version(compute: ComputeClient) -> None:
    assert compute.newest_version() >= (2, 61)


# --- flavors


def test_a_flavor_is_made_found_and_deleted(compute: ComputeClient) -> None:
    made = new_flavor(compute, is_public=False)
    assert (made.vcpus, made.ram_mb, made.disk_gb, made.swap_mb, made.is_public) == (2, 512, 3, 0, False)
    assert compute.flavor(made.id) == made
    with pytest.raises(Conflict):
        compute.create_flavor(made.id, "another name", vcpus=1, ram_mb=1, disk_gb=1)
    compute.delete_flavor(made.id)
    assert compute.flavor(made.id) is None
    with pytest.raises(NotFound):
        compute.delete_flavor(made.id)


def test_extra_specs_are_set_and_unset(compute: ComputeClient) -> None:
    flavor_id = new_flavor(compute).id
    compute.set_extra_specs(flavor_id, {"hw:cpu_policy": "dedicated", "trait:CUSTOM_A": "required"})
    compute.unset_extra_spec(flavor_id, "hw:cpu_policy")
    found = compute.flavor(flavor_id)
    assert found is not None
    assert found.extra_specs == {"trait:CUSTOM_A": "required"}
    with pytest.raises(NotFound):
        compute.unset_extra_spec(flavor_id, "hw:cpu_policy")


def test_all_flavors_are_listed_also_private_ones_with_their_extra_specs_in_order(compute: ComputeClient) -> None:
    private, public = new_flavor(compute, is_public=False), new_flavor(compute)
    compute.set_extra_specs(private.id, {"a": "b"})
    listed = compute.flavors()
    assert {flavor.id: flavor.extra_specs for flavor in listed if flavor.id in (private.id, public.id)} == {
        private.id: {"a": "b"},
        public.id: {},
    }
    assert [flavor.id for flavor in listed] == sorted(flavor.id for flavor in listed)


def test_a_project_is_let_in_and_out_of_a_flavor(compute: ComputeClient) -> None:
    flavor_id = new_flavor(compute, is_public=False).id
    assert compute.flavor_projects(flavor_id) == frozenset()
    compute.grant_flavor(flavor_id, "harbour")
    with pytest.raises(Conflict):
        compute.grant_flavor(flavor_id, "harbour")
    assert compute.flavor_projects(flavor_id) == {"harbour"}
    compute.revoke_flavor(flavor_id, "harbour")
    with pytest.raises(NotFound):
        compute.revoke_flavor(flavor_id, "harbour")


# --- hosts


def test_hypervisors_tell_what_they_have_and_who_is_on_them(cloud: Clients) -> None:
    host = new_host(cloud.placement)
    server = new_server(cloud.compute, new_flavor(cloud.compute), host)
    [listed] = [found for found in cloud.compute.hypervisors(with_servers=True) if found.name == host]
    assert isinstance(listed, Hypervisor)
    assert (listed.vcpus, listed.vcpus_used, listed.memory_mb, listed.local_gb) == (8, 2, 4096, 100)
    assert (listed.is_up, listed.is_enabled, listed.service.host) == (True, True, host)
    assert [on_it.uuid for on_it in listed.servers] == [server]
    assert cloud.compute.hypervisor_named(host, with_servers=True) == listed
    assert cloud.compute.hypervisor_named(host[:-1]) is None
    assert cloud.compute.hypervisor_named("nobody's name & more") is None


def test_an_aggregate_gets_metadata_and_hosts(cloud: Clients) -> None:
    compute, host, name = cloud.compute, new_host(cloud.placement), new_name()
    made = compute.create_aggregate(name)
    assert (made.name, made.hosts, made.metadata) == (name, (), {})
    compute.set_aggregate_metadata(made.id, {"reservation:1": "a", "other": "b"})
    changed = compute.set_aggregate_metadata(made.id, {"other": None})
    assert changed.metadata == {"reservation:1": "a"}
    assert compute.add_host(made.id, host).hosts == (host,)
    with pytest.raises(Conflict):
        compute.add_host(made.id, host)
    assert compute.aggregate(made.id) in compute.aggregates()
    with pytest.raises(Refused):
        compute.delete_aggregate(made.id)
    compute.remove_host(made.id, host)
    with pytest.raises(NotFound):
        compute.remove_host(made.id, host)
    compute.delete_aggregate(made.id)
    assert compute.aggregate(made.id) is None


def test_availability_zones_have_their_hosts(cloud: Clients) -> None:
    compute, host, zone = cloud.compute, new_host(cloud.placement), new_name()
    compute.add_host(compute.create_aggregate(new_name(), zone).id, host)
    assert {found.name: found.hosts for found in compute.availability_zones()}[zone] == (host,)


# --- servers


def test_servers_are_listed_by_flavor_host_and_project(cloud: Clients) -> None:
    compute, host = cloud.compute, new_host(cloud.placement)
    one, other = new_flavor(compute), new_flavor(compute)
    first, second = new_server(compute, one, host), new_server(compute, other, host)
    assert {server.id for server in compute.servers(ServerFilter(host=host))} == {first, second}
    assert [server.id for server in compute.servers(ServerFilter(flavor=one.id))] == [first]
    found = compute.server(first)
    assert found is not None
    assert (found.host, found.status, found.flavor.name, found.flavor.vcpus) == (host, "ACTIVE", one.name, 2)
    assert (found.image_id, found.volumes) == (None, ())
    assert first in {server.id for server in compute.servers(ServerFilter(project_id=found.project_id))}
    assert compute.servers(ServerFilter(project_id="nobody", host=host)) == ()


def test_a_server_is_deleted(cloud: Clients) -> None:
    compute = cloud.compute
    server = new_server(compute, new_flavor(compute), new_host(cloud.placement))
    compute.delete_server(server)
    assert compute.server(server) is None
    with pytest.raises(NotFound):
        compute.delete_server(server)


def test_server_groups_of_all_projects(compute: ComputeClient) -> None:
    calls, name = compute._calls.at("compute 2.64"), new_name()
    calls.send("POST", "/os-server-groups", content={"server_group": {"name": name, "policy": "affinity"}})
    [found] = [group for group in compute.server_groups() if group.name == name]
    assert (found.policy, found.members) == ("affinity", ())


# --- quotas


def test_quotas_are_read_and_changed(compute: ComputeClient) -> None:
    project = new_name()
    assert compute.limits(project).absolute["maxTotalCores"] == compute.default_quotas()["cores"]
    compute.update_quota_set(project, {"cores": 77})
    limits = compute.limits(project)
    assert (limits.absolute["maxTotalCores"], limits.absolute["totalCoresUsed"]) == (77, 0)
    assert limits.per_flavor == {}

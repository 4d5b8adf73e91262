"""The placement proxy of openstacksdk: every method it has, over HTTP.

Each example runs twice: with the version that the clouds.yaml of the service names for everything, and with the version
that the SDK itself chooses for each kind of resource, which is the oldest one with all of its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import os_traits
import pytest
from openstack import exceptions, warnings
from openstack.config import OpenStackConfig
from openstack.connection import Connection
from openstack.placement.v1._proxy import Proxy
from openstack.placement.v1.resource_provider import ResourceProvider

from tests.clients.running_service import RunningService

# The SDK warns of what will change within itself; what its users have to know is expected where it happens.
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")

METHODS = sorted(name for name, value in vars(Proxy).items() if callable(value) and not name.startswith("_"))
EXAMPLES = Path(__file__).read_text()

SERVER = "c0450000-0000-4000-8000-000000000001"
OTHER_SERVER = "c0450000-0000-4000-8000-000000000002"
ZONE = "a66e0000-0000-4000-8000-000000000002"

CLAIM = {"project_id": "astronomy", "user_id": "tycho", "consumer_type": "INSTANCE"}


@pytest.fixture(params=["1.39", "1"], ids=["newest version", "versions of the SDK"])
def placement(empty_cloud: RunningService, request: pytest.FixtureRequest) -> Iterator[Proxy]:
    clouds = OpenStackConfig(config_files=[str(empty_cloud.clouds_file)], load_envvars=False)
    with Connection(config=clouds.get_one("moorage", placement_api_version=request.param)) as connection:
        yield connection.placement


@pytest.fixture
def host(placement: Proxy) -> ResourceProvider:
    return placement.create_resource_provider(name="az1-compute-01")


@pytest.fixture
def stocked_host(placement: Proxy, host: ResourceProvider) -> ResourceProvider:
    inventories = {"VCPU": {"total": 8, "max_unit": 8}, "MEMORY_MB": {"total": 4096, "max_unit": 4096}}
    return placement.set_resource_provider_inventories(host, inventories, resource_provider_generation=0)


@contextmanager
def refused(kind: type[exceptions.HttpException], reason: str) -> Iterator[None]:
    """Expect an error for a reason, which the SDK does not show but keeps with the answer."""
    with pytest.raises(kind) as refusal:
        yield
    assert refusal.value.response is not None
    assert reason in refusal.value.response.json()["errors"][0]["detail"]


def names(resources: Iterator[Any]) -> set[str]:
    return {resource.name for resource in resources}


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_an_example(method: str) -> None:
    assert re.search(rf"\bplacement\.{method}\(", EXAMPLES)


def test_a_provider_is_created_and_found_again(placement: Proxy) -> None:
    host = placement.create_resource_provider(name="az1-compute-01")
    assert (host.name, host.generation) == ("az1-compute-01", 0)
    assert (host.root_provider_id, host.parent_provider_id) == (host.id, None)
    assert placement.get_resource_provider(host.id) == host
    assert placement.find_resource_provider("az1-compute-01", ignore_missing=False).id == host.id
    assert placement.find_resource_provider(host.id, ignore_missing=False).name == "az1-compute-01"
    assert placement.find_resource_provider("az1-compute-99") is None
    assert names(placement.resource_providers()) == {"az1-compute-01"}


def test_providers_are_filtered(placement: Proxy, stocked_host: ResourceProvider) -> None:
    numa_node = placement.create_resource_provider(name="NUMA0", parent_provider_id=stocked_host.id)
    assert numa_node.root_provider_id == stocked_host.id
    assert names(placement.resource_providers(name="NUMA0")) == {"NUMA0"}
    assert names(placement.resource_providers(id=stocked_host.id)) == {"az1-compute-01"}
    assert names(placement.resource_providers(in_tree=numa_node.id)) == {"az1-compute-01", "NUMA0"}
    assert names(placement.resource_providers(resources="VCPU:8")) == {"az1-compute-01"}
    assert names(placement.resource_providers(required="HW_CPU_X86_AVX")) == set()
    assert names(placement.resource_providers(member_of=ZONE)) == set()


def test_a_provider_is_renamed(placement: Proxy, host: ResourceProvider) -> None:
    assert placement.update_resource_provider(host, name="az2-compute-07").name == "az2-compute-07"
    assert placement.wait_for_status(host, "az2-compute-07", attribute="name", wait=1).id == host.id


def test_a_provider_is_deleted(placement: Proxy, host: ResourceProvider) -> None:
    placement.delete_resource_provider(host)
    placement.wait_for_delete(host, wait=1)
    placement.delete_resource_provider(host)  # a missing one is no error unless the caller says so
    with refused(exceptions.NotFoundException, f"No resource provider with uuid {host.id} found"):
        placement.delete_resource_provider(host, ignore_missing=False)
    with pytest.raises(exceptions.NotFoundException, match=f"No ResourceProvider found for {host.id}"):
        placement.get_resource_provider(host.id)


def test_a_name_is_given_once(placement: Proxy, host: ResourceProvider) -> None:
    with refused(exceptions.ConflictException, "az1-compute-01 already exists"):
        placement.create_resource_provider(name="az1-compute-01")


def test_aggregates_of_a_provider(placement: Proxy, host: ResourceProvider) -> None:
    assert placement.set_resource_provider_aggregates(host, ZONE).aggregates == [ZONE]
    host = placement.fetch_resource_provider_aggregates(host)
    assert (host.aggregates, host.generation) == ([ZONE], 1)
    assert names(placement.resource_providers(member_of=ZONE)) == {"az1-compute-01"}
    assert placement.set_resource_provider_aggregates(host).aggregates == []
    with pytest.warns(warnings.RemovedInSDK50Warning, match="fetch_resource_provider_aggregates"):
        assert placement.get_resource_provider_aggregates(host).aggregates == []


def test_aggregates_are_guarded_by_the_generation(placement: Proxy, host: ResourceProvider) -> None:
    placement.set_resource_provider_aggregates(host, ZONE)
    with refused(exceptions.ConflictException, "generation"):
        placement.set_resource_provider_aggregates(host, ZONE)


def test_an_inventory_is_made_changed_and_deleted(placement: Proxy, host: ResourceProvider) -> None:
    vcpu = placement.create_resource_provider_inventory(host, "VCPU", total=8, allocation_ratio=4.0)
    assert (vcpu.resource_class, vcpu.total, vcpu.allocation_ratio, vcpu.step_size) == ("VCPU", 8, 4.0, 1)
    vcpu = placement.get_resource_provider_inventory("VCPU", host)
    assert (vcpu.total, vcpu.reserved, vcpu.resource_provider_generation) == (8, 0, 1)
    vcpu = placement.update_resource_provider_inventory(vcpu, host, resource_provider_generation=1, total=16)
    assert (vcpu.total, vcpu.resource_provider_generation) == (16, 2)
    [listed] = placement.resource_provider_inventories(host)
    assert (listed.resource_class, listed.total) == ("VCPU", 16)
    placement.delete_resource_provider_inventory("VCPU", host)
    with refused(exceptions.NotFoundException, "VCPU"):
        placement.delete_resource_provider_inventory("VCPU", host, ignore_missing=False)


def test_all_inventories_are_set_and_deleted_together(placement: Proxy, host: ResourceProvider) -> None:
    inventories = {"VCPU": {"total": 8}, "DISK_GB": {"total": 500, "reserved": 10}}
    assert placement.set_resource_provider_inventories(host, inventories, 0).generation == 1
    assert {one.resource_class: one.total for one in placement.resource_provider_inventories(host)} == {
        "VCPU": 8,
        "DISK_GB": 500,
    }
    with refused(exceptions.ConflictException, "generation"):
        placement.set_resource_provider_inventories(host, {}, 0)
    placement.delete_resource_provider_inventories(host)
    assert list(placement.resource_provider_inventories(host)) == []


def test_resource_classes(placement: Proxy) -> None:
    assert placement.create_resource_class(name="CUSTOM_FPGA").name == "CUSTOM_FPGA"
    assert placement.get_resource_class("CUSTOM_FPGA").name == "CUSTOM_FPGA"
    assert {"CUSTOM_FPGA", "VCPU"} <= names(placement.resource_classes())
    with refused(exceptions.ConflictException, "CUSTOM_FPGA"):
        placement.create_resource_class(name="CUSTOM_FPGA")
    placement.delete_resource_class("CUSTOM_FPGA")
    with refused(exceptions.NotFoundException, "CUSTOM_FPGA"):
        placement.delete_resource_class("CUSTOM_FPGA", ignore_missing=False)


def test_an_update_renames_a_resource_class_before_1_7_and_makes_it_since_then(placement: Proxy) -> None:
    placement.create_resource_class(name="CUSTOM_FPGA")
    if placement.default_microversion is None:
        placement.update_resource_class("CUSTOM_FPGA", name="CUSTOM_FPGA_V2")
        assert {"CUSTOM_FPGA", "CUSTOM_FPGA_V2"} & names(placement.resource_classes()) == {"CUSTOM_FPGA_V2"}
    else:
        placement.update_resource_class("CUSTOM_FPGA_V2")
        assert {"CUSTOM_FPGA", "CUSTOM_FPGA_V2"} <= names(placement.resource_classes())


def test_traits(placement: Proxy) -> None:
    assert names(placement.traits()) == set(os_traits.get_traits())
    assert placement.create_trait("CUSTOM_GOLD").name == "CUSTOM_GOLD"
    assert placement.get_trait("CUSTOM_GOLD").id == "CUSTOM_GOLD"
    assert names(placement.traits(name="startswith:CUSTOM_")) == {"CUSTOM_GOLD"}
    assert names(placement.traits(associated=True)) == set()
    placement.delete_trait("CUSTOM_GOLD")
    with refused(exceptions.NotFoundException, "CUSTOM_GOLD"):
        placement.delete_trait("CUSTOM_GOLD", ignore_missing=False)


def test_traits_of_a_provider(placement: Proxy, host: ResourceProvider) -> None:
    assert placement.get_resource_provider_trait(host).traits == []
    traits = placement.get_resource_provider_trait(host)
    traits = placement.set_resource_provider_trait(traits, traits=["HW_CPU_X86_AVX"])
    assert (traits.traits, traits.resource_provider_generation) == (["HW_CPU_X86_AVX"], 1)
    assert names(placement.resource_providers(required="HW_CPU_X86_AVX")) == {"az1-compute-01"}
    assert names(placement.traits(associated=True)) == {"HW_CPU_X86_AVX"}
    placement.delete_resource_provider_trait(host)
    assert placement.get_resource_provider_trait(host).traits == []
    with refused(exceptions.NotFoundException, SERVER):
        placement.delete_resource_provider_trait(SERVER, ignore_missing=False)


def test_a_candidate_becomes_an_allocation(placement: Proxy, stocked_host: ResourceProvider) -> None:
    [candidate] = placement.allocation_candidates(resources="VCPU:2,MEMORY_MB:512", limit=1)
    assert candidate.mappings == {"": [stocked_host.id]}
    assert candidate.provider_summaries[stocked_host.id]["resources"]["VCPU"] == {"capacity": 8, "used": 0}
    placement.update_allocation(SERVER, allocations=candidate.allocations, consumer_generation=None, **CLAIM)
    held = placement.get_allocation(SERVER)
    assert held.allocations[stocked_host.id]["resources"] == {"VCPU": 2, "MEMORY_MB": 512}
    assert (held.project_id, held.user_id, held.consumer_type, held.consumer_generation) == (*CLAIM.values(), 1)


def test_nobody_gets_more_than_there_is(placement: Proxy, stocked_host: ResourceProvider) -> None:
    too_much = {stocked_host.id: {"resources": {"VCPU": 9}}}
    with refused(exceptions.ConflictException, "Unable to allocate inventory"):
        placement.update_allocation(SERVER, allocations=too_much, consumer_generation=None, **CLAIM)
    assert list(placement.allocation_candidates(resources="VCPU:9")) == []


def test_several_consumers_claim_together(placement: Proxy, stocked_host: ResourceProvider) -> None:
    def claim(amount: int) -> dict[str, Any]:
        allocations = {stocked_host.id: {"resources": {"VCPU": amount}}}
        return {"allocations": allocations, "consumer_generation": None, **CLAIM}

    with refused(exceptions.ConflictException, "Unable to allocate inventory"):
        placement.create_allocations({SERVER: claim(8), OTHER_SERVER: claim(1)})
    placement.create_allocations({SERVER: claim(5), OTHER_SERVER: claim(3)})
    assert {one.consumer_id: one.resources for one in placement.resource_provider_allocations(stocked_host)} == {
        SERVER: {"VCPU": 5},
        OTHER_SERVER: {"VCPU": 3},
    }
    assert placement.fetch_resource_provider_usages(stocked_host).usages == {"VCPU": 8, "MEMORY_MB": 0}
    [usage] = placement.usages("astronomy")
    assert (usage.consumer_type, usage.consumer_count, usage.resources) == ("INSTANCE", 2, {"VCPU": 8})
    [usage] = placement.usages("astronomy", user_id="sophie", consumer_type="INSTANCE")
    assert usage.resources == {}


def test_allocations_are_deleted(placement: Proxy, stocked_host: ResourceProvider) -> None:
    allocations = {stocked_host.id: {"resources": {"VCPU": 1}}}
    placement.update_allocation(SERVER, allocations=allocations, consumer_generation=None, **CLAIM)
    placement.delete_allocation(SERVER)
    assert placement.get_allocation(SERVER).allocations == {}
    placement.delete_allocation(SERVER)
    with refused(exceptions.NotFoundException, SERVER):
        placement.delete_allocation(SERVER, ignore_missing=False)

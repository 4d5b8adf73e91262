"""Servers are placed, rebuilt, resized, deleted and audited with upstream's Placement, too."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from moorage.compute.audit import audit, holders
from moorage.compute.servers.consumers import resize_consumer
from moorage.db.database import Database
from tests.client.conftest import http_client
from tests.client.upstream import ADMIN, running_upstream
from tests.compute.servers.yard import Yard, open_yard


@pytest.fixture
def yard(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Yard]:
    with running_upstream(tmp_path_factory.mktemp("upstream")) as endpoint:
        yield open_yard(database, http_client(endpoint, ADMIN))


def test_a_life_with_upstreams_placement(yard: Yard) -> None:
    assert not yard.placement.is_moorage()
    host = yard.host("dock1", traits=["HW_CPU_X86_AVX2"])
    yard.host("dock1_plain_nic", {"SRIOV_NET_VF": 8}, parent=host)
    yard.host("dock2", {"VCPU": 1, "MEMORY_MB": 1024, "DISK_GB": 10})
    yard.aggregate("north", {"availability_zone": "north"}, "dock1")
    flavor = yard.flavor("vf", {"resources:SRIOV_NET_VF": "1", "trait:HW_CPU_X86_AVX2": "required"})

    server = yard.server(flavor, yard.image("plain"), availability_zone="north")
    assert yard.place_of(server) == "dock1"
    assert yard.held(server)[host] == {"VCPU": 1, "MEMORY_MB": 1024, "DISK_GB": 10}

    yard.host("dock1_offload_nic", {"SRIOV_NET_VF": 8}, traits=["CUSTOM_NIC_OFFLOAD"], parent=host)
    offloading = yard.image("offloading", {"trait:CUSTOM_NIC_OFFLOAD": "required"})
    refused = yard.act(server, "rebuild", {"imageRef": offloading})
    assert (refused.status, "CUSTOM_NIC_OFFLOAD" in refused.message) == (409, True)
    fitting = yard.image("fitting", {"trait:HW_CPU_X86_AVX2": "required"})
    assert yard.act(server, "rebuild", {"imageRef": fitting}).status == 202

    huge = yard.shown(yard.server(yard.flavor("huge", vcpus=64)))
    assert (
        huge["fault"]["message"] == "No valid host was found. No host has all of: DISK_GB 10, MEMORY_MB 1024, VCPU 64."
    )

    larger = yard.flavor("larger", {"resources:SRIOV_NET_VF": "1"}, vcpus=2)
    assert yard.act(server, "resize", {"flavorRef": larger}).status == 202
    assert holders(yard.placement) == {server, resize_consumer(server)}
    assert yard.act(server, "revertResize").status == 202
    assert holders(yard.placement) == {server}

    together = yard.server(yard.flavor("small"), min_count=3, name="tug")
    assert yard.shown(together)["status"] == "ACTIVE"
    assert len(holders(yard.placement)) == 4
    yard.placement.delete_allocations(server)
    [finding] = audit(yard.compute, fix=True, age=timedelta())
    assert (finding.kind.value, finding.uuid) == ("server_without_allocation", server)
    assert yard.held(server)

    for each in yard.get("/servers")["servers"]:
        assert yard.send("DELETE", f"/servers/{each['id']}").status == 204
    assert holders(yard.placement) == frozenset()

"""What only a Nova answers, over real HTTP: long lists in pages, services, volumes, limits of single flavors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.client.compute import ComputeClient, VolumeAttachment
from moorage.client.errors import NotFound
from tests.client.conftest import transport_to
from tests.client.nova import Nova
from tests.client.serving import serving


@pytest.fixture
def compute() -> Iterator[ComputeClient]:
    with serving(Nova("h1", "h2", "h3", "h4")) as address:
        yield ComputeClient(transport_to(address, "token"))


def test_every_page_is_read(compute: ComputeClient) -> None:
    found = compute.hypervisors()
    assert [hypervisor.service.host for hypervisor in found] == ["h1", "h2", "h3", "h4"]
    assert (found[0].name, found[0].vcpus, found[0].cpu_info) == ("h1.example.org", 64, {"arch": "x86_64"})


def test_a_list_is_read_again_when_the_end_of_a_page_is_gone() -> None:
    with serving(Nova("h1", "h2", "h3", disturbed=True)) as address:
        found = ComputeClient(transport_to(address, "token")).hypervisors()
    assert [hypervisor.service.host for hypervisor in found] == ["h1", "h3"]


def test_services_tell_whether_their_hosts_work(compute: ComputeClient) -> None:
    [service] = compute.services(binary="nova-compute")
    assert (service.host, service.state, service.status, service.forced_down) == ("h1", "down", "disabled", True)


def test_volumes_of_a_server(compute: ComputeClient) -> None:
    assert compute.volume_attachments("s1") == (VolumeAttachment("vol-1", "/dev/vda"),)
    with pytest.raises(NotFound, match="Nothing is there"):
        compute.volume_attachments("s2")


def test_limits_of_single_flavors(compute: ComputeClient) -> None:
    limits = compute.limits("harbour")
    assert limits.absolute["maxTotalCores"] == 10
    assert limits.per_flavor == {"big": {"maxTotalInstances": 4, "totalInstancesUsed": 1}}


def test_default_quotas_are_those_of_the_class(compute: ComputeClient) -> None:
    assert compute.default_quotas() == {"cores": 20, "instances": 10}


def test_the_newest_version(compute: ComputeClient) -> None:
    assert compute.newest_version() == (2, 103)

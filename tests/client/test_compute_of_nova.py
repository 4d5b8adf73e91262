"""What only a Nova answers, over real HTTP: long lists in pages, services, volumes, limits of single flavors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qs
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from moorage.client.compute import ComputeClient, VolumeAttachment
from moorage.client.errors import NotFound
from moorage.client.in_process import WsgiTransport
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


class Groups:
    """A Nova with server groups, of which it shows ten at a time; some are deleted after the first page."""

    def __init__(self, count: int, *deleted: int) -> None:
        self._groups = [
            {"id": f"g{number}", "name": "g", "project_id": "p", "user_id": "u", "policy": "affinity"}
            for number in range(count)
        ]
        self._deleted = {f"g{number}" for number in deleted}
        self.asked = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        offset = int(parse_qs(environ["QUERY_STRING"])["offset"][-1])
        page = self._groups[offset : offset + 10]
        self._groups = [group for group in self._groups if group["id"] not in self._deleted]
        self.asked += 1
        start_response("200 OK", [("content-type", "application/json")])
        return [json.dumps({"server_groups": page}).encode()]


def groups_of(nova: Groups) -> list[str]:
    return [group.id for group in ComputeClient(WsgiTransport(nova)).server_groups()]


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 35])
def test_every_server_group_is_read_once(count: int) -> None:
    nova = Groups(count)
    assert groups_of(nova) == [f"g{number}" for number in range(count)]
    assert nova.asked <= count // 9 + 2


@pytest.mark.parametrize("deleted", [0, 4, 9])
def test_a_server_group_that_is_deleted_meanwhile_hides_no_other(deleted: int) -> None:
    # The one after the first page moves to where nobody looks any more.
    assert groups_of(Groups(25, deleted)) == [f"g{number}" for number in range(25)]

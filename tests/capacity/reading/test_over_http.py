"""The whole service over HTTP: a Nova with the patch for split flavors and one without, and upstream's Placement."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from keystoneauth1.adapter import Adapter
from keystoneauth1.token_endpoint import Token

from moorage.capacity.reading.services import Services
from moorage.client.http import HttpTransport, open_session
from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from moorage.placement.model.inventory import Inventory
from tests.capacity.fake_cloud import FakeCloud, provider_uuid, services_over
from tests.capacity.liquids import Speaker, speaker
from tests.client.serving import serving
from tests.client.upstream import ADMIN, running_upstream

SPLIT = {"quota:separate": "true"}
HOSTS = [f"host-{number:02}" for number in range(20)]
STOCK_LIMITS = {
    "maxTotalCores": 40,
    "maxTotalInstances": 20,
    "maxTotalRAMSize": 99999,
    "maxServerGroups": 10,
    "maxServerGroupMembers": 10,
    "totalCoresUsed": 10,
    "totalInstancesUsed": 2,
    "totalRAMUsed": 10240,
    "totalServerGroupsUsed": 1,
}


def server(name: str, flavor: str, vcpus: int) -> dict[str, Any]:
    return {
        "id": name,
        "flavor_id": flavor,
        "name": name,
        "status": "ACTIVE",
        "image": {"id": "image"},
        "flavor": {"original_name": flavor, "vcpus": vcpus, "ram": vcpus * 1024, "disk": 10},
        "OS-EXT-AZ:availability_zone": "north",
        "availability_zone": "north",
        "hypervisor_hostname": HOSTS[0],
    }


def content(limits: dict[str, Any]) -> dict[str, Any]:
    inventory = {"reserved": 0, "min_unit": 1, "step_size": 1, "allocation_ratio": 1.0}
    sizes = {"VCPU": 32, "MEMORY_MB": 131072, "DISK_GB": 1000}
    return {
        "flavors": [
            {"id": "pooled", "name": "pooled", "vcpus": 2, "ram": 2048, "disk": 10},
            {"id": "split", "name": "split", "vcpus": 8, "ram": 8192, "disk": 10, "extra_specs": SPLIT},
        ],
        "hypervisors": [
            {
                "id": name,
                "hypervisor_hostname": name,
                "hypervisor_type": "QEMU",
                "running_vms": 0,
                "service_host": name,
                "traits": ["COMPUTE_NODE"],
                "inventories": {key: {**inventory, "total": size, "max_unit": size} for key, size in sizes.items()},
                "usages": dict.fromkeys(sizes, 0),
            }
            for name in HOSTS
        ],
        "aggregates": [{"id": 1, "name": "north", "availability_zone": "north", "hosts": HOSTS}],
        "servers": [server("small", "pooled", 2), server("large", "split", 8)],
        "server_groups": [{"id": "g", "project_id": "harbour", "members": ["small", "large"]}],
        "images": {"image": {"vmware_ostype": "sles15_64Guest"}},
        "limits": limits,
    }


STOCK = {"absolute": STOCK_LIMITS}
PATCHED = {
    "absolute": {**STOCK_LIMITS, "totalCoresUsed": 2, "totalInstancesUsed": 1, "totalRAMUsed": 2048},
    "absolutePerFlavor": {"split": {"maxTotalInstances": 3, "totalInstancesUsed": 1}},
}


def http(address: str) -> Services:
    def transport(service: str) -> HttpTransport:
        endpoint = f"{address}/{service}"
        session = open_session(Token(endpoint, ADMIN))
        return HttpTransport(Adapter(session, service_type=service, endpoint_override=endpoint))

    return services_over(transport)


@pytest.fixture
def asking(database: Database) -> Iterator[Callable[[WSGIApplication], Speaker]]:
    """Somebody who speaks to a service over a cloud that is reached over HTTP."""
    stops: list[Any] = []

    def asker(cloud: WSGIApplication) -> Speaker:
        server = serving(cloud)
        stops.append(server)
        return speaker(database, http(server.__enter__()), {"with_subresources": True})

    yield asker
    for server in stops:
        server.__exit__(None, None, None)


@pytest.mark.parametrize(("limits", "quota"), [(STOCK, -1), (PATCHED, 3)], ids=["stock", "patched"])
def test_usage(asking: Callable[[WSGIApplication], Speaker], limits: dict[str, Any], quota: int) -> None:
    found = asking(FakeCloud(content(limits))).usage({"allAZs": ["north"]})["resources"]
    assert found["cores"]["perAZ"] == {"north": {"usage": 2}}
    assert found["ram"]["perAZ"] == {"north": {"usage": 2048}}
    assert found["instances_split"]["quota"] == quota
    assert found["instances_split"]["perAZ"]["north"]["usage"] == 1
    assert found["server_group_members"]["perAZ"] == {"any": {"usage": 2}}
    [listed] = found["instances"]["perAZ"]["north"]["subresources"]
    assert (listed["id"], listed["attributes"]["os_type"]) == ("small", "sles15_64Guest")


def test_a_stock_nova_keeps_no_quotas_of_flavors(asking: Callable[[WSGIApplication], Speaker]) -> None:
    body = {"resources": {"cores": {"quota": 1}, "instances_split": {"quota": 2}}}
    stock, patched = FakeCloud(content(STOCK)), FakeCloud(content(PATCHED))
    response = asking(stock).put("/v1/projects/harbour/quota", body)
    assert response.status == 400
    assert b"resources.instances_split" in response.body
    assert not stock.quotas
    assert asking(patched).put("/v1/projects/harbour/quota", body).status == 204
    assert patched.quotas == [{"quota_set": {"cores": 1, "instances_split": 2}}]


class Crowd:
    """A cloud that takes its time, and notes how many asked at the same time."""

    def __init__(self, cloud: FakeCloud) -> None:
        self._cloud = cloud
        self._lock = threading.Lock()
        self._present = 0
        self.most = 0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        with self._lock:
            self._present += 1
            self.most = max(self.most, self._present)
        time.sleep(0.01)
        try:
            return self._cloud(environ, start_response)
        finally:
            with self._lock:
                self._present -= 1


def test_hypervisors_are_asked_about_side_by_side_and_not_all_at_once(
    asking: Callable[[WSGIApplication], Speaker],
) -> None:
    cloud = FakeCloud(content(STOCK))
    crowd = Crowd(cloud)
    report = asking(crowd).capacity({"allAZs": ["north"]})
    assert report["resources"]["cores"]["perAZ"]["north"]["usage"] == 0
    assert sum(path.endswith("/inventories") for path in cloud.asked) == len(HOSTS)
    assert 4 < crowd.most <= 16


class Patient:
    """A cloud whose Placement tells about a hypervisor only when it was asked for all that there is to know of it."""

    def __init__(self, cloud: FakeCloud) -> None:
        self._cloud = cloud
        self._all_asked = threading.Barrier(3, timeout=10)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith("/placement/resource_providers/"):
            self._all_asked.wait()
        return self._cloud(environ, start_response)


def test_no_question_about_a_hypervisor_waits_for_another(asking: Callable[[WSGIApplication], Speaker]) -> None:
    given = content(STOCK)
    given["hypervisors"] = given["hypervisors"][:1]
    report = asking(Patient(FakeCloud(given))).capacity({"allAZs": ["north"]})
    assert report["resources"]["cores"]["perAZ"]["north"]["usage"] == 0


@pytest.mark.parametrize("kind", ["traits", "inventories", "usages"])
def test_a_hypervisor_whose_provider_goes_while_it_is_asked_about_is_named(
    asking: Callable[[WSGIApplication], Speaker], kind: str
) -> None:
    class Gone(FakeCloud):
        def _placement(self, parts: list[str], query: Mapping[str, list[str]]) -> Any:
            found = super()._placement(parts, query)
            return super()._placement(["nothing"], query) if parts[1:] == [gone, kind] else found

    given = content(STOCK)
    gone = provider_uuid(given["hypervisors"][4])
    response = asking(Gone(given)).post("/v1/report-capacity", {"allAZs": ["north"]})
    assert response.status == 500
    assert "host-04" in response.body.decode()
    assert "its resource provider was deleted while Placement was asked about it" in response.body.decode()
    assert "1 hypervisor" in response.body.decode()


def test_a_hypervisor_that_placement_does_not_know_stops_the_report_and_is_named(
    asking: Callable[[WSGIApplication], Speaker],
) -> None:
    given = content(STOCK)
    for number in (3, 5):
        given["hypervisors"][number]["no_resource_provider"] = True
    response = asking(FakeCloud(given)).post("/v1/report-capacity", {"allAZs": ["north"]})
    assert response.status == 500
    for name in ("host-03", "host-05", "Placement has no resource provider of that name", "skip_failing"):
        assert name in response.body.decode()


@pytest.mark.parametrize("odd", [{"metadata": [7]}, {"flavor": None}, {"id": None}])
def test_an_answer_that_no_nova_gives_is_told(
    asking: Callable[[WSGIApplication], Speaker], odd: dict[str, Any]
) -> None:
    given = content(STOCK)
    given["servers"].append(server("odd", "pooled", 2) | odd)
    response = asking(FakeCloud(given)).post("/v1/projects/harbour/report-usage", {"allAZs": ["north"]})
    assert (response.status, response.headers["content-type"]) == (500, "text/plain; charset=utf-8")
    assert "GET /servers/detail was answered with something that was not expected: " in response.body.decode()


def test_a_server_that_goes_while_it_is_looked_at_does_not_stop_the_report(
    asking: Callable[[WSGIApplication], Speaker],
) -> None:
    given = content(PATCHED) | {"volume_attachments": {}, "volumes": {}}
    given["servers"].append(server("gone", "pooled", 2) | {"image": ""})
    found = asking(FakeCloud(given)).usage({"allAZs": ["north"]})["resources"]["instances"]["perAZ"]["north"]
    os_types = {each["id"]: each["attributes"]["os_type"] for each in found["subresources"]}
    assert os_types == {"small": "sles15_64Guest", "gone": "rootdisk-inspect-error"}


def test_many_requests_at_once(asking: Callable[[WSGIApplication], Speaker]) -> None:
    asker = asking(FakeCloud(content(PATCHED)))
    usage, capacity = asker.usage({"allAZs": ["north"]}), asker.capacity({"allAZs": ["north"]})

    def ask(number: int) -> bool:
        if number % 3 == 0:
            return bool(asker.capacity({"allAZs": ["north"]}) == capacity)
        return bool(asker.usage({"allAZs": ["north"]}) == usage)

    with ThreadPoolExecutor(12) as threads:
        assert all(threads.map(ask, range(36)))


def test_services_that_are_away_are_told(database: Database) -> None:
    response = speaker(database, http("http://127.0.0.1:9")).get("/v1/info")
    assert (response.status, response.headers["content-type"]) == (500, "text/plain; charset=utf-8")
    assert "GET /flavors/detail" in response.body.decode()
    assert "http://127.0.0.1:9/compute cannot be reached: Connection refused" in response.body.decode()


def test_upstream_placement(database: Database, tmp_path: Any) -> None:
    with running_upstream(tmp_path) as endpoint:
        session = open_session(Token(endpoint, ADMIN))
        session.additional_headers["x-roles"] = "admin,service"
        placement = PlacementClient(
            HttpTransport(Adapter(session, service_type="placement", endpoint_override=endpoint))
        )
        for number, name in enumerate(HOSTS[:3]):
            uuid = f"00000000-0000-0000-0000-00000000000{number + 1}"
            placement.create_provider(uuid, name)
            generation = placement.put_traits(uuid, {"COMPUTE_NODE"}, 0)
            sizes = {"VCPU": 32, "MEMORY_MB": 131072, "DISK_GB": 1000}
            inventories = {key: Inventory(total=size, max_unit=size) for key, size in sizes.items()}
            placement.put_inventories(uuid, inventories, generation)
        given = content(STOCK)
        given["hypervisors"] = given["hypervisors"][:3]
        others = FakeCloud(given).services()
        services = Services(placement, others.compute, others.image, others.volume)
        report = speaker(database, services).capacity({"allAZs": ["north"]})["resources"]
    split = report["instances_split"]["perAZ"]["north"]["capacity"]
    assert 0 < split <= 12
    assert report["cores"]["perAZ"]["north"] == {"capacity": 96 - 8 * split, "usage": 0}

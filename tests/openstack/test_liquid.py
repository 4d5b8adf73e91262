"""LIQUID reports of a stock Nova keep the rules of the protocol, and add up with what Nova and Placement say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import httpx
import msgspec
import pytest

from moorage.capacity.protocol.info import ServiceInfo
from moorage.capacity.protocol.reports import CapacityReport, UsageReport
from tests.capacity.protocol import receiver
from tests.openstack.cloud.site import COMPUTES
from tests.openstack.cloud.whole import ZONES
from tests.openstack.leases import lease, reservable_host
from tests.openstack.operator import Operator

INVENTORIES = {"cores": "VCPU", "ram": "MEMORY_MB"}
"""What LIQUID's resources are in Placement."""

WAITING_SECONDS = 60

Answer = TypeVar("Answer")


class Limes:
    """Whoever asks the LIQUID service, as an administrator, and refuses reports that break a rule of the protocol."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator

    def asks(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """One request."""
        cloud = self.operator.cloud
        return httpx.request(
            method,
            f"{cloud.endpoint_for('liquid-nova')}{path}",
            json=body,
            headers={"X-Auth-Token": self.operator.token},
            timeout=WAITING_SECONDS,
        )

    @property
    def info(self) -> ServiceInfo:
        """What is declared."""
        return _read(ServiceInfo, self._info())

    def _info(self) -> httpx.Response:
        answer = self.asks("GET", "/v1/info")
        assert receiver.wrong_with_info(_good(answer)) == []
        return answer

    def capacity(self, path: str = "", demand: Mapping[str, Any] | None = None) -> CapacityReport:
        """How much there is."""
        body = None if path else {"allAZs": list(ZONES), "demandByResource": demand or {}}
        answer = self.asks("POST", f"/v1/report-capacity{path}", body)
        assert receiver.wrong_with_capacity(_good(answer), ZONES, self._info().json()) == []
        return _read(CapacityReport, answer)

    def usage(self, project_id: str) -> UsageReport:
        """What a project uses."""
        path = f"/v1/projects/{project_id}/report-usage"
        answer = self.asks("POST", path, {"allAZs": list(ZONES)})
        assert receiver.wrong_with_usage(_good(answer), ZONES, self._info().json()) == []
        return _read(UsageReport, answer)

    def quota(self, project_id: str, **quotas: int) -> httpx.Response:
        """Have a project's quotas changed."""
        wanted = {"resources": {name: {"quota": quota} for name, quota in quotas.items()}}
        return self.asks("PUT", f"/v1/projects/{project_id}/quota", wanted)

    def figures(self) -> dict[str, float]:
        """What Prometheus is told."""
        lines = self.asks("GET", "/metrics").text.splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def _good(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()


def _read(kind: type[Answer], answer: httpx.Response) -> Answer:
    return msgspec.json.decode(answer.content, type=kind)


@pytest.fixture(scope="module")
def limes(operator: Operator) -> Limes:
    """Who asks."""
    return Limes(operator)


@pytest.fixture(scope="module")
def tycho(operator: Operator) -> Operator:
    """A user of a project whose usage is asked for."""
    return Operator(operator.site, "tycho", "astronomy")


@pytest.fixture
def project(limes: Limes, tycho: Operator) -> Iterator[str]:
    """That project; its quotas are without bounds again afterwards."""
    found = tycho.project_id
    yield found
    limes.operator.cloud.compute.revert_quota_set(found)


def offered(operator: Operator, zone: str, resource_class: str) -> int:
    """What Placement has in a zone that is not held back."""
    inventories = [
        operator.asks_placement(f"/resource_providers/{operator.provider(host)}/inventories/{resource_class}")
        for host in ZONES[zone]
    ]
    return sum(inventory["total"] - inventory["reserved"] for inventory in inventories)


def test_capacity_is_what_placement_has_by_zone(limes: Limes, operator: Operator, tycho: Operator) -> None:
    with tycho.server("medium", availability_zone="south"), tycho.server(availability_zone="north"):
        report = limes.capacity()
        usages = operator.usages()
    for resource, resource_class in INVENTORIES.items():
        per_zone = report.resources[resource].per_zone
        assert {zone: per_zone[zone].capacity for zone in ZONES} == {
            zone: offered(operator, zone, resource_class) for zone in ZONES
        }
        for zone, hosts in ZONES.items():
            parts = {part.name: part for part in per_zone[zone].subcapacities}
            assert parts.keys() == set(hosts)
            assert {host: part.usage for host, part in parts.items()} == {
                host: usages[host][resource_class] for host in hosts
            }
            assert sum(part.capacity for part in parts.values()) == per_zone[zone].capacity
    assert report.resources["instances"].per_zone["north"].capacity == 10_000


def test_servers_of_a_split_flavor_are_taken_out_of_the_pool(limes: Limes, operator: Operator) -> None:
    whole = limes.capacity().resources["cores"].per_zone
    with operator.flavor({"quota:separate": "true"}, vcpus=100, ram=51_200) as flavor:
        name = f"instances_{flavor}"
        promised = {"usage": 0, "unusedCommitments": 2, "pendingCommitments": 0}
        report = limes.capacity(demand={name: {"perAZ": {"north": promised}}})
        assert name in limes.info.resources
        for zone in ZONES:
            split = report.resources[name].per_zone[zone].capacity
            assert report.resources["cores"].per_zone[zone].capacity + split * 100 == whole[zone].capacity
        assert report.resources[name].per_zone["north"].capacity >= 2


def test_usage_is_what_nova_counts_and_its_servers_explain_it(
    limes: Limes, operator: Operator, tycho: Operator, project: str
) -> None:
    with (
        operator.flavor({"quota:separate": "true"}, vcpus=3) as split,
        tycho.server(availability_zone="north") as north,
        tycho.server("medium", availability_zone="south") as south,
        tycho.server(split, availability_zone="south") as apart,
    ):
        limes.capacity()  # which looks for new flavors
        report = limes.usage(project)
        limits = operator.cloud.compute.get("/limits", params={"tenant_id": project}).json()["limits"]["absolute"]
        usages = operator.asks_placement(f"/usages?project_id={project}")["usages"]

    def counted(resource: str) -> dict[str, int]:
        return {zone: usage.usage for zone, usage in report.resources[resource].per_zone.items()}

    assert counted("instances") == {"north": 1, "south": 1}
    assert counted("cores") == {"north": 1, "south": 2}
    assert counted("ram") == {"north": 512, "south": 1024}
    assert counted(f"instances_{split}") == {"north": 0, "south": 1}
    # Nova and Placement count the split flavor's server in the same pool.
    assert limits["totalInstancesUsed"] == sum(counted("instances").values()) + 1
    assert limits["totalCoresUsed"] == sum(counted("cores").values()) + 3
    assert sum(kind["VCPU"] for kind in usages.values()) == limits["totalCoresUsed"]
    assert sum(kind["MEMORY_MB"] for kind in usages.values()) == limits["totalRAMUsed"]
    assert sum(counted("ram").values()) == limits["totalRAMUsed"] - 512

    def listed(resource: str, zone: str) -> dict[str, str]:
        return {part.id: part.name for part in report.resources[resource].per_zone[zone].subresources}

    assert listed("instances", "north") == {north.id: north.name}
    assert listed("instances", "south") == {south.id: south.name}
    assert listed(f"instances_{split}", "south") == {apart.id: apart.name}


def test_os_types_come_from_glance(limes: Limes, operator: Operator, tycho: Operator, project: str) -> None:
    images: Any = operator.cloud.image
    public = {"visibility": "public"}
    with operator.image(vmware_ostype="debian10_64Guest", **public) as debian, operator.image(**public) as tagged:
        images.add_tag(operator.image_id(tagged), "ostype:plan9")
        with tycho.server(image=debian) as one, tycho.server(image=tagged) as two, tycho.server() as three:
            report = limes.usage(project)
            assert os_types(report) == {one.id: "debian10_64Guest", two.id: "plan9", three.id: "unknown"}
            flavors = {part.attributes["flavor"]["name"] for part in servers_of(report)}
            assert flavors == {"small"}


def servers_of(report: UsageReport) -> list[Any]:
    """Every server that is listed."""
    return [part for zone in report.resources["instances"].per_zone.values() for part in zone.subresources]


def os_types(report: UsageReport) -> dict[str, str]:
    """What runs on each server."""
    return {part.id: part.attributes["os_type"] for part in servers_of(report)}


def test_quotas_are_kept_by_nova(limes: Limes, operator: Operator, tycho: Operator, project: str) -> None:
    answer = limes.quota(project, cores=2, instances=5, ram=4096, server_groups=3)
    assert answer.status_code == 204, answer.text
    shown = operator.cloud.compute.get_quota_set(project)
    assert (shown.cores, shown.instances, shown.ram, shown.server_groups) == (2, 5, 4096, 3)
    report = limes.usage(project)
    assert {name: report.resources[name].quota for name in ("cores", "instances", "ram")} == {
        "cores": 2, "instances": 5, "ram": 4096,
    }  # fmt: skip
    with tycho.server("medium"):
        refused = tycho.runs("openstack server create --flavor small --image plain --nic none more")
        assert refused.returncode != 0
        assert "Quota exceeded for cores" in refused.stderr


def test_a_quota_that_a_stock_nova_cannot_keep_is_refused(limes: Limes, operator: Operator, project: str) -> None:
    before = operator.cloud.compute.get_quota_set(project).to_dict()
    with operator.flavor({"quota:separate": "true"}) as flavor:
        limes.capacity()  # which looks for new flavors
        assert limes.usage(project).resources[f"instances_{flavor}"].quota == -1
        refused = limes.quota(project, cores=7, **{f"instances_{flavor}": 3})
        assert refused.status_code == 400
        assert f"instances_{flavor}" in refused.text
        assert "keeps no quotas for single flavors" in refused.text
    refused = limes.quota(project, cores=2**31)
    assert refused.status_code == 400
    assert "2147483647" in refused.text
    assert operator.cloud.compute.get_quota_set(project).to_dict() == before


def test_leases_are_demand(limes: Limes, operator: Operator, tycho: Operator) -> None:
    wanted = "resource_type=virtual:instance,vcpus=4,memory_mb=512,disk_gb=1,amount=2,affinity=None"
    with reservable_host(operator, COMPUTES[2]), lease(tycho, wanted):
        limes.capacity("?demand=leases")
        figures = limes.figures()
    assert figures['moorage_capacity_committed{resource="cores",zone="south"}'] == 8

"""A cloud that Moorage serves over HTTP, from its hosts' agent to its leases, and what is reported of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest

from moorage.capacity.model.cloud import read_snapshot
from moorage.capacity.report import report_capacity
from tests.clients.running_service import MOORAGE, RunningService, clean_environment, running_service
from tests.patience import eventually

ZONES = ["north", "south"]
CONFIGURATION = {"with_subcapacities": True, "with_subresources": True}
NODES = """
    nodes:
      - name: n1
        inventories: {VCPU: 32, MEMORY_MB: 131072, DISK_GB: 2000}
      - name: n2
        inventories: {VCPU: 32, MEMORY_MB: 131072, DISK_GB: 2000}
      - name: s1
        inventories: {VCPU: 64, MEMORY_MB: 262144, DISK_GB: 4000}
"""


class Operator:
    """Somebody who runs a cloud, with the command and with the APIs."""

    def __init__(self, service: RunningService, directory: Path) -> None:
        self._directory = directory
        self._http = httpx.Client(base_url=service.url, headers={"X-Auth-Token": service.token}, timeout=60)
        self._environment = {
            **clean_environment(),
            "MOORAGE_CONFIG": str(directory / "moorage.conf"),
            "XDG_DATA_HOME": str(directory),
            "COLUMNS": "160",
        }
        self._agent_settings = directory / "agent.conf"
        self._agent_settings.write_text(
            dedent(
                f"""
                [DEFAULT]
                state_path = {directory / "agent"}
                [placement_client]
                auth_type = admin_token
                endpoint = {service.placement}
                token = {service.token}
                endpoint_override = {service.placement}
                [agent]
                driver = static
                host = lab
                [compute]
                provider_config_location = {directory / "provider_config"}
                [static]
                file = {directory / "nodes.yaml"}
                """
            )
        )

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [MOORAGE, *arguments], env=self._environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def report_hosts(self) -> None:
        (self._directory / "provider_config").mkdir()
        (self._directory / "nodes.yaml").write_text(dedent(NODES))
        self.run("agent", "--once", "--config", str(self._agent_settings))

    def do(self, method: str, path: str, content: object = None) -> Any:
        headers = {"OpenStack-API-Version": "compute 2.90"}
        answer = self._http.request(method, path, json=content, headers=headers)
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def compute(self, method: str, path: str, content: object = None) -> Any:
        return self.do(method, f"/compute/v2.1{path}", content)

    def zone(self, name: str, *hosts: str) -> None:
        new = {"aggregate": {"name": name, "availability_zone": name}}
        number = self.compute("POST", "/os-aggregates", new)["aggregate"]["id"]
        for host in hosts:
            self.compute("POST", f"/os-aggregates/{number}/action", {"add_host": {"host": host}})

    def flavor(self, name: str, vcpus: int, ram: int, disk: int, **extra_specs: str) -> None:
        new = {"id": name, "name": name, "vcpus": vcpus, "ram": ram, "disk": disk}
        self.compute("POST", "/flavors", {"flavor": new})
        if extra_specs:
            specs = {key.replace("__", ":"): value for key, value in extra_specs.items()}
            self.compute("POST", f"/flavors/{name}/os-extra_specs", {"extra_specs": specs})

    def image(self) -> str:
        new = {"name": "sles", "disk_format": "raw", "container_format": "bare", "vmware_ostype": "sles15_64Guest"}
        image_id: str = self.do("POST", "/image/v2/images", new)["id"]
        sent = self._http.put(
            f"/image/v2/images/{image_id}/file", content=b"", headers={"content-type": "application/octet-stream"}
        )
        assert sent.status_code == 204, sent.text
        return image_id

    def server(self, flavor: str, image: str, zone: str) -> str:
        new = {"name": flavor, "flavorRef": flavor, "imageRef": image, "networks": "none", "availability_zone": zone}
        made = self.compute("POST", "/servers", {"server": new})["server"]["id"]

        def show() -> Any:
            return self.compute("GET", f"/servers/{made}")["server"]

        eventually(lambda: show()["status"] != "BUILD", "the placing of a server")
        shown = show()
        assert shown["status"] == "ACTIVE", shown
        project: str = shown["tenant_id"]
        return project

    def lease(self, start: datetime | None, *reservations: object) -> Any:
        begin = datetime.now(UTC) if start is None else start
        new = {
            "name": "berth",
            "start_date": "now" if start is None else begin.strftime("%Y-%m-%d %H:%M"),
            "end_date": (begin + timedelta(days=2)).strftime("%Y-%m-%d %H:%M"),
            "reservations": reservations,
        }
        made = self.do("POST", "/reservation/v1/leases", new)["lease"]
        wanted = "ACTIVE" if start is None else "PENDING"

        def show() -> Any:
            return self.do("GET", f"/reservation/v1/leases/{made['id']}")["lease"]

        eventually(lambda: show()["status"] == wanted, f"the status {wanted} of a lease")
        return show()


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    settings = tmp_path / "liquid.json"
    settings.write_text(json.dumps(CONFIGURATION))
    configuration = f"[liquid]\nconfig_file = {settings}\n[quota]\nseparate_instances = 7\n"
    with running_service(tmp_path, configuration=configuration) as service:
        yield Operator(service, tmp_path)


def test_a_cloud_from_its_hosts_to_its_leases(operator: Operator) -> None:
    operator.report_hosts()
    operator.zone("north", "n1", "n2")
    operator.zone("south", "s1")
    operator.flavor("small", 2, 4096, 20)
    operator.flavor("big", 16, 65536, 100, quota__separate="true")
    image = operator.image()
    operator.do("POST", "/reservation/v1/os-hosts", {"name": "s1"})
    project = operator.server("small", image, "north")
    operator.server("big", image, "north")
    # Two are promised now, of which one is used, and one is promised for tomorrow; beside them a part of the pool.
    promised = {"resource_type": "flavor:instance", "flavor_id": "big", "amount": 2, "affinity": None}
    lease = operator.lease(None, promised)
    operator.server(lease["reservations"][0]["id"], image, "south")
    later = {"resource_type": "virtual:instance", "amount": 3, "vcpus": 2, "memory_mb": 2048, "disk_gb": 10}
    operator.lease(datetime.now(UTC) + timedelta(days=1), {**promised, "amount": 1}, later)

    usage = operator.do("POST", f"/liquid-nova/v1/projects/{project}/report-usage", {"allAZs": ZONES})["resources"]
    assert {zone: at["usage"] for zone, at in usage["cores"]["perAZ"].items()} == {"north": 2, "south": 0}
    assert {zone: at["usage"] for zone, at in usage["instances_big"]["perAZ"].items()} == {"north": 1, "south": 1}
    for zone in ZONES:
        [listed] = usage["instances_big"]["perAZ"][zone]["subresources"]
        assert listed["attributes"]["os_type"] == "sles15_64Guest"
    # Compute counts the server of the lease towards the same quota, and has none for the lease alone.
    quotas = operator.compute("GET", f"/os-quota-sets/{project}/detail")["quota_set"]
    assert {name: each["in_use"] for name, each in quotas.items() if name.startswith("instances_")} == {
        "instances_big": 2
    }

    found = operator.do("POST", "/liquid-nova/v1/report-capacity?demand=leases")["resources"]
    for zone, cores, ram in (("north", 64, 262144), ("south", 64, 262144)):
        big = found["instances_big"]["perAZ"][zone]["capacity"]
        assert found["cores"]["perAZ"][zone]["capacity"] == cores - 16 * big
        assert found["ram"]["perAZ"][zone]["capacity"] == ram - 65536 * big
        assert found["cores"]["perAZ"][zone]["capacity"] >= usage["cores"]["perAZ"][zone]["usage"]
    assert found["instances_big"]["perAZ"]["north"]["capacity"] >= 1
    assert found["instances_big"]["perAZ"]["south"]["capacity"] >= 3
    # A snapshot, which sees the server of the lease where it is, reports the same.
    snapshot = read_snapshot(operator.run("capacity", "snapshot").encode())
    assert "s1" in {server.hypervisor_hostname for server in snapshot.cloud.servers}
    again = report_capacity(snapshot.cloud, snapshot.request, snapshot.configuration).report.resources
    assert {name: {zone: at.capacity for zone, at in zones.items()} for name, zones in again.items()} == {
        name: {zone: at["capacity"] for zone, at in each["perAZ"].items()} for name, each in found.items()
    }
    listed = found["cores"]["perAZ"]["north"]["subcapacities"]
    assert [(each["name"], each["attributes"]["aggregate_name"]) for each in listed] == [
        ("n1", "north"),
        ("n2", "north"),
    ]
    assert sum(each["usage"] for each in listed) == 2 + 16

    figures = operator._http.get("/liquid-nova/metrics").text.splitlines()
    for line in (
        'moorage_capacity_used{resource="instances_big",zone="north"} 1.0',
        'moorage_capacity_committed{resource="instances_big",zone="south"} 1.0',
        'moorage_capacity_used{resource="instances_big",zone="south"} 1.0',
        'moorage_capacity_pending{resource="instances_big",zone="south"} 1.0',
        'moorage_capacity_pending{resource="cores",zone="south"} 6.0',
        'moorage_capacity_gap{zone="south"} 0.0',
    ):
        assert line in figures

    # The command says the same of the same cloud, by the settings of the service and as whoever asks its APIs.
    told = operator.run("capacity", "report")
    assert operator.run("capacity", "report", "--os-cloud", "moorage") == told
    lines = [line.replace("│", " ").split() for line in told.splitlines()]
    shown = {(line[0], line[1]): line[2:7] for line in lines if len(line) >= 7}
    for (name, zone), parts in (("big", "north"), ["1", "0", "0"]), (("big", "south"), ["1", "1", "1"]):
        capacity = found["instances_big"]["perAZ"][zone]["capacity"]
        assert shown[name, zone] == [str(capacity), *parts, str(capacity - sum(map(int, parts)))]
    assert shown["cores", "south"][1:4] == ["0", "0", "6"]
    fit = operator.run("capacity", "fit", "small", "big")
    assert "north" in fit
    assert "south" not in next(line for line in fit.splitlines() if "small" in line), "the host is for leases"

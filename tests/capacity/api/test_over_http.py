"""The whole API over HTTP, as `moorage serve` offers it: with each way to authenticate, and as the policy says."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.running_service import RunningService, running_service

ZONE = {"allAZs": ["north"]}
CHANGE: dict[str, Any] = {"az": "north", "dryRun": True, "infoVersion": 1, "byProject": {}}
FLAVOR = {"id": "small", "name": "small", "vcpus": 2, "ram": 4096, "disk": 20}
REQUESTS: list[tuple[str, str, Any, int]] = [
    ("GET", "/v1/info", None, 200),
    ("POST", "/v1/report-capacity", ZONE, 200),
    ("POST", "/v1/report-capacity?demand=leases", None, 200),
    ("POST", "/v1/report-capacity", {**ZONE, "colour": "blue"}, 400),
    ("POST", "/v1/projects/harbour/report-usage", ZONE, 200),
    ("PUT", "/v1/projects/harbour/quota", {"resources": {"cores": {"quota": 5}}}, 204),
    ("PUT", "/v1/projects/harbour/quota", {"resources": {"cores": {"quota": -5}}}, 400),
    ("POST", "/v1/change-commitments", CHANGE, 400),
    ("GET", "/metrics", None, 200),
]
POLICY = '"liquid:get_usage": "role:reader and project_id:%(project_id)s or role:admin"\n'


def asked(service: RunningService, headers: dict[str, str], method: str, path: str, body: Any) -> httpx.Response:
    return httpx.request(method, f"{service.url}/liquid-nova{path}", json=body, headers=headers, timeout=60)


@pytest.mark.parametrize("strategy", ["noauth2", "token"])
def test_every_path(tmp_path: Path, strategy: str) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(POLICY)
    settings = f"[oslo_policy]\npolicy_file = {policy}\n"
    with running_service(tmp_path, "--auth", strategy, configuration=settings) as service:
        admin = {"X-Auth-Token": "admin" if strategy == "noauth2" else service.token}
        made = httpx.post(f"{service.url}/compute/v2.1/flavors", json={"flavor": FLAVOR}, headers=admin, timeout=60)
        assert made.status_code == 200, made.text
        for method, path, body, status in REQUESTS:
            answer = asked(service, admin, method, path, body)
            assert answer.status_code == status, (method, path, answer.text)
            for stranger in ({}, {"X-Auth-Token": ""}):
                answer = asked(service, stranger, method, path, body)
                assert answer.status_code == 401, (method, path)
                assert answer.headers["content-type"].startswith("text/plain")
        if strategy == "noauth2":
            mate = {"X-Auth-Token": "mate:harbour", "X-Roles": "reader"}
            assert asked(service, mate, "POST", "/v1/projects/harbour/report-usage", ZONE).status_code == 200
            assert asked(service, mate, "POST", "/v1/projects/tortuga/report-usage", ZONE).status_code == 403
            assert asked(service, mate, "GET", "/v1/info", None).status_code == 403
        _check_that_many_may_ask_at_once(service, admin)


def _check_that_many_may_ask_at_once(service: RunningService, admin: dict[str, str]) -> None:
    def answer(request: tuple[str, str, Any, int]) -> tuple[int, str]:
        found = asked(service, admin, *request[:3])
        return found.status_code, found.text

    asking = [request for request in REQUESTS if request[3] in (200, 204) and request[1] != "/metrics"] * 5
    alone = [answer(request) for request in asking]
    with ThreadPoolExecutor(10) as threads:
        together = list(threads.map(answer, asking))
    assert together == alone
    _check_that_each_of_many_quotas_is_written(service, admin)


def _check_that_each_of_many_quotas_is_written(service: RunningService, admin: dict[str, str]) -> None:
    """Whoever writes one quota takes none away that others write at the same moment."""
    names = ("cores", "instances", "ram", "server_groups", "server_group_members")
    wanted = {f"port-{number}": dict.fromkeys(names, 10 + number) for number in range(4)}
    writes = [(project, name, quota) for project, quotas in wanted.items() for name, quota in quotas.items()]

    def write(item: tuple[str, str, int]) -> int:
        project, name, quota = item
        body = {"resources": {name: {"quota": quota}}}
        return asked(service, admin, "PUT", f"/v1/projects/{project}/quota", body).status_code

    with ThreadPoolExecutor(10) as threads:
        assert set(threads.map(write, writes)) == {204}
    for project, quotas in wanted.items():
        found = asked(service, admin, "POST", f"/v1/projects/{project}/report-usage", ZONE).json()["resources"]
        assert {name: each["quota"] for name, each in found.items()} == quotas

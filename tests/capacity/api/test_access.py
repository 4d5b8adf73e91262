"""Who may ask: with each strategy of authentication, and as the policy says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from moorage.client.in_process import WsgiTransport
from moorage.client.transport import Response
from moorage.service.application import all_application
from moorage.service.credentials import ensure_token
from moorage.service.settings import load_settings, token_file

REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "/v1/info", None),
    ("POST", "/v1/report-capacity", {"allAZs": []}),
    ("POST", "/v1/projects/harbour/report-usage", {"allAZs": []}),
    ("PUT", "/v1/projects/harbour/quota", {"resources": {}}),
    ("POST", "/v1/change-commitments", {}),
    ("GET", "/metrics", None),
]

NOBODY: dict[str, str] = {}
SOMEBODY = {"x-auth-token": "mate:harbour", "x-roles": "member,reader"}
ADMIN = {"x-auth-token": "admin"}


def application(database_url: str, **overrides: object) -> WsgiTransport:
    settings = {"database.connection": database_url, "api.auth_strategy": "noauth2"}
    given = {name.replace("__", "."): value for name, value in overrides.items()}
    return WsgiTransport(all_application(load_settings({**settings, **given})))


def asked(transport: WsgiTransport, request: tuple[str, str, Any], headers: dict[str, str]) -> Response:
    method, path, content = request
    return transport.send(method, f"/liquid-nova{path}", content=content, headers=headers)


@pytest.mark.parametrize("request_", REQUESTS, ids=[path for _, path, _ in REQUESTS])
def test_administrators_alone_with_noauth2(
    empty_database: str, installation: object, request_: tuple[str, str, Any]
) -> None:
    transport = application(empty_database)
    for headers, status in ((NOBODY, 401), (SOMEBODY, 403)):
        response = asked(transport, request_, headers)
        assert (response.status, response.headers["content-type"]) == (status, "text/plain; charset=utf-8")
    assert asked(transport, request_, ADMIN).status not in (401, 403)


def test_a_token_is_needed_and_enough(empty_database: str, installation: object) -> None:
    token = ensure_token(token_file(load_settings()))
    transport = application(empty_database, api__auth_strategy="token")
    request_ = ("GET", "/v1/info", None)
    assert asked(transport, request_, NOBODY).status == 401
    assert asked(transport, request_, {"x-auth-token": "guess"}).status == 401
    response = asked(transport, request_, {"x-auth-token": token})
    assert response.status == 200
    assert response.json()["displayName"] == "Compute"


def test_the_policy_may_let_projects_see_their_own_usage_and_no_other(
    empty_database: str, installation: object, tmp_path: Path
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text('"liquid:get_usage": "role:reader and project_id:%(project_id)s"\n')
    transport = application(empty_database, oslo_policy__policy_file=str(policy))
    body = {"allAZs": ["north"]}
    own, other = (("POST", f"/v1/projects/{name}/report-usage", body) for name in ("harbour", "tortuga"))
    assert asked(transport, own, SOMEBODY).status == 200
    assert asked(transport, other, SOMEBODY).status == 403
    assert asked(transport, ("GET", "/v1/info", None), SOMEBODY).status == 403


@pytest.mark.parametrize(
    ("rule", "method", "path", "body"),
    [
        ("liquid:get_usage", "POST", "report-usage", {"allAZs": ["north"]}),
        ("liquid:set_quota", "PUT", "quota", {"resources": {"cores": {"quota": 5}}}),
    ],
)
def test_the_policy_is_asked_about_the_project_in_the_path_and_not_about_the_callers(
    empty_database: str, installation: object, tmp_path: Path, rule: str, method: str, path: str, body: Any
) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(f'"{rule}": "role:service and \'harbour\':%(project_id)s"\n')
    transport = application(empty_database, oslo_policy__policy_file=str(policy))
    limes = {"x-auth-token": "limes:service", "x-roles": "service"}
    statuses = [
        asked(transport, (method, f"/v1/projects/{project}/{path}", body), limes).status
        for project in ("harbour", "tortuga", "service")
    ]
    assert statuses == [200 if method == "POST" else 204, 403, 403]


def test_metrics_may_be_open(empty_database: str, installation: object) -> None:
    transport = application(empty_database, liquid__open_metrics=True)
    assert asked(transport, ("GET", "/metrics", None), NOBODY).status == 200
    assert asked(transport, ("GET", "/v1/info", None), NOBODY).status == 401


def test_what_is_not_there_is_told_in_plain_text(empty_database: str, installation: object) -> None:
    transport = application(empty_database)
    response = asked(transport, ("GET", "/v1/nothing", None), ADMIN)
    assert (response.status, response.headers["content-type"]) == (404, "text/plain; charset=utf-8")
    assert asked(transport, ("DELETE", "/v1/info", None), ADMIN).status == 405

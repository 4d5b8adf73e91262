"""The strategy `keystone`: whom Keystone vouches for, and what they may do by default."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import httpx
import pytest

from tests.clients.keystone import SERVICE_PASSWORD, SERVICE_TOKEN, Keystone, Token, running_keystone
from tests.clients.running_service import RunningService, running_service

SYSTEM = {"system": {"all": True}}
DOMAIN = {"domain": {"id": "default", "name": "Default"}}

TOKENS = {
    "token-of-an-administrator": Token("root", ("admin", "member", "reader"), "operations"),
    "token-of-nova": Token("nova", ("service",), "service"),
    "token-of-a-reader": Token("tycho", ("reader",), "astronomy"),
    "token-of-a-stranger": Token("carl", ("member", "reader"), "botany"),
    "token-of-nobody-special": Token("guest", (), "astronomy"),
    "token-of-the-system": Token("root", ("admin", "member", "reader"), scope=SYSTEM),
    "token-of-a-domain": Token("root", ("admin", "member", "reader"), scope=DOMAIN),
    "token-that-expired": Token("root", ("admin",), "operations", lifetime=timedelta(seconds=-5)),
}


@pytest.fixture(scope="module")
def keystone() -> Iterator[Keystone]:
    with running_keystone(TOKENS) as started:
        yield started


@pytest.fixture(scope="module")
def service(keystone: Keystone, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    configuration = f"[DEFAULT]\ndebug = true\n{keystone.settings}"
    directory = tmp_path_factory.mktemp("service")
    with running_service(directory, "--auth", "keystone", configuration=configuration) as started:
        yield started


@pytest.mark.parametrize(
    ("token", "providers", "usages"),
    [
        ("token-of-an-administrator", 200, 200),
        ("token-of-nova", 200, 200),
        ("token-of-a-reader", 403, 200),
        ("token-of-a-stranger", 403, 403),
        ("token-of-nobody-special", 403, 403),
        ("token-of-the-system", 403, 403),
        ("token-of-a-domain", 403, 403),
        ("token-that-expired", 401, 401),
        ("token-that-was-forged", 401, 401),
    ],
)
def test_who_may_see_all_providers_and_who_the_usages_of_a_project(
    service: RunningService, token: str, providers: int, usages: int
) -> None:
    assert service.get("/resource_providers", X_Auth_Token=token).status_code == providers
    assert service.get("/usages?project_id=astronomy", X_Auth_Token=token).status_code == usages


@pytest.mark.parametrize(("token", "status"), [("token-of-nova", 400), ("token-of-an-administrator", 403)])
def test_reshaping_is_for_services_alone(service: RunningService, token: str, status: int) -> None:
    """Only who may reshape at all is told that there is nothing to reshape."""
    headers = {"X-Auth-Token": token, "OpenStack-API-Version": "placement 1.39"}
    nothing: dict[str, object] = {"inventories": {}, "allocations": {}}
    assert httpx.post(f"{service.placement}/reshaper", json=nothing, headers=headers).status_code == status


def test_a_refusal_names_the_rule(service: RunningService) -> None:
    [error] = service.get("/resource_providers", X_Auth_Token="token-of-a-reader").json()["errors"]
    assert "Policy does not allow placement:resource_providers:list to be performed." in error["detail"]


def test_without_a_token_the_caller_learns_where_to_get_one(service: RunningService, keystone: Keystone) -> None:
    answer = service.get("/resource_providers")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == f'Keystone uri="{keystone.url}"'


def test_the_root_needs_no_token(service: RunningService, keystone: Keystone) -> None:
    asked = len(keystone.questions)
    for path in ("", "/"):
        assert service.get(path).json()["versions"][0]["max_version"] == "1.39"
        assert service.get(path, X_Auth_Token="token-that-was-forged").status_code == 200
    assert len(keystone.questions) == asked


def test_what_a_client_says_about_itself_is_not_believed(service: RunningService) -> None:
    claims = {
        "X_Identity_Status": "Confirmed",
        "X_User_Id": "root",
        "X_Project_Id": "astronomy",
        "X_Roles": "admin",
        "OpenStack_System_Scope": "all",
    }
    assert service.get("/resource_providers", **claims).status_code == 401
    assert service.get("/resource_providers", X_Auth_Token="token-of-a-reader", **claims).status_code == 403
    assert service.get("/usages?project_id=astronomy", X_Auth_Token="token-of-a-stranger", **claims).status_code == 403
    assert service.get("/usages?project_id=astronomy", X_Auth_Token="token-of-a-reader", **claims).status_code == 200


def test_a_service_may_finish_what_an_expired_token_began(service: RunningService) -> None:
    tokens = {"X_Auth_Token": "token-that-expired", "X_Service_Token": "token-of-nova"}
    assert service.get("/resource_providers", **tokens).status_code == 200
    tokens["X_Service_Token"] = "token-of-a-stranger"
    assert service.get("/resource_providers", **tokens).status_code == 401


def test_keystone_is_asked_once_about_a_valid_token(service: RunningService, keystone: Keystone) -> None:
    for _ in range(3):
        service.get("/resource_providers", X_Auth_Token="token-of-nova")
    assert keystone.questions.count("token-of-nova") == 1


def test_nobody_comes_in_while_keystone_is_ill(
    service: RunningService, keystone: Keystone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keystone, "is_ill", True)
    assert service.get("/resource_providers", X_Auth_Token="a-token-never-seen-before").status_code == 503


def test_secrets_never_appear_in_the_log(service: RunningService) -> None:
    tokens = [*TOKENS, "token-that-was-forged"]
    for token in tokens:
        service.get("/resource_providers", X_Auth_Token=token, X_Service_Token=token)
    log = service.log
    assert '"GET /placement/resource_providers" status: 401' in log
    for secret in (*tokens, SERVICE_PASSWORD, SERVICE_TOKEN):
        assert secret not in log

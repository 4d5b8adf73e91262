"""The strategy `token`: who knows the secret in the file may do everything, and nobody else anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.clients.running_service import RunningService, running_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A service of its own, whose token may be replaced."""
    with running_service(tmp_path_factory.mktemp("service")) as started:
        yield started


def replace(file: Path, token: str) -> None:
    """Put another file in the place of one, as an editor or a configuration management does."""
    new = file.with_name("new-token")
    new.touch(mode=0o600)
    new.write_text(f"{token}\n")
    new.rename(file)


def test_the_token_opens_everything(service: RunningService) -> None:
    assert service.get("/resource_providers", X_Auth_Token=service.token).status_code == 200
    assert service.get("/usages?project_id=astronomy", X_Auth_Token=service.token).status_code == 200
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    nothing: dict[str, object] = {"inventories": {}, "allocations": {}}
    assert httpx.post(f"{service.placement}/reshaper", json=nothing, headers=headers).status_code == 400


def test_without_a_token_the_caller_learns_what_to_send(service: RunningService) -> None:
    answer = service.get("/resource_providers")
    assert answer.status_code == 401
    assert "X-Auth-Token" in answer.headers["www-authenticate"]
    [error] = answer.json()["errors"]
    assert error["detail"] == "Send the token as the header X-Auth-Token."
    assert error["request_id"] == answer.headers["x-openstack-request-id"]


@pytest.mark.parametrize("guess", ["", "admin", "admin:admin", "a" * 43, "ключ", "a" * 4000])
def test_a_guess_does_not_help(service: RunningService, guess: str) -> None:
    headers = {b"X-Auth-Token": guess.encode()}
    assert httpx.get(f"{service.placement}/resource_providers", headers=headers).status_code == 401


def test_what_a_client_says_about_itself_is_not_believed(service: RunningService) -> None:
    claims = {"X_Identity_Status": "Confirmed", "X_User_Id": "admin", "X_Project_Id": "admin", "X_Roles": "admin"}
    assert service.get("/resource_providers", **claims).status_code == 401


def test_the_root_needs_no_token(service: RunningService) -> None:
    for path in ("", "/"):
        [version] = service.get(path).json()["versions"]
        assert (version["min_version"], version["max_version"]) == ("1.0", "1.39")
        assert service.get(path, X_Auth_Token="guess").status_code == 200


def test_what_does_not_exist_needs_a_token_too(service: RunningService) -> None:
    assert service.get("/nothing/here").status_code == 401
    assert service.get("/nothing/here", X_Auth_Token=service.token).status_code == 404


def test_a_token_is_replaced_while_serving(service: RunningService) -> None:
    old, new = service.token, "chosen-by-the-operator"
    replace(service.token_file, new)
    assert service.get("/resource_providers", X_Auth_Token=new).status_code == 200
    assert service.get("/resource_providers", X_Auth_Token=old).status_code == 401
    replace(service.token_file, old)
    assert service.get("/resource_providers", X_Auth_Token=old).status_code == 200


def test_nobody_comes_in_while_the_file_is_away(service: RunningService) -> None:
    token, away = service.token, service.token_file.with_name("away")
    service.token_file.rename(away)
    answer = service.get("/resource_providers", X_Auth_Token=token)
    away.rename(service.token_file)
    assert answer.status_code == 503
    assert service.get("/resource_providers", X_Auth_Token=token).status_code == 200


def test_nobody_comes_in_while_others_can_read_the_file(service: RunningService) -> None:
    token = service.token
    service.token_file.chmod(0o644)
    answer = service.get("/resource_providers", X_Auth_Token=token)
    service.token_file.chmod(0o600)
    assert answer.status_code == 503
    assert "chmod 600" in service.log
    assert "Traceback" not in service.log
    assert service.get("/resource_providers", X_Auth_Token=token).status_code == 200


def test_the_token_never_appears_in_the_log(service: RunningService) -> None:
    service.get("/resource_providers", X_Auth_Token=service.token)
    service.get("/resource_providers", X_Auth_Token="a-guess-that-may-be-somebodys-password")
    log = service.log
    assert '"GET /placement/resource_providers" status: 401' in log
    assert service.token not in log
    assert "a-guess-that-may-be-somebodys-password" not in log

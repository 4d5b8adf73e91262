"""The strategy `noauth2`: callers are who they say they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.running_service import RunningService, running_service


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    with running_service(tmp_path_factory.mktemp("service"), "--auth", "noauth2") as started:
        yield started


def test_somebody_must_be_named_except_at_the_root(service: RunningService) -> None:
    assert service.get("/resource_providers").status_code == 401
    assert service.get("/").status_code == 200
    assert service.get("").status_code == 200


def test_the_user_admin_is_an_administrator(service: RunningService) -> None:
    assert service.get("/resource_providers", X_Auth_Token="admin").status_code == 200
    assert service.get("/resource_providers", X_Auth_Token="admin:operations").status_code == 200
    assert service.get("/resource_providers", X_Auth_Token="tycho").status_code == 403


def test_the_header_with_roles_overrules_that(service: RunningService) -> None:
    assert service.get("/resource_providers", X_Auth_Token="admin", X_Roles="member,reader").status_code == 403
    assert service.get("/resource_providers", X_Auth_Token="nova", X_Roles="member,service").status_code == 200


@pytest.mark.parametrize(
    ("token", "status"),
    [
        ("tycho:astronomy", 200),
        ("tycho:botany", 403),
        ("astronomy", 200),  # without a project, the user's name stands for it
    ],
)
def test_the_token_names_user_and_project(service: RunningService, token: str, status: int) -> None:
    answer = service.get("/usages?project_id=astronomy", X_Auth_Token=token, X_Roles="reader")
    assert answer.status_code == status


def test_a_header_may_name_the_project(service: RunningService) -> None:
    reader = {"X_Auth_Token": "tycho:botany", "X_Roles": "reader", "X_Project_Id": "astronomy"}
    assert service.get("/usages?project_id=astronomy", **reader).status_code == 200


def test_a_token_for_the_system_is_not_one_for_a_project(service: RunningService) -> None:
    system = {"X_Auth_Token": "admin", "X_Roles": "admin", "OpenStack_System_Scope": "all"}
    assert service.get("/resource_providers", **system).status_code == 403

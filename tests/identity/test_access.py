"""Nobody comes in without a token, and nobody but administrators where it is not about their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from oslo_config import cfg

from moorage.db.database import Database
from moorage.identity.api.policies import KNOWN, rules
from moorage.identity.api.routes import ROUTES
from moorage.service.settings import token_file
from tests.identity.cloud import Cloud

OPERATIONS = [
    (method, path, operation)
    for path, methods in ROUTES.items()
    for method, operations in methods.items()
    for operation in operations
]
GUARDED = [(method, path) for method, path, operation in OPERATIONS if operation.rule is not None]
ADMINISTRATORS = [(method, path) for method, path, operation in OPERATIONS if operation.rule not in (None, KNOWN)]


def filled(path: str) -> str:
    """A path with names of things that are not there."""
    return path.replace("{", "no-").replace("}", "")


@pytest.mark.parametrize("token", [None, "guess", "admin", "x" * 5000])
def test_nobody_comes_in_without_a_token(cloud: Cloud, token: str | None) -> None:
    for method, path in GUARDED:
        answer = cloud.send(method, filled(path), {}, token)
        assert answer.status_code == 401, (method, path)
        assert answer.json()["error"]["title"] == "Unauthorized"


def test_members_do_nothing_that_is_for_administrators(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    for token in (cloud.token(mary, astronomy), cloud.token(mary)):
        for method, path in ADMINISTRATORS:
            answer = cloud.send(method, filled(path), {}, token)
            assert answer.status_code == 403, (method, path)
            assert answer.json()["error"]["title"] == "Forbidden"
    assert len(ADMINISTRATORS) > 25


def test_administrators_of_any_project_and_of_the_system_do(cloud: Cloud) -> None:
    mary, astronomy = cloud.member(role="admin")
    assert cloud.get("/v3/users", cloud.token(mary, astronomy))["users"]
    answer = cloud.with_password("admin", cloud.admin_password, {"system": {"all": True}})
    assert cloud.get("/v3/users", answer.headers["X-Subject-Token"])["users"]


def test_every_rule_of_a_route_is_declared_and_every_declared_rule_guards_something() -> None:
    declared = {rule.name: rule for rule in rules()}
    used = {operation.rule for _, _, operation in OPERATIONS if operation.rule is not None}
    assert used <= set(declared)
    known = {f"{method} {path}" for method, path in GUARDED}
    for rule in declared.values():
        for operation in rule.operations:
            path = operation["path"].removesuffix(" (others')")
            assert f"{operation['method']} {path}" in known, rule.name


def test_a_policy_file_changes_who_may(settings: cfg.ConfigOpts, database: Database, tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text('"identity:list_projects": "role:reader"\n')
    settings.set_override("policy_file", str(file), group="oslo_policy")
    cloud = Cloud(settings, database)
    mary, astronomy = cloud.member()
    assert cloud.send("GET", "/v3/projects", token=cloud.token(mary, astronomy)).status_code == 200
    assert cloud.send("GET", "/v3/users", token=cloud.token(mary, astronomy)).status_code == 403


def test_nobody_is_let_in_while_the_admin_token_cannot_be_checked(cloud: Cloud) -> None:
    token_file(cloud.settings).chmod(0o644)
    assert cloud.send("GET", "/v3/users").status_code == 503
    token_file(cloud.settings).chmod(0o600)
    assert cloud.send("GET", "/v3/users").status_code == 200


def test_what_is_not_there_is_said_in_the_words_of_this_api(cloud: Cloud) -> None:
    assert cloud.send("GET", "/v3/groups").json()["error"]["code"] == 404
    answer = cloud.send("PUT", "/v3/users")
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, 405)
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "POST"}
    assert cloud.send("GET", "/v3/users/%00").status_code == 404

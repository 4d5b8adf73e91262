"""A program acts for a user, with no more than it was given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.identity.cloud import ADDRESS, Cloud, named, text_of


@pytest.fixture
def mary(cloud: Cloud) -> tuple[str, str]:
    """A member of a project, by both ids."""
    return cloud.member()


def create(cloud: Cloud, mary: tuple[str, str], **attributes: object) -> Any:
    """A credential as its maker sees it."""
    user_id, project_id = mary
    body = {"application_credential": {"name": "backup", **attributes}}
    path = f"/v3/users/{user_id}/application_credentials"
    return cloud.post(path, body, cloud.token(user_id, project_id))["application_credential"]


def refusal(cloud: Cloud, mary: tuple[str, str], **attributes: object) -> int:
    user_id, project_id = mary
    body = {"application_credential": {"name": "backup", **attributes}}
    path = f"/v3/users/{user_id}/application_credentials"
    return cloud.send("POST", path, body, cloud.token(user_id, project_id)).status_code


def test_a_program_logs_in_for_its_user(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary)
    answer = cloud.with_credential(made["id"], made["secret"])
    token = answer.json()["token"]
    assert token["user"]["id"] == mary[0]
    assert token["project"]["id"] == mary[1]
    assert token["methods"] == ["application_credential"]
    assert [role["name"] for role in token["roles"]] == ["member", "reader"]
    assert token["application_credential"] == {"id": made["id"], "name": "backup", "restricted": True}
    assert cloud.is_good(text_of(answer))


@pytest.mark.parametrize("how", ["by name", "by id"])
def test_it_is_named_by_its_user_and_name_as_well(cloud: Cloud, mary: tuple[str, str], how: str) -> None:
    made = create(cloud, mary)
    user = named("mary") if how == "by name" else {"id": mary[0]}

    def attempt(name: str, user: object, secret: str) -> int:
        proof = {"name": name, "user": user, "secret": secret}
        return cloud.log_in({"methods": ["application_credential"], "application_credential": proof}).status_code

    assert attempt("backup", user, made["secret"]) == 201
    assert attempt("backup", user, "wrong") == 401
    assert attempt("other", user, made["secret"]) == 401
    assert attempt("backup", {"id": "admin"}, made["secret"]) == 401
    assert attempt("backup", named("nobody"), made["secret"]) == 401


def test_it_is_shown_without_its_secret_afterwards(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary, description="Nightly")
    secret = made.pop("secret")
    path = f"/v3/users/{mary[0]}/application_credentials"
    token = cloud.token(*mary)
    assert cloud.get(f"{path}/{made['id']}", token)["application_credential"] == made
    assert cloud.get(path, token)["application_credentials"] == [made]
    assert cloud.get(f"{path}?name=other", token)["application_credentials"] == []
    assert secret not in cloud.send("GET", path, token=token).text
    assert made["links"] == {"self": f"{ADDRESS}/identity{path}/{made['id']}"}
    assert made["description"] == "Nightly"
    assert made["project_id"] == mary[1]
    assert made["expires_at"] is None


def test_its_secret_may_be_chosen(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary, secret="chosen")
    assert made["secret"] == "chosen"
    assert cloud.with_credential(made["id"], "chosen").status_code == 201
    assert cloud.with_credential(made["id"], "Chosen").status_code == 401


def test_it_passes_on_no_more_roles_than_asked_for(cloud: Cloud, mary: tuple[str, str]) -> None:
    for number, role in enumerate(({"name": "reader"}, {"id": "reader"})):
        made = create(cloud, mary, name=f"reader{number}", roles=[role])
        token = cloud.with_credential(made["id"], made["secret"]).json()["token"]
        assert [role["name"] for role in token["roles"]] == ["reader"]


def test_it_passes_on_no_more_roles_than_its_user_has(cloud: Cloud, mary: tuple[str, str]) -> None:
    assert refusal(cloud, mary, roles=[{"name": "admin"}]) == 400
    assert refusal(cloud, mary, roles=[{"name": "member"}, {"id": "nothing"}]) == 400
    made = create(cloud, mary)
    cloud.grant(*mary, "admin")
    token = cloud.with_credential(made["id"], made["secret"]).json()["token"]
    assert [role["name"] for role in token["roles"]] == ["member", "reader"]
    cloud.delete(f"/v3/projects/{mary[1]}/users/{mary[0]}/roles/admin")
    cloud.delete(f"/v3/projects/{mary[1]}/users/{mary[0]}/roles/member")
    assert cloud.with_credential(made["id"], made["secret"]).status_code == 401


def test_it_is_for_its_project_alone(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary)
    other = cloud.project("biology")
    cloud.grant(mary[0], other)
    for scope in ({"project": {"id": other}}, {"project": {"id": mary[1]}}, "unscoped"):
        assert cloud.with_credential(made["id"], made["secret"], scope).status_code == 401
    token = text_of(cloud.with_credential(made["id"], made["secret"]))
    assert [project["id"] for project in cloud.get("/v3/auth/projects", token)["projects"]] == [mary[1]]
    answer = cloud.with_token(token, {"project": {"id": other}})
    assert answer.status_code == 403


def test_a_restricted_one_makes_and_removes_no_others(cloud: Cloud, mary: tuple[str, str]) -> None:
    path = f"/v3/users/{mary[0]}/application_credentials"
    body = {"application_credential": {"name": "another"}}
    for name, unrestricted, status in (("restricted", False, 403), ("unrestricted", True, 201)):
        made = create(cloud, mary, name=name, unrestricted=unrestricted)
        token = text_of(cloud.with_credential(made["id"], made["secret"]))
        assert cloud.send("POST", path, body, token).status_code == status
        removed = cloud.send("DELETE", f"{path}/{made['id']}", token=token).status_code
        assert removed == (403 if status == 403 else 204)


def test_removing_it_takes_its_tokens_back(cloud: Cloud, mary: tuple[str, str]) -> None:
    made, other = create(cloud, mary), create(cloud, mary, name="other")
    token = text_of(cloud.with_credential(made["id"], made["secret"]))
    others = text_of(cloud.with_credential(other["id"], other["secret"]))
    path = f"/v3/users/{mary[0]}/application_credentials/{made['id']}"
    cloud.delete(path, cloud.token(*mary))
    assert not cloud.is_good(token)
    assert cloud.is_good(others)
    assert cloud.with_credential(made["id"], made["secret"]).status_code == 401
    assert cloud.send("GET", path).status_code == 404
    assert cloud.send("DELETE", path).status_code == 404


def test_it_ends_when_it_was_said_to(cloud: Cloud, mary: tuple[str, str]) -> None:
    end = cloud.clock.now().replace(year=cloud.clock.now().year + 1, day=1)
    made = create(cloud, mary, expires_at=f"{end.isoformat()}Z")
    assert made["expires_at"] == f"{end.isoformat()}.000000Z"
    cloud.clock.pass_by(seconds=(end - cloud.clock.now()).total_seconds() - 60)
    token = text_of(cloud.with_credential(made["id"], made["secret"]))
    cloud.clock.pass_by(seconds=59)
    assert cloud.is_good(token)
    cloud.clock.pass_by(seconds=1)
    assert not cloud.is_good(token)
    assert cloud.with_credential(made["id"], made["secret"]).status_code == 401


@pytest.mark.parametrize(
    ("written", "meant"),
    [("2999-01-01T12:00:00", 12), ("2999-01-01T12:00:00.123456", 12), ("2999-01-01T12:00:00+02:00", 10)],
)
def test_times_are_read_in_utc_unless_they_say_otherwise(
    cloud: Cloud, mary: tuple[str, str], written: str, meant: int
) -> None:
    assert create(cloud, mary, expires_at=written)["expires_at"] == f"2999-01-01T{meant}:00:00.000000Z"


@pytest.mark.parametrize(
    "attributes",
    [
        {"name": ""},
        {"name": None},
        {"secret": 5},
        {"roles": "member"},
        {"roles": [{}]},
        {"unrestricted": "yes"},
        {"expires_at": "soon"},
        {"expires_at": "2001-01-01T00:00:00Z"},
        {"access_rules": [{"path": "/v3/users", "method": "GET", "service": "identity"}]},
    ],
)
def test_what_makes_no_sense_is_refused(cloud: Cloud, mary: tuple[str, str], attributes: dict[str, object]) -> None:
    assert refusal(cloud, mary, **attributes) == 400
    assert cloud.get(f"/v3/users/{mary[0]}/application_credentials")["application_credentials"] == []


def test_a_name_is_used_once_per_user(cloud: Cloud, mary: tuple[str, str]) -> None:
    create(cloud, mary)
    assert refusal(cloud, mary) == 409
    paul = cloud.member("paul", "biology")
    assert create(cloud, paul)["name"] == "backup"


def test_nobody_makes_one_for_somebody_else(cloud: Cloud, mary: tuple[str, str]) -> None:
    body = {"application_credential": {"name": "backup"}}
    path = f"/v3/users/{mary[0]}/application_credentials"
    assert cloud.send("POST", path, body).status_code == 403
    assert cloud.send("POST", path, body, cloud.token(mary[0])).status_code == 400


def test_nobody_but_administrators_sees_or_removes_those_of_others(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary)
    paul = cloud.token(*cloud.member("paul", "biology"))
    path = f"/v3/users/{mary[0]}/application_credentials"
    for method, where in (("GET", path), ("GET", f"{path}/{made['id']}"), ("DELETE", f"{path}/{made['id']}")):
        assert cloud.send(method, where, token=paul).status_code == 403
    assert len(cloud.get(path)["application_credentials"]) == 1
    assert cloud.send("GET", f"/v3/users/admin/application_credentials/{made['id']}").status_code == 404
    assert cloud.send("GET", "/v3/users/nobody/application_credentials").status_code == 404
    cloud.delete(f"{path}/{made['id']}")


def test_it_goes_with_its_user_and_with_its_project(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary)
    cloud.delete(f"/v3/projects/{mary[1]}")
    assert cloud.with_credential(made["id"], made["secret"]).status_code == 401
    assert cloud.get(f"/v3/users/{mary[0]}/application_credentials")["application_credentials"] == []


def test_it_is_of_no_use_while_its_user_is_disabled(cloud: Cloud, mary: tuple[str, str]) -> None:
    made = create(cloud, mary)
    cloud.patch(f"/v3/users/{mary[0]}", {"user": {"enabled": False}})
    assert cloud.with_credential(made["id"], made["secret"]).status_code == 401


def test_the_administrator_makes_one_with_the_admin_token(cloud: Cloud) -> None:
    body = {"application_credential": {"name": "agent", "roles": [{"name": "service"}]}}
    made = cloud.post("/v3/users/admin/application_credentials", body)["application_credential"]
    token = cloud.with_credential(made["id"], made["secret"]).json()["token"]
    assert [role["name"] for role in token["roles"]] == ["service"]

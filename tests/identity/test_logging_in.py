"""Who gets a token, for what, and what the token says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from oslo_config import cfg

from moorage.db.database import Database
from moorage.identity import passwords
from moorage.identity.passwords import Cost
from moorage.identity.store import users
from tests.identity.cloud import ADDRESS, Cloud, named, text_of

REFUSAL = {
    "error": {"code": 401, "message": "The request you have made requires authentication.", "title": "Unauthorized"}
}


def content(answer: httpx.Response) -> Any:
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]


def role_names(token: Any) -> list[str]:
    return [role["name"] for role in token.get("roles", [])]


@pytest.mark.parametrize("domain", [{"id": "default"}, {"name": "Default"}, {"name": "default"}])
def test_a_user_is_named_by_id_or_by_name_and_domain(cloud: Cloud, domain: dict[str, str]) -> None:
    mary = cloud.user("mary")
    for user in (mary, {"name": "mary", "domain": domain}):
        assert content(cloud.with_password(user))["user"]["id"] == mary


def test_a_token_says_who_and_for_what(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    answer = cloud.with_password(mary, scope={"project": {"id": astronomy}})
    token = content(answer)
    domain = {"id": "default", "name": "Default"}
    assert len(answer.headers["X-Subject-Token"]) == 43
    assert token["methods"] == ["password"]
    assert token["user"] == {"id": mary, "name": "mary", "domain": domain, "password_expires_at": None}
    assert token["project"] == {"id": astronomy, "name": "astronomy", "domain": domain}
    assert token["is_domain"] is False
    assert role_names(token) == ["member", "reader"]
    assert [service["type"] for service in token["catalog"]] == sorted(service["type"] for service in token["catalog"])
    assert len(token["audit_ids"]) == 1
    now = cloud.clock.now()
    assert token["issued_at"] == f"{now.isoformat()}.000000Z"
    assert token["expires_at"] == f"{(now + timedelta(hours=8)).isoformat()}.000000Z"


@pytest.mark.parametrize("domain", [{"id": "default"}, {"name": "Default"}])
def test_a_project_is_named_by_id_or_by_name_and_domain(cloud: Cloud, domain: dict[str, str]) -> None:
    mary, astronomy = cloud.member()
    for project in ({"id": astronomy}, {"name": "astronomy", "domain": domain}):
        assert content(cloud.with_password(mary, scope={"project": project}))["project"]["id"] == astronomy


def test_without_a_scope_a_token_only_says_who(cloud: Cloud) -> None:
    token = content(cloud.with_password(cloud.user("mary")))
    assert not {"project", "roles", "catalog", "system"} & set(token)


def test_without_a_scope_the_default_project_counts_if_the_user_may(cloud: Cloud) -> None:
    astronomy = cloud.project("astronomy")
    mary = cloud.user("mary", default_project_id=astronomy)
    assert "project" not in content(cloud.with_password(mary))
    cloud.grant(mary, astronomy)
    assert content(cloud.with_password(mary))["project"]["id"] == astronomy
    assert "project" not in content(cloud.with_password(mary, scope="unscoped"))


def test_administrators_of_the_system_get_tokens_for_it(cloud: Cloud) -> None:
    scope = {"system": {"all": True}}
    token = content(cloud.with_password("admin", cloud.admin_password, scope))
    assert token["system"] == {"all": True}
    assert role_names(token) == ["admin", "member", "reader"]
    assert "project" not in token
    mary, _ = cloud.member()
    assert cloud.with_password(mary, scope=scope).status_code == 401


def test_the_administrator_has_every_role(cloud: Cloud) -> None:
    token = content(cloud.with_password(named("admin"), cloud.admin_password, {"project": named("admin")}))
    assert role_names(token) == ["admin", "member", "reader", "service"]


def test_a_token_is_good_for_another_scope_until_it_ends(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    first = cloud.with_password(mary, scope="unscoped")
    cloud.clock.pass_by(hours=1)
    second = cloud.with_token(text_of(first), {"project": {"id": astronomy}})
    assert content(second)["expires_at"] == content(first)["expires_at"]
    assert content(second)["methods"] == ["password", "token"]
    assert content(second)["audit_ids"][1] == content(first)["audit_ids"][0]
    assert content(second)["project"]["id"] == astronomy


def test_methods_must_point_at_the_same_user(cloud: Cloud) -> None:
    mary, paul = cloud.user("mary"), cloud.user("paul", "other")
    token = cloud.token(mary)
    for user, password, status in ((mary, "secret", 201), (paul, "other", 401)):
        identity = {
            "methods": ["password", "token"],
            "password": {"user": {"id": user, "password": password}},
            "token": {"id": token},
        }
        assert cloud.log_in(identity).status_code == status


def test_nocatalog_leaves_the_catalog_out(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    identity = {"methods": ["password"], "password": {"user": {"id": mary, "password": "secret"}}}
    body = {"auth": {"identity": identity, "scope": {"project": {"id": astronomy}}}}
    assert "catalog" not in cloud.post("/v3/auth/tokens?nocatalog", body, token=None)["token"]


# --- refusals


def refused_attempts(cloud: Cloud) -> dict[str, httpx.Response]:
    mary, _ = cloud.member()
    gone = cloud.user("gone", enabled=False)
    closed = cloud.project("closed")
    cloud.grant(mary, closed)
    cloud.patch(f"/v3/projects/{closed}", {"project": {"enabled": False}})
    passwordless = cloud.user("paul", None)
    foreign = {"name": "mary", "domain": {"id": "elsewhere"}}
    return {
        "a wrong password": cloud.with_password(mary, "wrong"),
        "an empty password": cloud.with_password(mary, ""),
        "an unknown user": cloud.with_password("nobody"),
        "an unknown name": cloud.with_password(named("nobody")),
        "a user of another domain": cloud.with_password(foreign),
        "a user that is disabled": cloud.with_password(gone),
        "a user without a password": cloud.with_password(passwordless, ""),
        "an unknown project": cloud.with_password(mary, scope={"project": {"id": "nowhere"}}),
        "an unknown name of a project": cloud.with_password(mary, scope={"project": named("nowhere")}),
        "a project without a role": cloud.with_password(mary, scope={"project": {"id": "admin"}}),
        "a project of another domain": cloud.with_password(
            mary, scope={"project": {"name": "astronomy", "domain": {"name": "Elsewhere"}}}
        ),
        "a project that is disabled": cloud.with_password(mary, scope={"project": {"id": closed}}),
        "a domain": cloud.with_password(mary, scope={"domain": {"id": "default"}}),
        "an unknown token": cloud.with_token("guess"),
        "a very long token": cloud.with_token("guess" * 1000),
        "the admin token": cloud.with_token(cloud.admin_token),
        "an unknown credential": cloud.with_credential("guess", "guess"),
    }


def test_whatever_is_wrong_the_answer_is_the_same(cloud: Cloud) -> None:
    for what, answer in refused_attempts(cloud).items():
        assert (answer.status_code, answer.json()) == (401, REFUSAL), what
        assert "X-Subject-Token" not in answer.headers


def test_an_unknown_user_is_as_much_work_as_a_wrong_password(
    settings: cfg.ConfigOpts, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloud = Cloud(settings, database)
    mary, _ = cloud.member()
    passwordless = cloud.user("paul", None)
    work: list[Cost] = []
    scrypt = passwords._scrypt

    def counted(secret: str, salt: bytes, cost: Cost) -> bytes:
        work.append(cost)
        return scrypt(secret, salt, cost)

    monkeypatch.setattr(passwords, "_scrypt", counted)
    done = []
    attempts: tuple[Callable[[], httpx.Response], ...] = (
        lambda: cloud.with_password(mary, "wrong"),
        lambda: cloud.with_password("nobody", "wrong"),
        lambda: cloud.with_password({"name": "mary", "domain": {"id": "elsewhere"}}, "wrong"),
        lambda: cloud.with_password(passwordless, "wrong"),
        lambda: cloud.with_credential("nothing", "wrong"),
        lambda: cloud.send(
            "POST",
            "/v3/users/nobody/password",
            {"user": {"original_password": "wrong", "password": "x"}},
            token=None,
        ),
    )
    for attempt in attempts:
        work.clear()
        assert attempt().status_code == 401
        done.append(list(work))
    assert done == [done[0]] * 6
    assert len(done[0]) == 1


@pytest.mark.parametrize(
    "identity",
    [
        {},
        {"methods": []},
        {"methods": "password"},
        {"methods": ["password"]},
        {"methods": ["password"], "password": {}},
        {"methods": ["password"], "password": {"user": {"id": "mary"}}},
        {"methods": ["password"], "password": {"user": {"password": "secret"}}},
        {"methods": ["password"], "password": {"user": {"name": "mary", "password": "secret"}}},
        {"methods": ["password"], "password": {"user": {"id": "mary", "password": 123}}},
        {"methods": ["password"], "password": {"user": {"id": "mary", "password": "*" * 4097}}},
        {"methods": ["token"], "token": {}},
        {"methods": ["application_credential"], "application_credential": {"id": "x"}},
        {"methods": ["application_credential"], "application_credential": {"name": "x", "secret": "secret"}},
    ],
)
def test_what_makes_no_sense_is_a_bad_request_that_repeats_no_secret(cloud: Cloud, identity: dict[str, Any]) -> None:
    answer = cloud.log_in(identity)
    assert answer.status_code == 400
    assert answer.json()["error"]["title"] == "Bad Request"
    assert "secret" not in answer.text.replace("secret must be there", "")
    assert "123" not in answer.text


@pytest.mark.parametrize(
    "scope",
    [{}, "everything", {"system": {}}, {"project": {"name": "x"}}, {"project": {"id": "x"}, "domain": {"id": "x"}}],
)
def test_a_scope_that_is_none_is_a_bad_request(cloud: Cloud, scope: object) -> None:
    assert cloud.with_password(cloud.user("mary"), scope=scope).status_code == 400


def test_a_method_that_is_not_offered_is_said_so(cloud: Cloud) -> None:
    answer = cloud.log_in({"methods": ["totp"], "totp": {}})
    assert answer.status_code == 401
    assert answer.json()["error"]["message"] == "Attempted to authenticate with an unsupported method."


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"\xff"', b"[" * 5000])
def test_a_body_that_is_none_is_a_bad_request(cloud: Cloud, body: bytes) -> None:
    answer = cloud.client.post("/v3/auth/tokens", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == 400


def test_a_large_body_is_refused_unread(cloud: Cloud) -> None:
    answer = cloud.client.post("/v3/auth/tokens", content=b" " * 200_000)
    assert answer.status_code == 413


def test_any_text_may_be_a_password(cloud: Cloud) -> None:
    for number, password in enumerate(("пароль", " spaces ", '"\\', "\U0001f511", "x" * 4096)):
        user = cloud.user(f"user{number}", password)
        assert cloud.with_password(user, password).status_code == 201
        assert cloud.with_password(user, f"{password[:-1]}").status_code == 401


def test_who_is_removed_while_logging_in_gets_no_token(
    cloud: Cloud, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    mary = cloud.user("mary")

    def removed_meanwhile() -> str:
        database.write(lambda tx: users.remove(tx, mary))
        return "text"

    monkeypatch.setattr("moorage.identity.authentication.new_text", removed_meanwhile)
    assert cloud.with_password(mary).status_code == 401


# --- versions


def test_the_versions_are_open_to_everybody(cloud: Cloud) -> None:
    for path in ("/", ""):
        answer = cloud.send("GET", path, token=None)
        assert answer.status_code == 300
        [version] = answer.json()["versions"]["values"]
        assert version["links"] == [{"rel": "self", "href": f"{ADDRESS}/identity/v3/"}]
    for path in ("/v3", "/v3/"):
        assert cloud.get(path, token=None)["version"] == version
        assert version["id"].startswith("v3.")
        assert version["status"] == "stable"

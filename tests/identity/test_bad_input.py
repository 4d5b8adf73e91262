"""Bodies with one thing wrong, for every operation that takes one: refused or carried out, they break nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.identity.cloud import Cloud
from tests.placement.corner import encoded
from tests.placement.hostile import damaged
from tests.properties import effort


def bodies(user_id: str, project_id: str) -> list[tuple[str, str, Any]]:
    """Method, path and body of requests that are right."""
    who = {"name": "mary", "domain": {"id": "default"}, "password": "secret"}
    scope = {"project": {"name": "astronomy", "domain": {"name": "Default"}}}
    credential = {"name": "c", "secret": "s", "user": {"id": user_id}}
    named = {"name": "n", "description": "d", "domain_id": "default", "an extra": "one"}
    return [
        (
            "POST",
            "/v3/auth/tokens",
            {"auth": {"identity": {"methods": ["password"], "password": {"user": who}}, "scope": scope}},
        ),
        (
            "POST",
            "/v3/auth/tokens",
            {"auth": {"identity": {"methods": ["application_credential"], "application_credential": credential}}},
        ),
        ("POST", "/v3/auth/tokens", {"auth": {"identity": {"methods": ["token"], "token": {"id": "t"}}}}),
        ("POST", "/v3/projects", {"project": {**named, "enabled": True, "tags": ["t"]}}),
        ("PATCH", f"/v3/projects/{project_id}", {"project": {"name": "astronomy", "enabled": True}}),
        ("POST", "/v3/users", {"user": {**named, "password": "p", "default_project_id": project_id}}),
        ("PATCH", f"/v3/users/{user_id}", {"user": {"name": "mary", "description": "d", "enabled": True}}),
        ("POST", f"/v3/users/{user_id}/password", {"user": {"original_password": "secret", "password": "secret"}}),
        ("POST", "/v3/roles", {"role": named}),
        (
            "POST",
            f"/v3/users/{user_id}/application_credentials",
            {
                "application_credential": {
                    "name": "c",
                    "roles": [{"name": "member"}],
                    "expires_at": "2099-01-01T00:00:00Z",
                    "unrestricted": False,
                }
            },
        ),
    ]


def test_a_body_with_one_thing_wrong_breaks_nothing(cloud: Cloud) -> None:
    user_id, project_id = cloud.member()
    token = cloud.token(user_id, project_id)

    @effort(200)
    @given(st.sampled_from(bodies(user_id, project_id)), st.data())
    def check(order: tuple[str, str, Any], data: st.DataObject) -> None:
        method, path, right = order
        bearer = token if path.endswith("application_credentials") else cloud.admin_token
        headers = {"X-Auth-Token": bearer, "Content-Type": "application/json"}
        answer = cloud.client.request(method, path, content=encoded(data.draw(damaged(right))), headers=headers)
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            assert answer.json()["error"]["message"]

    check()

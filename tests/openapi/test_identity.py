"""The Identity API answers as its description says.

Everybody and everything that a test changes was made for it, so that the administrator stays who they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import product
from typing import Any
from uuid import uuid4

import httpx
import pytest
from schemathesis import Case

from moorage.identity.model import ADMIN_USER_ID, DOMAIN_ID
from tests.clients.running_service import RunningService
from tests.openapi.conforming import Known, WhenNeeded, ask, described
from tests.properties import effort

schema = described(
    "identity",
    refusable=(
        # Markers that name nothing.
        *(f"get-v3-{name}" for name in ("projects", "users", "roles", "domains", "services", "endpoints", "regions")),
        "get-v3-auth-projects",
        "get-v3-users-user_id-projects",
        "get-v3-users-user_id-application_credentials",
        "get-v3-projects-project_id-users-user_id-roles",
        "get-v3-system-users-user_id-roles",
        # Methods without what they need.
        "post-v3-auth-tokens",
        # Times in the past, roles that one does not have.
        "post-v3-users-user_id-application_credentials",
    ),
)
_PASSWORD = "a password for tests"


@schema.parametrize()
@effort(10)
def test_the_identity_api_answers_as_described(case: Case[Any], sample_service: RunningService, known: Known) -> None:
    if case.path == "/v3/auth/tokens" and case.method != "POST":
        case.headers["X-Subject-Token"] = _token(sample_service, known["user_id"][0])
    ask(case, sample_service, "identity", known, **_names(case, known))


def _names(case: Case[Any], known: Known) -> dict[str, Sequence[str]]:
    """What bodies call by names that mean something else elsewhere."""
    if case.path == "/v3/auth/tokens" and case.method == "POST":
        return {"methods": _proofs(case.body), "id": known["user_id"][:1], "password": [_PASSWORD]}
    if case.path.endswith("/password"):
        return {"user_id": known["user_id"][:1], "original_password": [_PASSWORD]}
    if case.path.startswith("/v3/users/{user_id}/application_credentials"):
        # They are made only for oneself, with roles that one has.
        return {"user_id": [ADMIN_USER_ID], "id": ["admin"], "name": [uuid4().hex]}
    # Pages begin behind something that is in the list.
    return {"marker": known[f"{kind}_id"]} if (kind := case.path.rpartition("/")[2].rstrip("s")) in _LISTED else {}


def _proofs(body: Any) -> list[str]:
    """The ways of proving who one is for which a body has something to say."""
    try:
        identity = body["auth"]["identity"]
        return [name for name in ("password", "token", "application_credential") if name in identity]
    except (TypeError, KeyError):
        return []


@pytest.fixture
def known(sample_service: RunningService) -> Iterator[Known]:
    """People, projects and roles of this test alone: each operation may take some of them away."""
    base_url, headers = f"{sample_service.url}/identity/v3", {"X-Auth-Token": sample_service.token}
    with httpx.Client(base_url=base_url, headers=headers) as api:
        things = _Things(api)
        yield WhenNeeded({name: partial(getattr, things, kind) for name, kind in _KINDS.items()})


_LISTED = ("project", "user", "role", "service", "endpoint", "region", "domain")

# What is meant by the names of paths, parameters and fields.
_KINDS = {
    "user_id": "users",
    "project_id": "projects",
    "default_project_id": "projects",
    "role_id": "roles",
    "credential_id": "credentials",
    "domain_id": "domains",
    "parent_id": "domains",
    "service_id": "services",
    "endpoint_id": "endpoints",
    "region_id": "regions",
    "expires_at": "times",
}


class _Things:
    """What there is to ask for, made when it is first asked for."""

    domains = (DOMAIN_ID,)
    times = ("2100-01-31T12:00:00Z", "2101-01-31T12:00:00.000000Z")

    def __init__(self, api: httpx.Client) -> None:
        self._api = api

    @cached_property
    def users(self) -> list[str]:
        """The first one has a password; all have roles in the projects and in the system."""
        made = [self._made("user", password=_PASSWORD), self._made("user"), self._made("user")]
        scopes = ["system", *(f"projects/{project}" for project in self.projects)]
        for scope, user, role in product(scopes, made, self.roles[:2]):
            self._api.put(f"/{scope}/users/{user}/roles/{role}").raise_for_status()
        return made

    @cached_property
    def projects(self) -> list[str]:
        return [self._made("project") for _ in range(3)]

    @cached_property
    def roles(self) -> list[str]:
        return [self._made("role") for _ in range(3)]

    @cached_property
    def credentials(self) -> list[str]:
        path = f"users/{ADMIN_USER_ID}/application_credentials"
        return [self._made("application_credential", path) for _ in range(3)]

    @cached_property
    def services(self) -> list[str]:
        return self._listed("services")

    @cached_property
    def endpoints(self) -> list[str]:
        return self._listed("endpoints")

    @cached_property
    def regions(self) -> list[str]:
        return self._listed("regions")

    def _made(self, kind: str, path: str = "", **content: str) -> str:
        answer = self._api.post(f"/{path or f'{kind}s'}", json={kind: {"name": uuid4().hex, **content}})
        return str(answer.raise_for_status().json()[kind]["id"])

    def _listed(self, kind: str) -> list[str]:
        return [found["id"] for found in self._api.get(f"/{kind}").raise_for_status().json()[kind]]


def _token(service: RunningService, user_id: str) -> str:
    """A new token, which may be looked at and taken back."""
    user = {"id": user_id, "password": _PASSWORD}
    content = {"auth": {"identity": {"methods": ["password"], "password": {"user": user}}}}
    answer = httpx.post(f"{service.url}/identity/v3/auth/tokens", json=content).raise_for_status()
    return answer.headers["X-Subject-Token"]

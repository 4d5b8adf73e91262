"""Who may do what on the real cloud: every API of Moorage asks Keystone whose a token is, and policy decides."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache
from typing import Any

import httpx
import pytest

from tests.openstack.cloud.site import OPENSTACK, REPOSITORY
from tests.openstack.operator import Operator

USERS = {
    "admin": "admin",
    "nova": "service",
    "tycho": "astronomy",
    "reader": "astronomy",
    "carl": "botany",
}
"""Users, and the project that their tokens are for.

Questions are about astronomy, `{project}` below: tycho is its member, reader its reader, carl a stranger.
"""

EXPIRED_TOKEN = REPOSITORY / "tests" / "openstack" / "cloud" / "expired_token.py"
PLACEMENT = {"OpenStack-API-Version": "placement 1.39"}
NOTHING: dict[str, Any] = {"inventories": {}, "allocations": {}}
LEASE = {
    "name": "a thought", "start_date": "2090-01-01 08:00", "end_date": "2090-01-01 09:00",
    "reservations": [{"resource_type": "virtual:instance", "amount": 1, "vcpus": 1, "memory_mb": 512, "disk_gb": 1}],
}  # fmt: skip
ZONES = {"allAZs": ["north", "south"]}

Statuses = tuple[int, int, int, int, int]
"""What admin, nova, tycho, reader and carl are answered."""

ADMINISTRATORS = (200, 403, 403, 403, 403)
SERVICES_TOO = (200, 200, 403, 403, 403)

OPERATIONS: list[tuple[str, str, Any, Statuses]] = [
    # A status such as 400 or 404 is for those who may ask, and ask for what cannot be.
    ("GET placement", "/resource_providers", None, SERVICES_TOO),
    ("GET placement", "/allocation_candidates?resources=VCPU:1", None, SERVICES_TOO),
    ("GET placement", "/moorage/providers", None, SERVICES_TOO),
    ("PUT placement", "/traits/NOT_CUSTOM", None, (400, 400, 403, 403, 403)),
    ("DELETE placement", "/traits/CUSTOM_UNSEEN", None, (404, 404, 403, 403, 403)),
    ("GET placement", "/usages?project_id={project}", None, (200, 200, 200, 200, 403)),
    ("POST placement", "/reshaper", NOTHING, (403, 400, 403, 403, 403)),
    ("GET reservation", "/leases", None, (200, 403, 200, 200, 200)),
    ("POST reservation", "/leases?dry_run=true", LEASE, (200, 403, 200, 403, 200)),
    ("GET reservation", "/os-hosts", None, ADMINISTRATORS),
    ("POST reservation", "/os-hosts", {"name": "nowhere"}, (404, 403, 403, 403, 403)),
    ("PUT reservation", "/limits/{project}", {}, ADMINISTRATORS),
    ("GET liquid-nova", "/v1/info", None, ADMINISTRATORS),
    ("POST liquid-nova", "/v1/report-capacity?demand=leases", None, ADMINISTRATORS),
    ("POST liquid-nova", "/v1/projects/{project}/report-usage", ZONES, ADMINISTRATORS),
    ("PUT liquid-nova", "/v1/projects/{project}/quota", {"resources": {}}, (204, 403, 403, 403, 403)),
    ("GET liquid-nova", "/metrics", None, ADMINISTRATORS),
]


@cache
def user(operator: Operator, name: str) -> Operator:
    """One of the users."""
    return Operator(operator.site, name, USERS[name])


def asks(
    operator: Operator, token: str | None, what: str, path: str, body: Any = None, **headers: str
) -> httpx.Response:
    """What a service of the catalog answers to whoever has this token; `what` is a method and a service's type."""
    method, service = what.split()
    address = operator.cloud.endpoint_for(service)
    return httpx.request(
        method,
        f"{address}{path.format(project=user(operator, 'tycho').project_id)}",
        json=body,
        headers={**PLACEMENT, **({} if token is None else {"X-Auth-Token": token}), **headers},
        timeout=60,
    )


@pytest.mark.parametrize(
    ("what", "path", "body", "statuses"), OPERATIONS, ids=[f"{what}{path}" for what, path, *_ in OPERATIONS]
)
def test_the_policy_knows_whom_keystone_vouches_for(
    operator: Operator, what: str, path: str, body: Any, statuses: Statuses
) -> None:
    answers = {name: asks(operator, user(operator, name).token, what, path, body) for name in USERS}
    told = {name: answer.status_code for name, answer in answers.items()}
    assert told == dict(zip(USERS, statuses, strict=True)), {name: answer.text for name, answer in answers.items()}


@pytest.fixture(scope="module")
def tokens_of_nobody(operator: Operator) -> Mapping[str, str | None]:
    """Tokens that no longer are, or never were, ones of this cloud."""
    good = operator.token
    site = operator.site
    leaver = Operator(site)
    given_back = leaver.token
    leaver.cloud.identity.delete("/auth/tokens", headers={"X-Subject-Token": given_back})
    made = len(good) // 2
    return {
        "none": None,
        "expired": token_that_expired(operator),
        "given back": given_back,
        "changed": good[:made] + ("A" if good[made] != "A" else "B") + good[made + 1 :],
        "of another cloud": token_that_expired(operator, keys=str(site.home / "credential-keys"), seconds=-3600),
        "invented": "admin",
    }


def token_that_expired(operator: Operator, keys: str | None = None, seconds: int = 60) -> str:
    """An administrator's token that was good until a minute ago."""
    made = subprocess.run(
        [
            OPENSTACK / "bin" / "python", "-P", EXPIRED_TOKEN, keys or str(operator.site.home / "fernet"),
            str(operator.cloud.current_user_id), operator.project_id, str(seconds),
        ],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return made.stdout.strip()


@pytest.mark.parametrize(
    ("service", "path"),
    [("placement", "/resource_providers"), ("reservation", "/leases"), ("liquid-nova", "/v1/info")],
)
def test_who_has_no_token_of_this_cloud_learns_nothing(
    operator: Operator, tokens_of_nobody: Mapping[str, str | None], service: str, path: str
) -> None:
    answers = {kind: asks(operator, token, f"GET {service}", path) for kind, token in tokens_of_nobody.items()}
    assert {kind: answer.status_code for kind, answer in answers.items()} == dict.fromkeys(tokens_of_nobody, 401)
    assert {answer.headers["www-authenticate"] for answer in answers.values()} == {
        f'Keystone uri="{operator.site.identity}"'
    }


def test_a_service_may_go_on_with_a_token_that_expired_on_the_way(operator: Operator) -> None:
    """As Nova does in long operations: with a token of its own beside the user's."""
    expired = token_that_expired(operator)
    answer = asks(
        operator, expired, "GET placement", "/resource_providers",
        **{"X-Service-Token": user(operator, "nova").token},
    )  # fmt: skip
    assert answer.status_code == 200
    answer = asks(
        operator, expired, "GET placement", "/resource_providers",
        **{"X-Service-Token": user(operator, "tycho").token},
    )  # fmt: skip
    assert answer.status_code == 401


def test_headers_that_a_caller_sends_about_itself_are_not_believed(operator: Operator) -> None:
    told = {"X-Roles": "admin", "X-User-Id": "admin", "X-Identity-Status": "Confirmed", "X-Project-Id": "admin"}
    assert asks(operator, None, "GET placement", "/resource_providers", **told).status_code == 401
    stranger = user(operator, "carl").token
    assert asks(operator, stranger, "GET placement", "/resource_providers", **told).status_code == 403


def test_another_projects_lease_is_nobodys_business(operator: Operator) -> None:
    tycho = user(operator, "tycho").token
    empty = {**LEASE, "reservations": []}
    made = asks(operator, tycho, "POST reservation", "/leases", empty)
    assert made.status_code == 201, made.text
    path = f"/leases/{made.json()['lease']['id']}"
    statuses = {name: asks(operator, user(operator, name).token, "GET reservation", path).status_code for name in USERS}
    assert statuses == {"admin": 200, "nova": 403, "tycho": 200, "reader": 200, "carl": 404}
    stranger = user(operator, "carl").token
    assert asks(operator, stranger, "GET reservation", "/leases").json() == {"leases": []}
    for name, status in (("carl", 404), ("reader", 403), ("tycho", 204)):
        gone = asks(operator, user(operator, name).token, "DELETE reservation", path)
        assert gone.status_code == status, gone.text


def test_what_the_cloud_has_itself_moorage_does_not_offer_beside_it(operator: Operator) -> None:
    """Compute and images are Nova's and Glance's here, and identities Keystone's."""
    for path in ("/compute/v2.1/servers", "/image/v2/images", "/identity/v3/users"):
        answer = httpx.get(f"{operator.site.url('moorage')}{path}", headers={"X-Auth-Token": operator.token})
        assert answer.status_code == 404

"""Server groups: as Nova's API has them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from moorage.db.database import Database
from tests.compute.api.clouds import open_cloud
from tests.compute.api.people import Cloud, Person


def create(person: Person, **fields: Any) -> Any:
    body = {"server_group": {"name": "web", "policy": "anti-affinity", **fields}}
    return person.post("/os-server-groups", body)["server_group"]


def test_a_group_is_created_shown_listed_and_deleted(cloud: Cloud) -> None:
    made = create(cloud.tycho, rules={"max_server_per_host": "3"})
    assert made == {
        "id": made["id"],
        "name": "web",
        "policy": "anti-affinity",
        "rules": {"max_server_per_host": 3},
        "members": [],
        "project_id": "astronomy",
        "user_id": "tycho",
    }
    path = f"/os-server-groups/{made['id']}"
    assert cloud.tycho.get(path) == {"server_group": made}
    assert cloud.tycho.get("/os-server-groups") == {"server_groups": [made]}
    assert cloud.tycho.status("DELETE", path) == 204
    assert cloud.tycho.status("GET", path) == 404
    assert cloud.tycho.status("DELETE", path) == 404


@pytest.mark.parametrize("policy", ["affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"])
def test_policies(cloud: Cloud, policy: str) -> None:
    assert create(cloud.tycho, policy=policy)["rules"] == {}
    old = {"server_group": {"name": "old", "policies": [policy]}}
    shown = cloud.tycho.at("2.15").post("/os-server-groups", old)["server_group"]
    assert (shown["policies"], shown["metadata"]) == ([policy], {})
    assert "policy" not in shown
    is_old = not policy.startswith("soft-")
    assert cloud.tycho.at("2.14").status("POST", "/os-server-groups", old) == (200 if is_old else 400)


def test_who_made_it_is_shown_since_2_13(cloud: Cloud) -> None:
    path = f"/os-server-groups/{create(cloud.tycho)['id']}"
    assert "project_id" not in cloud.tycho.at("2.12").get(path)["server_group"]
    assert cloud.tycho.at("2.13").get(path)["server_group"]["project_id"] == "astronomy"


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "x" * 256},
        {"name": "web "},
        {"policy": "together"},
        {"policies": ["affinity"]},
        {"rules": {"max_server_per_host": 0}},
        {"rules": {"max_server_per_host": "0"}},
        {"rules": {"max_server_per_host": -2}},
        {"rules": {"colour": 1}},
        {"policy": "affinity", "rules": {"max_server_per_host": 2}},
        {"colour": "blue"},
    ],
)
def test_what_makes_no_group_is_refused(cloud: Cloud, fields: dict[str, Any]) -> None:
    body = {"server_group": {"name": "web", "policy": "anti-affinity", **fields}}
    assert cloud.tycho.status("POST", "/os-server-groups", body) == 400
    assert cloud.tycho.get("/os-server-groups")["server_groups"] == []


def test_projects_do_not_see_each_others_groups(cloud: Cloud) -> None:
    path = f"/os-server-groups/{create(cloud.tycho)['id']}"
    assert cloud.maria.get("/os-server-groups", all_projects="1")["server_groups"] == []
    assert cloud.maria.status("GET", path) == 404
    assert cloud.maria.status("DELETE", path) == 404
    assert cloud.admin.get("/os-server-groups")["server_groups"] == []
    assert len(cloud.admin.get("/os-server-groups", all_projects="1")["server_groups"]) == 1
    assert cloud.admin.status("GET", path) == 200


def test_pages(cloud: Cloud) -> None:
    for number in range(3):
        create(cloud.tycho, name=f"g{number}")

    def names(**query: object) -> list[str]:
        return [group["name"] for group in cloud.tycho.get("/os-server-groups", **query)["server_groups"]]

    assert names(limit=2) == ["g0", "g1"]
    assert names(limit=2, offset=2) == ["g2"]
    assert cloud.tycho.status("GET", "/os-server-groups", offset="") == 400
    assert cloud.tycho.status("GET", "/os-server-groups", limit="many") == 400
    [first, *_] = cloud.tycho.get("/os-server-groups")["server_groups"]
    assert names(limit=1, marker=first["id"]) == ["g1"]
    assert cloud.tycho.status("GET", "/os-server-groups", marker=str(uuid4())) == 400


def test_what_is_not_there(cloud: Cloud) -> None:
    assert cloud.tycho.status("GET", f"/os-server-groups/{uuid4()}") == 404


def test_a_project_may_have_so_many(database: Database, installation: object) -> None:
    body = {"server_group": {"name": "web", "policy": "affinity"}}
    with ThreadPoolExecutor(6) as pool:
        statuses = list(
            pool.map(
                lambda _: open_cloud(database, quota__server_groups=2).tycho.status("POST", "/os-server-groups", body),
                range(6),
            )
        )
    assert sorted(statuses) == [200, 200, 403, 403, 403, 403]
    cloud = open_cloud(database, quota__server_groups=2)
    assert len(cloud.tycho.get("/os-server-groups")["server_groups"]) == 2
    assert create(cloud.maria)["project_id"] == "botany"

"""Roles are granted in projects and in the system, and taken away again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.identity.cloud import ADDRESS, Cloud


def where(place: str, user: str, project: str) -> str:
    return f"/v3/projects/{project}/users/{user}/roles" if place == "project" else f"/v3/system/users/{user}/roles"


def names(roles: list[dict[str, Any]]) -> list[str]:
    return [role["name"] for role in roles]


@pytest.mark.parametrize("place", ["project", "system"])
class TestAGrant:
    def test_is_made_seen_and_taken_away(self, cloud: Cloud, place: str) -> None:
        path = where(place, cloud.user("mary"), cloud.project("astronomy"))
        for _ in range(2):
            cloud.put(f"{path}/member")
        assert names(cloud.get(path)["roles"]) == ["member"]
        for method, status in (("HEAD", 204), ("GET", 204), ("DELETE", 204), ("DELETE", 404), ("HEAD", 404)):
            assert cloud.send(method, f"{path}/member").status_code == status
        assert cloud.get(path)["roles"] == []

    def test_needs_a_user_and_a_role_that_are_there(self, cloud: Cloud, place: str) -> None:
        mary, astronomy = cloud.user("mary"), cloud.project("astronomy")
        for path in (f"{where(place, 'nobody', astronomy)}/member", f"{where(place, mary, astronomy)}/nothing"):
            for method in ("PUT", "HEAD", "DELETE"):
                assert cloud.send(method, path).status_code == 404
        assert cloud.send("GET", where(place, "nobody", astronomy)).status_code == 404

    def test_goes_with_its_user_and_its_role(self, cloud: Cloud, place: str) -> None:
        role = cloud.post("/v3/roles", {"role": {"name": "observer"}})["role"]["id"]
        mary, paul, astronomy = cloud.user("mary"), cloud.user("paul"), cloud.project("astronomy")
        before = cloud.get("/v3/role_assignments")
        cloud.put(f"{where(place, mary, astronomy)}/member")
        cloud.put(f"{where(place, paul, astronomy)}/{role}")
        cloud.delete(f"/v3/users/{mary}")
        cloud.delete(f"/v3/roles/{role}")
        assert cloud.get("/v3/role_assignments") == before


def test_a_grant_needs_a_project_that_is_there(cloud: Cloud) -> None:
    mary = cloud.user("mary")
    assert cloud.send("PUT", f"/v3/projects/nowhere/users/{mary}/roles/member").status_code == 404
    assert cloud.send("GET", f"/v3/projects/nowhere/users/{mary}/roles").status_code == 404


def assigned(cloud: Cloud, query: str = "") -> set[tuple[str, str, str]]:
    """Who has which role where."""
    found = cloud.get(f"/v3/role_assignments?{query}")["role_assignments"]
    return {
        (one["user"]["id"], one["role"]["id"], one["scope"]["project"]["id"] if "project" in one["scope"] else "system")
        for one in found
    }


def test_grants_are_listed_and_filtered(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    admin = {("admin", "admin", "admin"), ("admin", "service", "admin"), ("admin", "admin", "system")}
    marys = {(mary, "member", astronomy)}
    assert assigned(cloud) == admin | marys
    assert assigned(cloud, f"user.id={mary}") == marys
    assert assigned(cloud, "role.id=member") == marys
    assert assigned(cloud, f"scope.project.id={astronomy}") == marys
    assert assigned(cloud, "scope.system=all") == {("admin", "admin", "system")}
    assert assigned(cloud, "group.id=x") == assigned(cloud, "scope.domain.id=default") == set()


def test_what_roles_imply_is_listed_on_demand(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    for query in (f"user.id={mary}&effective", f"user.id={mary}&effective=true"):
        assert assigned(cloud, query) == {(mary, "member", astronomy), (mary, "reader", astronomy)}
    assert assigned(cloud, f"user.id={mary}&effective=0") == {(mary, "member", astronomy)}
    assert assigned(cloud, f"user.id={mary}&effective&role.id=reader") == {(mary, "reader", astronomy)}
    [reader] = cloud.get(f"/v3/role_assignments?user.id={mary}&effective&role.id=reader")["role_assignments"]
    path = f"{ADDRESS}/identity/v3/projects/{astronomy}/users/{mary}/roles/member"
    assert reader["links"] == {"assignment": path, "prior_role": f"{ADDRESS}/identity/v3/roles/member"}


def test_names_are_shown_on_demand(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    domain = {"id": "default", "name": "Default"}
    [grant] = cloud.get(f"/v3/role_assignments?user.id={mary}&include_names=True")["role_assignments"]
    assert grant["user"] == {"id": mary, "name": "mary", "domain": domain}
    assert grant["role"] == {"id": "member", "name": "member"}
    assert grant["scope"] == {"project": {"id": astronomy, "name": "astronomy", "domain": domain}}

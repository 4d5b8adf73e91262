"""Projects, users and roles: made, listed, changed and removed."""

from __future__ import annotations

import pytest

from tests.identity.cloud import ADDRESS, Cloud

KINDS = ("project", "user", "role")


def path_of(kind: str) -> str:
    return f"/v3/{kind}s"


def create(cloud: Cloud, kind: str, **attributes: object) -> dict[str, object]:
    made: dict[str, object] = cloud.post(path_of(kind), {kind: attributes})[kind]
    return made


def status(cloud: Cloud, method: str, path: str, body: object = None) -> int:
    return cloud.send(method, path, body).status_code


@pytest.mark.parametrize("kind", KINDS)
class TestEveryKind:
    def test_is_made_shown_listed_changed_and_removed(self, cloud: Cloud, kind: str) -> None:
        made = create(cloud, kind, name="astronomy", description="Looks up")
        path = f"{path_of(kind)}/{made['id']}"
        assert made["links"] == {"self": f"{ADDRESS}/identity{path}"}
        assert cloud.get(path) == {kind: made}
        assert made in cloud.get(path_of(kind))[f"{kind}s"]
        changed = cloud.patch(path, {kind: {"name": "cosmology", "description": None}})[kind]
        assert changed["name"] == "cosmology"
        assert not changed["description"]
        assert cloud.get(path) == {kind: changed}
        cloud.delete(path)
        for method, body in (("GET", None), ("PATCH", {kind: {"description": "x"}}), ("DELETE", None)):
            answer = cloud.send(method, path, body)
            assert answer.status_code == 404
            assert answer.json()["error"]["message"] == f"Could not find {kind}: {made['id']}."

    def test_has_a_name_of_its_own(self, cloud: Cloud, kind: str) -> None:
        first, second = create(cloud, kind, name="astronomy"), create(cloud, kind, name="Astronomy")
        answer = cloud.send("POST", path_of(kind), {kind: {"name": "astronomy"}})
        assert answer.status_code == 409
        assert answer.json()["error"]["title"] == "Conflict"
        assert status(cloud, "PATCH", f"{path_of(kind)}/{second['id']}", {kind: {"name": "astronomy"}}) == 409
        assert status(cloud, "PATCH", f"{path_of(kind)}/{first['id']}", {kind: {"name": "astronomy"}}) == 200

    def test_keeps_what_else_is_said_about_it(self, cloud: Cloud, kind: str) -> None:
        made = create(cloud, kind, name="astronomy", telescope="hubble", numbers=[1, 2])
        assert (made["telescope"], made["numbers"]) == ("hubble", [1, 2])
        path = f"{path_of(kind)}/{made['id']}"
        changed = cloud.patch(path, {kind: {"telescope": "webb", "links": "mine", "id": "mine"}})[kind]
        assert changed == {**made, "telescope": "webb"}

    def test_is_found_by_name(self, cloud: Cloud, kind: str) -> None:
        made = create(cloud, kind, name="astronomy")
        create(cloud, kind, name="biology")
        assert cloud.get(f"{path_of(kind)}?name=astronomy")[f"{kind}s"] == [made]
        assert cloud.get(f"{path_of(kind)}?name=chemistry")[f"{kind}s"] == []

    def test_is_listed_a_page_at_a_time(self, cloud: Cloud, kind: str) -> None:
        for name in ("a", "b", "c"):
            create(cloud, kind, name=name)
        everything = cloud.get(path_of(kind))
        assert everything["links"] == {"self": f"{ADDRESS}/identity{path_of(kind)}", "previous": None, "next": None}
        found, page = [], cloud.get(f"{path_of(kind)}?limit=2")
        found += page[f"{kind}s"]
        while page["links"]["next"]:
            page = cloud.get(page["links"]["next"].removeprefix(f"{ADDRESS}/identity"))
            found += page[f"{kind}s"]
        assert found == everything[f"{kind}s"]
        for query in ("limit=0", "limit=x", "limit=-1", "marker=nothing"):
            assert status(cloud, "GET", f"{path_of(kind)}?{query}") == 400

    @pytest.mark.parametrize(
        "attributes",
        [
            {},
            {"name": ""},
            {"name": " "},
            {"name": None},
            {"name": 5},
            {"name": "x" * 256},
            {"name": "x\0y"},
            {"name": "x", "description": 5},
            {"name": "x", "options": {"immutable": True}},
        ],
    )
    def test_is_refused_if_it_makes_no_sense(self, cloud: Cloud, kind: str, attributes: dict[str, object]) -> None:
        before = cloud.get(path_of(kind))
        answer = cloud.send("POST", path_of(kind), {kind: attributes})
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == 400
        assert cloud.get(path_of(kind)) == before

    def test_names_are_whatever_people_write(self, cloud: Cloud, kind: str) -> None:
        for name in ("Ωmega", "a/b", "a b", "' OR 1=1", "x" * 64, "\U0001f52d"):
            assert create(cloud, kind, name=name)["name"] == name

    def test_a_change_must_change_something(self, cloud: Cloud, kind: str) -> None:
        made = create(cloud, kind, name="astronomy")
        assert status(cloud, "PATCH", f"{path_of(kind)}/{made['id']}", {kind: {}}) == 400
        assert status(cloud, "PATCH", f"{path_of(kind)}/{made['id']}", {}) == 400


# --- projects


def test_a_project_is_as_keystone_shows_it(cloud: Cloud) -> None:
    made = create(cloud, "project", name="astronomy", domain_id="default", parent_id=None, tags=["sky"])
    assert {key: made[key] for key in made if key not in ("id", "links")} == {
        "name": "astronomy",
        "domain_id": "default",
        "parent_id": "default",
        "description": "",
        "enabled": True,
        "is_domain": False,
        "tags": ["sky"],
        "options": {},
    }


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"domain_id": "other"}, 404),
        ({"parent_id": "other"}, 400),
        ({"is_domain": True}, 400),
        ({"name": "x" * 65}, 400),
    ],
)
def test_there_is_one_domain_and_no_project_below_another(
    cloud: Cloud, attributes: dict[str, object], expected: int
) -> None:
    assert status(cloud, "POST", "/v3/projects", {"project": {"name": "astronomy", **attributes}}) == expected


def test_projects_are_filtered(cloud: Cloud) -> None:
    cloud.project("astronomy", tags=["sky", "night"])
    cloud.project("biology", tags=["night"], enabled=False)

    def names(query: str) -> list[str]:
        return [project["name"] for project in cloud.get(f"/v3/projects?{query}")["projects"]]

    assert names("") == ["admin", "astronomy", "biology"]
    assert names("enabled=false") == names("enabled=0") == ["biology"]
    assert names("enabled=True") == ["admin", "astronomy"]
    assert names("domain_id=default") == names("")
    assert names("domain_id=other") == []
    assert names("tags=night,sky") == ["astronomy"]
    assert names("tags-any=night,sky") == ["astronomy", "biology"]
    assert names("not-tags=night,sky") == ["admin", "biology"]
    assert names("not-tags-any=night,sky") == ["admin"]


def test_whoever_has_a_token_for_a_project_sees_it(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    other = cloud.project("biology")
    token = cloud.token(mary, astronomy)
    assert cloud.get(f"/v3/projects/{astronomy}", token)["project"]["name"] == "astronomy"
    assert cloud.send("GET", f"/v3/projects/{other}", token=token).status_code == 403
    assert cloud.send("GET", "/v3/projects/nowhere", token=token).status_code == 403


def test_users_find_their_projects(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    closed = cloud.project("closed", enabled=False)
    cloud.grant(mary, closed)
    cloud.project("biology")
    token = cloud.token(mary)
    assert [project["id"] for project in cloud.get("/v3/auth/projects", token)["projects"]] == [astronomy]
    own = cloud.get(f"/v3/users/{mary}/projects", token)["projects"]
    assert [project["id"] for project in own] == [astronomy, closed]
    assert cloud.get(f"/v3/users/{mary}/projects")["projects"] == own
    assert cloud.send("GET", "/v3/users/admin/projects", token=token).status_code == 403
    assert status(cloud, "GET", "/v3/users/nobody/projects") == 404


# --- users


def test_a_user_is_as_keystone_shows_them_without_the_password(cloud: Cloud) -> None:
    made = create(cloud, "user", name="mary", password="secret", email="mary@example.org", default_project_id="x")
    assert {key: made[key] for key in made if key not in ("id", "links")} == {
        "name": "mary",
        "domain_id": "default",
        "description": "",
        "enabled": True,
        "email": "mary@example.org",
        "default_project_id": "x",
        "password_expires_at": None,
        "options": {},
    }
    assert "secret" not in cloud.send("GET", "/v3/users").text
    assert "scrypt" not in cloud.send("GET", "/v3/users").text


def test_users_see_themselves_and_nobody_else(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    assert cloud.get(f"/v3/users/{mary}", token)["user"]["name"] == "mary"
    for path in ("/v3/users/admin", "/v3/users/nobody", "/v3/users"):
        assert cloud.send("GET", path, token=token).status_code == 403


def test_a_user_changes_the_password_by_the_old_one(cloud: Cloud) -> None:
    mary = cloud.user("mary")
    path = f"/v3/users/{mary}/password"
    for wrong in ("", "wrong", "Secret"):
        body = {"user": {"original_password": wrong, "password": "other"}}
        assert cloud.send("POST", path, body, token=None).status_code == 401
    body = {"user": {"original_password": "secret", "password": "other"}}
    assert cloud.send("POST", path, body, token=None).status_code == 204
    assert cloud.with_password(mary, "secret").status_code == 401
    assert cloud.with_password(mary, "other").status_code == 201


@pytest.mark.parametrize("sent", [{}, {"password": "x"}, {"original_password": "secret"}, {"password": 5}])
def test_a_change_of_password_needs_both(cloud: Cloud, sent: dict[str, object]) -> None:
    assert status(cloud, "POST", f"/v3/users/{cloud.user('mary')}/password", {"user": sent}) == 400


def test_a_password_has_a_greatest_length(cloud: Cloud) -> None:
    mary = cloud.user("mary")
    too_long = "*" * 4097
    answer = cloud.send("PATCH", f"/v3/users/{mary}", {"user": {"password": too_long}})
    assert answer.status_code == 400
    assert "*" not in answer.text
    assert cloud.with_password(mary, "secret").status_code == 201


def test_a_password_can_be_taken_away(cloud: Cloud) -> None:
    mary = cloud.user("mary")
    cloud.patch(f"/v3/users/{mary}", {"user": {"password": None}})
    assert cloud.with_password(mary).status_code == 401


# --- roles


@pytest.mark.parametrize("role", ["admin", "member", "reader", "service"])
def test_roles_that_policies_count_on_stay_as_they_are(cloud: Cloud, role: str) -> None:
    for method, body in (("PATCH", {"role": {"name": "other"}}), ("DELETE", None)):
        answer = cloud.send(method, f"/v3/roles/{role}", body)
        assert answer.status_code == 403
        assert "immutable" in answer.json()["error"]["message"]
    assert cloud.get(f"/v3/roles/{role}")["role"]["name"] == role


def test_roles_of_a_domain_are_none(cloud: Cloud) -> None:
    assert cloud.get("/v3/roles?domain_id=default")["roles"] == []
    assert status(cloud, "POST", "/v3/roles", {"role": {"name": "x", "domain_id": "default"}}) == 400


def test_which_roles_imply_which(cloud: Cloud) -> None:
    found = cloud.get("/v3/role_inferences")["role_inferences"]
    assert [(one["prior_role"]["name"], [role["name"] for role in one["implies"]]) for one in found] == [
        ("admin", ["member"]),
        ("member", ["reader"]),
    ]

"""Flavors: as Nova's API has them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.compute.api.people import Cloud, Person

SMALL = {"name": "small", "ram": 2048, "vcpus": 2, "disk": 10}


def create(admin: Person, **fields: Any) -> Any:
    return admin.post("/flavors", {"flavor": {**SMALL, **fields}})["flavor"]


def names(answer: Any) -> list[str]:
    return [flavor["name"] for flavor in answer["flavors"]]


def test_a_flavor_is_created_with_an_id_of_its_own(admin: Person) -> None:
    made = create(admin)
    assert str(UUID(made["id"])) == made["id"]
    links = made.pop("links")
    assert made == {
        "id": made["id"],
        "name": "small",
        "description": None,
        "ram": 2048,
        "vcpus": 2,
        "disk": 10,
        "swap": 0,
        "OS-FLV-EXT-DATA:ephemeral": 0,
        "OS-FLV-DISABLED:disabled": False,
        "os-flavor-access:is_public": True,
        "rxtx_factor": 1.0,
        "extra_specs": {},
    }
    assert links[0] == {"rel": "self", "href": f"http://cloud/compute/v2.1/flavors/{made['id']}"}
    assert admin.get(f"/flavors/{made['id']}")["flavor"] == {**made, "links": links}


def test_versions_show_what_they_know(admin: Person) -> None:
    create(admin, id="1", description="two of everything")
    oldest = admin.at("2.1").get("/flavors/1")["flavor"]
    assert oldest["swap"] == ""
    assert not {"description", "extra_specs"} & oldest.keys()
    assert admin.at("2.55").get("/flavors/1")["flavor"]["description"] == "two of everything"
    assert "extra_specs" not in admin.at("2.60").get("/flavors/1")["flavor"]
    assert admin.at("2.61").get("/flavors/1")["flavor"]["extra_specs"] == {}
    assert admin.at("2.74").get("/flavors/1")["flavor"]["swap"] == ""
    assert admin.at("2.75").get("/flavors/1")["flavor"]["swap"] == 0


def test_numbers_may_be_texts(admin: Person) -> None:
    made = create(admin, ram="512", vcpus="1", disk="0", swap="64", rxtx_factor="2.5")
    assert (made["ram"], made["vcpus"], made["disk"], made["swap"], made["rxtx_factor"]) == (512, 1, 0, 64, 2.5)


@pytest.mark.parametrize(
    "fields",
    [
        {"name": ""},
        {"name": "x" * 256},
        {"name": " small"},
        {"name": "a\u0007b"},
        {"ram": -1},
        {"ram": 0},
        {"ram": 2**31},
        {"ram": "2147483648"},
        {"ram": "much"},
        {"ram": 1.5},
        {"vcpus": 0},
        {"disk": -1},
        {"swap": -1},
        {"OS-FLV-EXT-DATA:ephemeral": "-1"},
        {"rxtx_factor": 0},
        {"rxtx_factor": "0.0"},
        {"id": ""},
        {"id": " 1"},
        {"id": "x" * 256},
        {"id": "a/b"},
        {"os-flavor-access:is_public": "perhaps"},
        {"colour": "blue"},
    ],
)
def test_what_makes_no_flavor_is_refused(admin: Person, fields: dict[str, Any]) -> None:
    assert admin.status("POST", "/flavors", {"flavor": {**SMALL, **fields}}) == 400
    assert admin.get("/flavors")["flavors"] == []


@pytest.mark.parametrize("missing", ["name", "ram", "vcpus", "disk"])
def test_what_a_flavor_needs(admin: Person, missing: str) -> None:
    body = {"flavor": {name: value for name, value in SMALL.items() if name != missing}}
    assert admin.status("POST", "/flavors", body) == 400


def test_a_description_came_with_2_55(admin: Person) -> None:
    body = {"flavor": {**SMALL, "description": "new"}}
    assert admin.at("2.54").status("POST", "/flavors", body) == 400
    assert admin.at("2.54").status("PUT", "/flavors/1", {"flavor": {"description": "new"}}) == 404
    create(admin, id="1")
    assert admin.put("/flavors/1", {"flavor": {"description": "new"}})["flavor"]["description"] == "new"
    assert admin.put("/flavors/1", {"flavor": {"description": None}})["flavor"]["description"] is None
    assert admin.status("PUT", "/flavors/1", {"flavor": {"description": "x" * 65536}}) == 400
    assert admin.status("PUT", "/flavors/1", {"flavor": {"ram": 1}}) == 400
    assert admin.status("PUT", "/flavors/2", {"flavor": {"description": "new"}}) == 404


def test_ids_and_names_are_there_once(admin: Person) -> None:
    create(admin, id="1")
    for same, what in (({"id": "2"}, "name small"), ({"id": "1", "name": "other"}, "ID 1")):
        code, message = admin.refused("POST", "/flavors", {"flavor": {**SMALL, **same}})
        assert (code, what in message) == (409, True)
    create(admin, id="2", name="Small")


def test_a_flavor_is_deleted(admin: Person) -> None:
    create(admin, id="1")
    admin.post("/flavors/1/os-extra_specs", {"extra_specs": {"trait:HW_CPU_X86_AVX": "required"}})
    assert admin.status("DELETE", "/flavors/1") == 202
    assert admin.refused("GET", "/flavors/1") == (404, "Flavor 1 could not be found.")
    assert admin.status("DELETE", "/flavors/1") == 404
    create(admin, id="1")


def test_users_see_flavors_and_change_none(cloud: Cloud) -> None:
    create(cloud.admin, id="1")
    assert names(cloud.tycho.get("/flavors")) == ["small"]
    assert cloud.tycho.get("/flavors/1")["flavor"]["name"] == "small"
    for method, path, body in (
        ("POST", "/flavors", {"flavor": {**SMALL, "name": "mine"}}),
        ("PUT", "/flavors/1", {"flavor": {"description": "mine"}}),
        ("DELETE", "/flavors/1", None),
        ("POST", "/flavors/1/os-extra_specs", {"extra_specs": {"a": "b"}}),
        ("POST", "/flavors/1/action", {"addTenantAccess": {"tenant": "astronomy"}}),
        ("GET", "/flavors/1/os-flavor-access", None),
    ):
        assert cloud.tycho.status(method, path, body) == 403


class TestList:
    @pytest.fixture
    def admin(self, cloud: Cloud) -> Person:
        for number in range(5):
            create(cloud.admin, id=f"f{number}", name=f"size{5 - number}", ram=1024 * (number + 1), disk=10 * number)
        return cloud.admin

    def test_brief_and_in_detail(self, admin: Person) -> None:
        brief = admin.get("/flavors")["flavors"][0]
        assert brief.keys() == {"id", "name", "links", "description"}
        assert admin.at("2.54").get("/flavors")["flavors"][0].keys() == {"id", "name", "links"}
        assert admin.get("/flavors/detail")["flavors"][0]["ram"] == 1024

    def test_pages_lead_to_each_other(self, admin: Person) -> None:
        first = admin.get("/flavors", limit=2)
        assert names(first) == ["size5", "size4"]
        [link] = first["flavors_links"]
        assert link == {"rel": "next", "href": "http://cloud/compute/v2.1/flavors?limit=2&marker=f1"}
        assert names(admin.get("/flavors", limit=2, marker="f1")) == ["size3", "size2"]
        last = admin.get("/flavors/detail", limit=2, marker="f3")
        assert names(last) == ["size1"]
        assert "flavors_links" not in last
        assert admin.status("GET", "/flavors", marker="f9") == 400
        assert admin.status("GET", "/flavors", limit=-1) == 400

    def test_order(self, admin: Person) -> None:
        assert names(admin.get("/flavors", sort_key="name", limit=2)) == ["size1", "size2"]
        assert names(admin.get("/flavors", sort_key="memory_mb", sort_dir="desc", limit=2)) == ["size1", "size2"]
        assert admin.status("GET", "/flavors", sort_key="colour") == 400
        assert admin.status("GET", "/flavors", sort_dir="up") == 400

    def test_the_least_that_is_wanted(self, admin: Person) -> None:
        assert names(admin.get("/flavors", minRam=4096)) == ["size2", "size1"]
        assert names(admin.get("/flavors", minDisk=40)) == ["size1"]
        assert admin.status("GET", "/flavors", minRam="much") == 400
        assert admin.status("GET", "/flavors", minDisk="") == 400

    def test_a_query_is_read_before_anything_is_found(self, admin: Person) -> None:
        assert admin.status("GET", "/flavors", minRam=10**6, is_public="perhaps") == 400

    def test_unknown_parameters_are_refused_since_2_75(self, admin: Person) -> None:
        assert admin.status("GET", "/flavors", colour="blue") == 400
        assert admin.at("2.74").status("GET", "/flavors", colour="blue") == 200


class TestAccess:
    @pytest.fixture
    def cloud(self, cloud: Cloud) -> Cloud:
        create(cloud.admin, id="open")
        create(cloud.admin, id="closed", name="secret", **{"os-flavor-access:is_public": False})
        return cloud

    def test_a_private_flavor_is_not_there_for_others(self, cloud: Cloud) -> None:
        assert names(cloud.tycho.get("/flavors")) == ["small"]
        assert names(cloud.tycho.get("/flavors", is_public="none")) == ["small"]
        for path in ("/flavors/closed", "/flavors/closed/os-extra_specs", "/flavors/closed/os-extra_specs/a"):
            assert cloud.tycho.status("GET", path) == 404

    def test_an_administrator_asks_for_it(self, cloud: Cloud) -> None:
        assert names(cloud.admin.get("/flavors")) == ["small"]
        assert names(cloud.admin.get("/flavors", is_public="false")) == ["secret"]
        assert names(cloud.admin.get("/flavors", is_public="None")) == ["secret", "small"]
        assert cloud.admin.status("GET", "/flavors", is_public="perhaps") == 400
        assert cloud.admin.get("/flavors/closed")["flavor"]["name"] == "secret"

    def test_a_project_is_let_in_and_out(self, cloud: Cloud) -> None:
        granted = cloud.admin.post("/flavors/closed/action", {"addTenantAccess": {"tenant": "astronomy"}})
        assert granted == {"flavor_access": [{"flavor_id": "closed", "tenant_id": "astronomy"}]}
        assert cloud.admin.get("/flavors/closed/os-flavor-access") == granted
        assert names(cloud.tycho.get("/flavors")) == ["secret", "small"]
        assert cloud.tycho.status("GET", "/flavors/closed") == 200
        assert cloud.maria.status("GET", "/flavors/closed") == 404
        again = {"addTenantAccess": {"tenant": "astronomy"}}
        assert cloud.admin.status("POST", "/flavors/closed/action", again) == 409
        out = {"removeTenantAccess": {"tenant": "astronomy"}}
        assert cloud.admin.post("/flavors/closed/action", out) == {"flavor_access": []}
        assert cloud.tycho.status("GET", "/flavors/closed") == 404
        assert cloud.admin.status("POST", "/flavors/closed/action", out) == 404

    def test_a_public_flavor_has_no_list(self, cloud: Cloud) -> None:
        grant = {"addTenantAccess": {"tenant": "astronomy"}}
        assert cloud.admin.status("GET", "/flavors/open/os-flavor-access") == 404
        assert cloud.admin.status("POST", "/flavors/open/action", grant) == 409
        assert cloud.admin.at("2.6").status("POST", "/flavors/open/action", grant) == 200

    @pytest.mark.parametrize("body", [{}, {"addTenantAccess": {}}, {"addTenantAccess": {"tenant": ""}}, {"fly": {}}])
    def test_other_actions_are_refused(self, cloud: Cloud, body: dict[str, Any]) -> None:
        assert cloud.admin.status("POST", "/flavors/closed/action", body) == 400


class TestExtraSpecs:
    @pytest.fixture
    def admin(self, cloud: Cloud) -> Person:
        create(cloud.admin, id="1")
        return cloud.admin

    def test_they_are_set_shown_and_removed(self, admin: Person) -> None:
        specs = {"trait:HW_CPU_X86_AVX2": "required", "hw:cpu_policy": "dedicated"}
        assert admin.post("/flavors/1/os-extra_specs", {"extra_specs": specs}) == {"extra_specs": specs}
        assert admin.put("/flavors/1/os-extra_specs/hw:cpu_policy", {"hw:cpu_policy": "shared"}) == {
            "hw:cpu_policy": "shared"
        }
        specs["hw:cpu_policy"] = "shared"
        assert admin.get("/flavors/1/os-extra_specs") == {"extra_specs": specs}
        assert admin.get("/flavors/1/os-extra_specs/hw:cpu_policy") == {"hw:cpu_policy": "shared"}
        assert admin.get("/flavors/1")["flavor"]["extra_specs"] == specs
        assert admin.status("DELETE", "/flavors/1/os-extra_specs/hw:cpu_policy") == 200
        assert admin.status("DELETE", "/flavors/1/os-extra_specs/hw:cpu_policy") == 404
        assert admin.status("GET", "/flavors/1/os-extra_specs/hw:cpu_policy") == 404
        assert admin.status("GET", "/flavors/2/os-extra_specs") == 404

    def test_numbers_become_texts(self, admin: Person) -> None:
        assert admin.post("/flavors/1/os-extra_specs", {"extra_specs": {"hw:numa_nodes": 2}}) == {
            "extra_specs": {"hw:numa_nodes": "2"}
        }

    @pytest.mark.parametrize(
        ("key", "value", "reason"),
        [
            ("trait:HW_CPU_X86_AVX2", "wanted", "the value is required or forbidden"),
            ("trait:lower", "required", "A-Z, 0-9 and _"),
            ("resources:VCPU", "-1", "a whole number"),
            ("resources:NOTHING", "1", "a resource class is"),
            ("group_policy", "together", "none or isolate"),
        ],
    )
    def test_what_placement_could_not_read_is_refused(self, admin: Person, key: str, value: str, reason: str) -> None:
        code, message = admin.refused("POST", "/flavors/1/os-extra_specs", {"extra_specs": {"a": "b", key: value}})
        assert code == 400
        assert key in message
        assert reason in message
        assert admin.refused("PUT", f"/flavors/1/os-extra_specs/{key}", {key: value})[0] == 400
        assert admin.get("/flavors/1/os-extra_specs") == {"extra_specs": {}}

    @pytest.mark.parametrize(
        "specs", [{"a/b": "c"}, {"": "c"}, {"x" * 256: "c"}, {"a": "x" * 256}, {"a": None}, {"a": ["b"]}]
    )
    def test_what_is_no_extra_spec_at_all(self, admin: Person, specs: dict[str, Any]) -> None:
        assert admin.status("POST", "/flavors/1/os-extra_specs", {"extra_specs": specs}) == 400

    def test_path_and_body_name_the_same_key(self, admin: Person) -> None:
        assert admin.status("PUT", "/flavors/1/os-extra_specs/a", {"b": "c"}) == 400

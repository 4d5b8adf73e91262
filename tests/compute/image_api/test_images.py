"""Images: registered, shown, changed and forgotten, as Glance's API has it."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.compute.api.people import Person

PATCH = "application/openstack-images-v2.1-json-patch"


def create(person: Person, **fields: Any) -> Any:
    return person.post("/images", {"name": "cirros", **fields})


def patch(person: Person, uuid: str, *changes: dict[str, Any]) -> Any:
    answer = person.send("PATCH", f"/images/{uuid}", list(changes), {"content-type": PATCH})
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused_patch(person: Person, uuid: str, *changes: Any) -> int:
    return person.send("PATCH", f"/images/{uuid}", list(changes), {"content-type": PATCH}).status_code


def test_an_image_is_of_use_as_soon_as_it_is_registered(tycho: Person) -> None:
    answer = tycho.send("POST", "/images", {"name": "cirros", "trait:HW_CPU_X86_AVX2": "required", "tags": ["b", "a"]})
    made = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"http://cloud/image/v2/images/{made['id']}"
    assert made == {
        "id": made["id"],
        "name": "cirros",
        "status": "active",
        "visibility": "shared",
        "protected": False,
        "os_hidden": False,
        "owner": "astronomy",
        "min_disk": 0,
        "min_ram": 0,
        "disk_format": None,
        "container_format": None,
        "size": None,
        "virtual_size": None,
        "checksum": None,
        "os_hash_algo": None,
        "os_hash_value": None,
        "tags": ["a", "b"],
        "trait:HW_CPU_X86_AVX2": "required",
        "created_at": made["created_at"],
        "updated_at": made["created_at"],
        "self": f"/v2/images/{made['id']}",
        "file": f"/v2/images/{made['id']}/file",
        "schema": "/v2/schemas/image",
    }
    assert made["created_at"].endswith("Z")
    assert tycho.get(f"/images/{made['id']}") == made


def test_the_id_may_be_given_and_is_there_once(tycho: Person) -> None:
    uuid = str(uuid4())
    assert create(tycho, id=uuid)["id"] == uuid
    assert tycho.refused("POST", "/images", {"id": uuid})[0] == 409
    assert tycho.status("POST", "/images", {"id": "mine"}) == 400


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "x" * 256},
        {"min_disk": -1},
        {"min_ram": 2**31},
        {"min_ram": "much"},
        {"disk_format": "floppy"},
        {"container_format": "box"},
        {"visibility": "secret"},
        {"protected": "yes"},
        {"tags": "a"},
        {"tags": ["x" * 256]},
        {"hw_boot": 1},
        {"hw_boot": {"a": "b"}},
        {"x" * 256: "a"},
        {"": "a"},
    ],
)
def test_what_makes_no_image_is_refused(tycho: Person, fields: dict[str, Any]) -> None:
    assert tycho.status("POST", "/images", {"name": "cirros", **fields}) == 400
    assert tycho.get("/images")["images"] == []


@pytest.mark.parametrize("key", ["status", "created_at", "checksum", "size", "self", "locations", "os_glance_x"])
def test_some_fields_are_not_for_clients(tycho: Person, key: str) -> None:
    assert tycho.status("POST", "/images", {key: "active"}) in (400, 403)
    uuid = create(tycho)["id"]
    assert refused_patch(tycho, uuid, {"op": "add", "path": f"/{key}", "value": "active"}) == 403


class TestPatch:
    def test_fields_and_properties(self, tycho: Person) -> None:
        uuid = create(tycho, hw_old="1")["id"]
        changed = patch(
            tycho,
            uuid,
            {"op": "replace", "path": "/name", "value": "debian"},
            {"op": "add", "path": "/trait:HW_CPU_X86_AVX2", "value": "required"},
            {"op": "remove", "path": "/hw_old"},
            {"op": "add", "path": "/a~1b~0c", "value": "d"},
            {"op": "replace", "path": "/tags", "value": ["x"]},
            {"op": "add", "path": "/min_ram", "value": 512},
        )
        assert (changed["name"], changed["tags"], changed["min_ram"]) == ("debian", ["x"], 512)
        assert (changed["trait:HW_CPU_X86_AVX2"], changed["a/b~c"]) == ("required", "d")
        assert "hw_old" not in changed
        assert tycho.get(f"/images/{uuid}") == changed

    @pytest.mark.parametrize(
        ("change", "status"),
        [
            ({"op": "replace", "path": "/nothing", "value": "a"}, 409),
            ({"op": "remove", "path": "/nothing"}, 409),
            ({"op": "remove", "path": "/name"}, 403),
            ({"op": "replace", "path": "/id", "value": str(uuid4())}, 403),
            ({"op": "replace", "path": "/owner", "value": "botany"}, 403),
            ({"op": "replace", "path": "/owner", "value": None}, 403),
            ({"op": "replace", "path": "/visibility", "value": "public"}, 403),
            ({"op": "replace", "path": "/visibility", "value": "secret"}, 400),
            ({"op": "replace", "path": "/min_ram", "value": -1}, 400),
            ({"op": "add", "path": "/hw_a", "value": 1}, 400),
            ({"op": "add", "path": "/hw_a"}, 400),
            ({"op": "add", "path": "/a/b", "value": "c"}, 400),
            ({"op": "add", "path": "/", "value": "c"}, 400),
            ({"op": "move", "path": "/name", "value": "c"}, 400),
            ("name", 400),
        ],
    )
    def test_all_or_nothing(self, tycho: Person, change: Any, status: int) -> None:
        before = create(tycho)
        first = {"op": "add", "path": "/hw_first", "value": "1"}
        assert refused_patch(tycho, before["id"], first, change) == status
        assert tycho.get(f"/images/{before['id']}") == before

    def test_other_media_types_are_refused(self, tycho: Person) -> None:
        uuid = create(tycho)["id"]
        headers = {"content-type": "application/openstack-images-v2.0-json-patch"}
        assert tycho.send("PATCH", f"/images/{uuid}", [], headers).status_code == 415


class TestOthers:
    def test_what_is_private_is_not_there(self, tycho: Person, maria: Person, admin: Person) -> None:
        for visibility in ("private", "shared"):
            uuid = create(tycho, visibility=visibility)["id"]
            assert maria.status("GET", f"/images/{uuid}") == 404
            assert maria.status("DELETE", f"/images/{uuid}") == 404
            assert refused_patch(maria, uuid, {"op": "add", "path": "/a", "value": "b"}) == 404
            assert maria.status("PUT", f"/images/{uuid}/tags/mine") == 404
            assert admin.status("GET", f"/images/{uuid}") == 200
        assert maria.get("/images")["images"] == []

    def test_what_is_public_may_be_seen_and_not_changed(self, admin: Person, maria: Person) -> None:
        uuid = create(admin, visibility="public")["id"]
        assert maria.get(f"/images/{uuid}")["visibility"] == "public"
        assert maria.status("DELETE", f"/images/{uuid}") == 403
        assert refused_patch(maria, uuid, {"op": "add", "path": "/a", "value": "b"}) == 403
        assert maria.status("PUT", f"/images/{uuid}/tags/mine") == 403

    def test_only_administrators_make_images_public_or_give_them_away(self, tycho: Person, admin: Person) -> None:
        assert tycho.status("POST", "/images", {"visibility": "public"}) == 403
        assert tycho.status("POST", "/images", {"owner": "botany"}) == 403
        assert create(admin, owner="botany", visibility="public")["owner"] == "botany"

    def test_community_images_are_found_by_those_who_know_them(self, tycho: Person, maria: Person) -> None:
        uuid = create(tycho, visibility="community")["id"]
        assert maria.status("GET", f"/images/{uuid}") == 200
        assert maria.get("/images")["images"] == []
        assert len(maria.get("/images", visibility="community")["images"]) == 1


def test_an_image_is_deleted_unless_it_is_protected(tycho: Person) -> None:
    uuid = create(tycho, protected=True, a="b", tags=["c"])["id"]
    code, message = tycho.refused("DELETE", f"/images/{uuid}")
    assert (code, "protected" in message) == (403, True)
    patch(tycho, uuid, {"op": "replace", "path": "/protected", "value": False})
    assert tycho.status("DELETE", f"/images/{uuid}") == 204
    assert tycho.status("GET", f"/images/{uuid}") == 404
    assert tycho.status("DELETE", f"/images/{uuid}") == 404


def test_tags_one_at_a_time(tycho: Person) -> None:
    uuid = create(tycho)["id"]
    for _ in range(2):
        assert tycho.status("PUT", f"/images/{uuid}/tags/gold") == 204
    assert tycho.get(f"/images/{uuid}")["tags"] == ["gold"]
    assert tycho.status("PUT", f"/images/{uuid}/tags/{'x' * 256}") == 400
    assert tycho.status("DELETE", f"/images/{uuid}/tags/gold") == 204
    assert tycho.status("DELETE", f"/images/{uuid}/tags/gold") == 404


class TestData:
    def test_an_upload_of_nothing_is_accepted(self, tycho: Person) -> None:
        uuid = create(tycho)["id"]
        headers = {"content-type": "application/octet-stream", "content-length": "0"}
        assert tycho.send("PUT", f"/images/{uuid}/file", None, headers).status_code == 204
        assert tycho.get(f"/images/{uuid}")["status"] == "active"
        assert tycho.status("GET", f"/images/{uuid}/file") == 204

    def test_an_upload_of_something_is_refused(self, tycho: Person) -> None:
        uuid = create(tycho)["id"]
        answer = tycho.send("PUT", f"/images/{uuid}/file", "bytes", {"content-type": "application/octet-stream"})
        assert answer.status_code == 501
        assert "not their data" in json.loads(answer.text)["error"]["message"]

    def test_what_a_client_says_of_its_upload_does_not_count(self, tycho: Person) -> None:
        uuid = create(tycho)["id"]
        headers = {"content-length": "0", "x-moorage-has-data": "yes"}
        assert tycho.send("PUT", f"/images/{uuid}/file", None, headers).status_code == 204

    def test_others_cannot_upload(self, tycho: Person, maria: Person) -> None:
        assert maria.status("PUT", f"/images/{create(tycho)['id']}/file") == 404


def test_an_administrator_takes_an_image_out_of_use(tycho: Person, admin: Person) -> None:
    uuid = create(tycho)["id"]
    assert tycho.status("POST", f"/images/{uuid}/actions/deactivate") == 403
    assert admin.status("POST", f"/images/{uuid}/actions/deactivate") == 204
    assert tycho.get(f"/images/{uuid}")["status"] == "deactivated"
    assert admin.status("POST", f"/images/{uuid}/actions/reactivate") == 204
    assert tycho.get(f"/images/{uuid}")["status"] == "active"


class TestMembers:
    @pytest.fixture
    def uuid(self, tycho: Person) -> str:
        return str(create(tycho)["id"])

    def test_an_image_is_shared_accepted_and_taken_back(self, tycho: Person, maria: Person, uuid: str) -> None:
        path = f"/images/{uuid}/members"
        member = tycho.post(path, {"member": "botany"})
        assert (member["member_id"], member["image_id"], member["status"]) == ("botany", uuid, "pending")
        assert tycho.status("POST", path, {"member": "botany"}) == 409
        assert maria.get(f"/images/{uuid}")["id"] == uuid
        assert maria.get("/images")["images"] == []
        assert len(maria.get("/images", member_status="pending")["images"]) == 1
        assert tycho.status("PUT", f"{path}/botany", {"status": "accepted"}) == 403
        assert maria.put(f"{path}/botany", {"status": "accepted"})["status"] == "accepted"
        assert len(maria.get("/images")["images"]) == 1
        assert maria.get(path)["members"] == tycho.get(path)["members"] == [maria.get(f"{path}/botany")]
        assert maria.status("DELETE", f"{path}/botany") == 403
        assert tycho.status("DELETE", f"{path}/botany") == 204
        assert tycho.status("DELETE", f"{path}/botany") == 404
        assert maria.status("GET", f"/images/{uuid}") == 404

    def test_members_do_not_know_each_other(self, tycho: Person, maria: Person, uuid: str) -> None:
        path = f"/images/{uuid}/members"
        for project in ("botany", "chemistry"):
            tycho.post(path, {"member": project})
        assert [member["member_id"] for member in maria.get(path)["members"]] == ["botany"]
        assert maria.status("GET", f"{path}/chemistry") == 404
        assert maria.status("POST", path, {"member": "physics"}) == 403

    def test_only_shared_images_have_members(self, tycho: Person) -> None:
        uuid = create(tycho, visibility="private")["id"]
        assert tycho.status("POST", f"/images/{uuid}/members", {"member": "botany"}) == 403
        assert tycho.status("GET", f"/images/{uuid}/members") == 403

    def test_bodies(self, tycho: Person, uuid: str) -> None:
        assert tycho.status("POST", f"/images/{uuid}/members", {"member": ""}) == 400
        assert tycho.status("POST", f"/images/{uuid}/members", {}) == 400
        assert tycho.status("PUT", f"/images/{uuid}/members/botany", {"status": "perhaps"}) == 400

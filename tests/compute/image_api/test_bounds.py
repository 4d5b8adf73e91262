"""How much may be known about an image, and how much of it one request may say."""

from __future__ import annotations

from typing import Any

import pytest

from moorage.compute.model.image_bounds import MOST_MEMBERS, MOST_PROPERTIES, MOST_PROPERTY_BYTES, MOST_TAGS
from tests.compute.api.people import Person
from tests.compute.image_api.test_images import PATCH, create, patch


def change(person: Person, uuid: str, *changes: dict[str, Any]) -> tuple[int, str]:
    answer = person.send("PATCH", f"/images/{uuid}", list(changes), {"content-type": PATCH})
    return answer.status_code, answer.text


def properties(number: int) -> dict[str, str]:
    return {f"hw_{each}": "x" for each in range(number)}


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (properties(MOST_PROPERTIES + 1), "128 properties; this one would have 129"),
        ({"tags": [str(number) for number in range(MOST_TAGS + 1)]}, "128 tags; this one would have 129"),
        ({"hw_a": "x" * 40_000, "hw_b": "x" * 30_000}, "65535 bytes in all its properties"),
        # In bytes, not in characters.
        ({"hw_a": "ж" * 40_000}, "65535 bytes in all its properties"),
    ],
)
def test_what_is_too_much_for_one_image(tycho: Person, fields: dict[str, Any], what: str) -> None:
    status, message = tycho.refused("POST", "/images", {"name": "cirros", **fields})
    assert (status, what in message) == (413, True)
    assert tycho.get("/images")["images"] == []


def test_an_image_can_be_filled_to_the_brim_and_no_further(tycho: Person) -> None:
    full = properties(MOST_PROPERTIES - 1)
    last = MOST_PROPERTY_BYTES - sum(len(name) + len(value) for name, value in full.items()) - len("hw_last")
    tags = [str(number) for number in range(MOST_TAGS)]
    before = create(tycho, **full, hw_last="x" * last, tags=tags)
    uuid = before["id"]
    for refused in (
        change(tycho, uuid, {"op": "add", "path": "/hw_more", "value": ""}),
        change(tycho, uuid, {"op": "replace", "path": "/hw_0", "value": "xx"}),
        change(tycho, uuid, {"op": "replace", "path": "/tags", "value": [*tags, "more"]}),
    ):
        assert refused[0] == 413, refused
    assert tycho.status("PUT", f"/images/{uuid}/tags/more") == 413
    assert tycho.status("PUT", f"/images/{uuid}/tags/7") == 204
    assert {**tycho.get(f"/images/{uuid}"), "updated_at": ""} == {**before, "updated_at": ""}
    assert patch(tycho, uuid, {"op": "remove", "path": "/hw_last"}, {"op": "add", "path": "/new", "value": "a"})


def test_members(tycho: Person) -> None:
    uuid = create(tycho)["id"]
    path = f"/images/{uuid}/members"
    for number in range(MOST_MEMBERS):
        tycho.post(path, {"member": f"project{number}"})
    status, message = tycho.refused("POST", path, {"member": "one more"})
    assert (status, "128 members" in message) == (413, True)
    assert tycho.status("POST", path, {"member": "project7"}) == 409


def test_changes_of_one_request(tycho: Person) -> None:
    uuid = create(tycho)["id"]
    one = {"op": "add", "path": "/hw_a", "value": "b"}
    assert change(tycho, uuid, *[one] * 300)[0] == 200
    status, text = change(tycho, uuid, *[one] * 301)
    assert status == 400
    assert "too long" in text
    assert len(text) < 2000, "what was sent is not all sent back"
    assert change(tycho, uuid, {**one, "path": f"/{'a' * 600}"})[0] == 400
    assert change(tycho, uuid, {**one, "value": "x" * 120_000})[0] == 413


@pytest.mark.parametrize(
    "query",
    [
        {f"hw_{number}": "x" for number in range(129)},
        {"tag": [f"tag{number}" for number in range(129)]},
        {"name": f"in:{','.join(map(str, range(501)))}"},
        {"name": 'in:"never ending'},
        {"created_at": "yesterday"},
        {"updated_at": "after:2030-01-01T00:00:00Z"},
        {"file": "/v2/images"},
    ],
)
def test_filters_of_one_request(tycho: Person, query: dict[str, Any]) -> None:
    assert tycho.status("GET", "/images", **query) == 400

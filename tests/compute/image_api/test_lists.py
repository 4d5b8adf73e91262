"""Lists of images: which, in which order, how many at a time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.compute.api.people import Person


@pytest.fixture
def tycho(tycho: Person) -> Person:
    for number in range(5):
        fields: dict[str, Any] = {
            "name": f"image{number}",
            "tags": ["even"] if number % 2 == 0 else ["odd", "third"] if number == 3 else ["odd"],
            "hw_cpu": str(number % 2),
            "visibility": "private" if number == 4 else "shared",
            "disk_format": "raw" if number == 0 else "qcow2",
        }
        tycho.post("/images", fields)
    return tycho


def names(person: Person, **query: Any) -> list[str]:
    return [image["name"] for image in person.get("/images", **query)["images"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"name": "image1"}, {1}),
        ({"name": "in:image1,image2"}, {1, 2}),
        ({"name": "nothing"}, set()),
        ({"status": "active"}, {0, 1, 2, 3, 4}),
        ({"status": "queued"}, set()),
        ({"visibility": "private"}, {4}),
        ({"visibility": "public"}, set()),
        ({"visibility": "all"}, {0, 1, 2, 3, 4}),
        ({"owner": "astronomy"}, {0, 1, 2, 3, 4}),
        ({"owner": "botany"}, set()),
        ({"tag": "odd"}, {1, 3}),
        ({"tag": ["odd", "third"]}, {3}),
        ({"hw_cpu": "1"}, {1, 3}),
        ({"hw_cpu": "1", "disk_format": "raw"}, set()),
        ({"disk_format": "in:raw,iso"}, {0}),
        ({"hw_other": "1"}, set()),
        ({"protected": "true"}, set()),
        ({"protected": "false"}, {0, 1, 2, 3, 4}),
        ({"os_hidden": "true"}, set()),
        ({"size_min": 1}, set()),
        ({"size_max": 1}, {0, 1, 2, 3, 4}),
    ],
)
def test_filters(tycho: Person, query: dict[str, Any], found: set[int]) -> None:
    assert set(names(tycho, **query)) == {f"image{number}" for number in found}


def test_hidden_images_are_listed_on_request(tycho: Person) -> None:
    tycho.post("/images", {"name": "old", "os_hidden": True})
    assert "old" not in names(tycho)
    assert names(tycho, os_hidden="true") == ["old"]


def test_order(tycho: Person) -> None:
    upwards = [f"image{number}" for number in range(5)]
    assert names(tycho, sort="name:asc") == upwards
    assert names(tycho, sort_key="name", sort_dir="desc") == upwards[::-1]
    assert names(tycho, sort="disk_format:desc,name:desc") == ["image0", *upwards[:0:-1]]
    assert names(tycho, sort_key=["disk_format", "name"], sort_dir="asc") == [*upwards[1:], "image0"]


def test_pages_lead_to_each_other(tycho: Person) -> None:
    first = tycho.get("/images", limit=2, sort="name:asc")
    assert [image["name"] for image in first["images"]] == ["image0", "image1"]
    assert first["first"] == "/v2/images?limit=2&sort=name%3Aasc"
    assert first["schema"] == "/v2/schemas/images"
    marker = first["images"][-1]["id"]
    assert first["next"] == f"/v2/images?limit=2&sort=name%3Aasc&marker={marker}"
    found, following = [], first
    while "next" in following:
        found += following["images"]
        following = tycho.get(following["next"].removeprefix("/v2"))
    found += following["images"]
    assert [image["name"] for image in found] == [f"image{number}" for number in range(5)]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "-1"},
        {"limit": "many"},
        {"marker": "nothing"},
        {"visibility": "secret"},
        {"member_status": "perhaps"},
        {"sort": "colour"},
        {"sort": "name:up"},
        {"sort": "name", "sort_key": "name"},
        {"sort_key": ["name", "id", "size"], "sort_dir": ["asc", "desc"]},
        {"protected": "perhaps"},
    ],
)
def test_what_cannot_be_asked_for(tycho: Person, query: dict[str, Any]) -> None:
    assert tycho.status("GET", "/images", **query) == 400


def test_administrators_see_all(tycho: Person, admin: Person, maria: Person) -> None:
    assert len(names(admin)) == 5
    assert names(maria) == []


def test_schemas_say_what_there_is(tycho: Person) -> None:
    image = tycho.get("/schemas/image")
    shown = tycho.get("/images")["images"][0]
    assert shown.keys() - {"hw_cpu"} == image["properties"].keys()
    assert image["additionalProperties"] == {"type": "string"}
    assert tycho.get("/schemas/images")["properties"]["images"]["items"] == image
    member = tycho.get("/schemas/member")
    uuid = shown["id"] if shown["visibility"] == "shared" else tycho.get("/images")["images"][1]["id"]
    assert tycho.post(f"/images/{uuid}/members", {"member": "botany"}).keys() == member["properties"].keys()
    assert tycho.get("/schemas/members")["properties"]["members"]["items"] == member

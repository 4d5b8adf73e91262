"""Lists of images: which, in which order, how many at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import event

from moorage.compute.model.image import Image
from moorage.compute.store import images
from moorage.db.database import Database, Transaction
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
        ({"min_disk": "0", "min_ram": "in:0,512"}, {0, 1, 2, 3, 4}),
        ({"min_disk": "many"}, set()),
        ({"name": 'in:"image1", image2,"a,b"'}, {1, 2}),
        ({"checksum": "0123"}, set()),
        ({"created_at": "gte:2020-01-01T00:00:00Z", "updated_at": "lt:2999-01-01T00:00:00+02:00"}, {0, 1, 2, 3, 4}),
        ({"created_at": "2020-01-01T00:00:00"}, set()),
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


def test_pages_of_images_that_are_equal_in_what_they_are_sorted_by(tycho: Person) -> None:
    found: list[str] = []
    marker: dict[str, str] = {}
    while page := tycho.get("/images", limit=2, sort="size:asc,status:desc,status:asc", **marker)["images"]:
        found += [image["name"] for image in page]
        marker = {"marker": page[-1]["id"]}
    assert found == [f"image{number}" for number in range(5)][::-1]


def test_a_marker_is_an_image_that_one_may_see(tycho: Person, maria: Person) -> None:
    uuid = tycho.get("/images")["images"][0]["id"]
    status, message = maria.refused("GET", "/images", marker=uuid)
    assert (status, message) == (400, f"No image found with ID {uuid}, which the marker names.")
    # It need not be in the list itself: it may have changed since the page before.
    assert set(names(tycho, marker=uuid, tag="nothing")) == set()


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


def test_the_work_grows_with_the_page(tycho: Person, database: Database) -> None:
    """Of the tables with what belongs to images only the rows of those on the page are read."""
    for number in range(30):
        tycho.post("/images", {"name": f"many{number}", "hw_cpu": "1", "tags": ["many"]})
    read: list[tuple[str, Any]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: Any, *_more: object) -> None:
        read.append((statement, parameters))

    event.listen(database._readers, "before_cursor_execute", note)
    assert len(tycho.get("/images", limit=3, name="in:many1,many2,many3,many4")["images"]) == 3
    pages = [statement for statement, _ in read if "FROM images" in statement]
    parts = [statement for statement, _ in read if "FROM image_" in statement]
    assert len(pages) == 1
    assert "LIMIT" in pages[0]
    assert len(parts) == 3
    assert all("WHERE" in statement and "image_id IN" in statement for statement in parts)
    assert all(len(parameters) == 3 for statement, parameters in read if "FROM image_" in statement)


def test_a_page_of_very_many_images_is_read_in_parts(tycho: Person, maria: Person, database: Database) -> None:
    def work(tx: Transaction) -> None:
        for number in range(600):
            blank = Image(uuid=str(uuid4()), name="", owner="botany", created_at=tx.now, updated_at=tx.now)
            images.create(tx, replace(blank, name=f"plant{number}", properties={"number": str(number)}))

    database.write(work)
    page = maria.get("/images", limit=1000)["images"]
    assert len(page) == 600
    assert all(image["name"] == f"plant{image['number']}" for image in page)
    assert len(names(tycho, limit=1000)) == 5


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

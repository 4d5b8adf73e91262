"""`/openapi/`: a list of the APIs that are served, and a document about each, for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

from moorage.db.upgrade import upgrade
from moorage.service.api_descriptions import DESCRIBED_APIS, DescribedApi
from moorage.service.application import all_application
from moorage.service.settings import database_url, load_settings


def site_of(directory: Path, **overrides: Any) -> httpx.Client:
    """Somebody who has no credential."""
    settings = load_settings({"state_path": str(directory), **overrides}, config_files=[])
    upgrade(database_url(settings))
    return httpx.Client(transport=httpx.WSGITransport(all_application(settings)), base_url="http://site")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with site_of(tmp_path_factory.mktemp("site")) as client:
        yield client


def test_all_of_them_are_listed_without_a_credential(site: httpx.Client) -> None:
    answer = site.get("/openapi/")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert answer.json()[1] == {
        "name": "compute",
        "title": "Compute API",
        "mount": "/compute",
        "document": "compute.json",
    }
    assert [api["name"] for api in answer.json()] == list(DESCRIBED_APIS)


def test_the_list_is_a_folder(site: httpx.Client) -> None:
    answer = site.get("/openapi")
    assert (answer.status_code, answer.headers["location"]) == (308, "openapi/")


@pytest.mark.parametrize(
    ("services", "apis"),
    [
        (["placement"], ["placement"]),
        (["compute", "liquid"], ["compute", "image", "liquid-nova"]),
        (["identity", "console"], ["identity", "console"]),
        (["placement", "reservation"], ["placement", "reservation"]),
    ],
)
def test_only_what_the_settings_serve(tmp_path: Path, services: Sequence[str], apis: Sequence[str]) -> None:
    with site_of(tmp_path, **{"api.services": services}) as site:
        assert [api["name"] for api in site.get("/openapi/").json()] == apis
        there = {name for name in DESCRIBED_APIS if site.get(f"/openapi/{name}.json").status_code == 200}
        assert there == set(apis) & set(DESCRIBED_APIS)


def test_identity_is_not_there_where_somebody_else_knows_the_users(tmp_path: Path) -> None:
    with site_of(tmp_path, **{"api.auth_strategy": "noauth2"}) as site:
        assert "identity" not in [api["name"] for api in site.get("/openapi/").json()]
        assert site.get("/openapi/identity.json").status_code == 404


@pytest.mark.parametrize("name", DESCRIBED_APIS)
def test_a_document(site: httpx.Client, name: str) -> None:
    document = site.get(f"/openapi/{name}.json").raise_for_status().json()
    assert document["openapi"].startswith("3.1")
    assert document["info"]["title"] == DESCRIBED_APIS[name].title
    operations = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(set(operations)) == len(operations), "an operation cannot be told from another by its id"
    assert {pointer for pointer in references(document) if not leads_somewhere(document, pointer)} == set()


def references(content: Any) -> Iterator[str]:
    if isinstance(content, dict):
        if isinstance(pointer := content.get("$ref"), str):
            yield pointer
        for value in content.values():
            yield from references(value)
    elif isinstance(content, list):
        for item in content:
            yield from references(item)


def leads_somewhere(document: Any, pointer: str) -> bool:
    for step in pointer.removeprefix("#/").split("/"):
        if step not in document:
            return False
        document = document[step]
    return True


@pytest.mark.parametrize("name", DESCRIBED_APIS)
@pytest.mark.parametrize("root", ["http://site", "https://example.org/behind/a/proxy"])
def test_its_servers_are_beside_it_wherever_that_is(site: httpx.Client, name: str, root: str) -> None:
    [server] = site.get(f"/openapi/{name}.json").json()["servers"]
    assert urljoin(f"{root}/openapi/{name}.json", server["url"]) == f"{root}{DESCRIBED_APIS[name].mount}"


def test_it_is_not_sent_again_while_it_is_the_same(site: httpx.Client) -> None:
    first = site.get("/openapi/compute.json")
    assert first.headers["cache-control"] == "no-cache"
    again = site.get("/openapi/compute.json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = site.get("/openapi/image.json", headers={"if-none-match": first.headers["etag"]})
    assert other.status_code == 200


def test_it_is_made_once(site: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = site.get("/openapi/compute.json").json()
    monkeypatch.delattr(DescribedApi, "document")
    assert site.get("/openapi/compute.json").json() == first


@pytest.mark.parametrize("path", ["/openapi/", "/openapi/compute.json"])
def test_asking_for_the_headers_alone(site: httpx.Client, path: str) -> None:
    plain = {"accept-encoding": "identity"}
    whole, head = site.get(path, headers=plain), site.head(path, headers=plain)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers == whole.headers


@pytest.mark.parametrize("path", ["/openapi/barber.json", "/openapi/compute", "/openapi/compute.json/more"])
def test_nothing_else_is_there(site: httpx.Client, path: str) -> None:
    assert site.get(path).status_code == 404


def test_nothing_can_be_written(site: httpx.Client) -> None:
    assert site.put("/openapi/compute.json", json={}).status_code == 405

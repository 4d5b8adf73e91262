"""How the compute API says which versions it has, and answers at the one that is asked for."""

from __future__ import annotations

import httpx
import pytest

from tests.compute.api.people import Cloud

VERSION = {
    "id": "v2.1",
    "status": "CURRENT",
    "version": "2.96",
    "min_version": "2.1",
    "updated": "2013-07-23T11:33:21Z",
    "links": [{"rel": "self", "href": "http://cloud/compute/v2.1/"}],
    "media-types": [{"base": "application/json", "type": "application/vnd.openstack.compute+json;version=2.1"}],
}


def ask(cloud: Cloud, path: str, **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with httpx.Client(transport=httpx.WSGITransport(app=cloud.application), base_url="http://cloud") as client:
        return client.get(path, headers=sent)


@pytest.mark.parametrize("slash", ["", "/"])
def test_the_documents_need_no_credential(cloud: Cloud, slash: str) -> None:
    assert ask(cloud, f"/compute{slash}").json() == {"versions": [VERSION]}
    assert ask(cloud, f"/compute/v2.1{slash}").json() == {"version": VERSION}
    assert ask(cloud, "/compute/v2.1/flavors").status_code == 401


@pytest.mark.parametrize(
    ("headers", "version"),
    [
        ({}, "2.1"),
        ({"OpenStack_API_Version": "compute 2.55"}, "2.55"),
        ({"OpenStack_API_Version": "compute latest"}, "2.96"),
        ({"X_OpenStack_Nova_API_Version": "2.60"}, "2.60"),
        ({"OpenStack_API_Version": "compute 2.55", "X_OpenStack_Nova_API_Version": "2.60"}, "2.55"),
        ({"OpenStack_API_Version": "placement 1.39"}, "2.1"),
    ],
)
def test_the_answer_names_its_version(cloud: Cloud, headers: dict[str, str], version: str) -> None:
    answer = ask(cloud, "/compute/v2.1/flavors", X_Auth_Token="admin", **headers)
    assert answer.status_code == 200
    assert answer.headers["openstack-api-version"] == f"compute {version}"
    assert answer.headers["x-openstack-nova-api-version"] == version


@pytest.mark.parametrize(("version", "status"), [("2.0", 406), ("2.97", 406), ("3.0", 406), ("two", 400), ("2", 400)])
def test_versions_that_are_not_there(cloud: Cloud, version: str, status: int) -> None:
    answer = ask(cloud, "/compute/v2.1/flavors", X_Auth_Token="admin", OpenStack_API_Version=f"compute {version}")
    assert answer.status_code == status


def test_errors_are_worded_as_novas(cloud: Cloud) -> None:
    answer = ask(cloud, "/compute/v2.1/flavors/none", X_Auth_Token="admin")
    assert answer.json() == {"itemNotFound": {"code": 404, "message": "Flavor none could not be found."}}
    assert ask(cloud, "/compute/v2.1/nothing", X_Auth_Token="admin").json().keys() == {"itemNotFound"}
    forbidden = ask(cloud, "/compute/v2.1/os-aggregates", X_Auth_Token="tycho")
    assert (forbidden.status_code, forbidden.json().keys()) == (403, {"forbidden"})

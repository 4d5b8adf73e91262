"""Where everything is, as the caller can reach it."""

from __future__ import annotations

from typing import Any

import pytest
from oslo_config import cfg

from moorage.db.database import Database
from moorage.identity.catalog import Catalog, offered_by
from tests.identity.cloud import ADDRESS, Cloud


def urls(catalog: Any) -> dict[str, set[str]]:
    """The addresses of each type of service."""
    return {service["type"]: {endpoint["url"] for endpoint in service["endpoints"]} for service in catalog}


def test_it_lists_what_is_served_under_the_callers_address(settings: cfg.ConfigOpts, database: Database) -> None:
    settings.set_override("services", ["placement", "identity"], group="api")
    cloud = Cloud(settings, database)
    mary, astronomy = cloud.member()
    answer = cloud.with_password(mary, scope={"project": {"id": astronomy}})
    catalog = answer.json()["token"]["catalog"]
    assert urls(catalog) == {"identity": {f"{ADDRESS}/identity"}, "placement": {f"{ADDRESS}/placement"}}
    assert cloud.get("/v3/auth/catalog", answer.headers["X-Subject-Token"])["catalog"] == catalog
    for service in catalog:
        assert [endpoint["interface"] for endpoint in service["endpoints"]] == ["public", "internal", "admin"]
        assert {endpoint["region"] for endpoint in service["endpoints"]} == {"RegionOne"}
        assert {endpoint["region_id"] for endpoint in service["endpoints"]} == {"RegionOne"}


def test_whoever_calls_by_another_name_gets_that_name(cloud: Cloud) -> None:
    headers = {"Host": "ledger.internal:8443", "X-Auth-Token": cloud.admin_token}
    catalog = cloud.client.get("/v3/auth/catalog", headers=headers).json()["catalog"]
    assert urls(catalog)["placement"] == {"http://ledger.internal:8443/placement"}


@pytest.mark.parametrize(
    ("believed", "expected"), [("true", "https://cloud.org/placement"), ("false", f"{ADDRESS}/placement")]
)
def test_a_proxy_is_believed_where_that_is_configured(
    settings: cfg.ConfigOpts,
    database: Database,
    believed: str,
    expected: str,
) -> None:
    settings.set_override("enable_proxy_headers_parsing", believed == "true", group="oslo_middleware")
    cloud = Cloud(settings, database)
    headers = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "cloud.org"}
    catalog = cloud.send("GET", "/v3/auth/catalog", headers=headers).json()["catalog"]
    assert urls(catalog)["placement"] == {expected}


def test_address_and_region_are_settings(settings: cfg.ConfigOpts, database: Database) -> None:
    settings.set_override("public_endpoint", "https://cloud.example.com/", group="identity")
    settings.set_override("region", "north", group="identity")
    cloud = Cloud(settings, database)
    catalog = cloud.get("/v3/auth/catalog")["catalog"]
    assert urls(catalog)["identity"] == {"https://cloud.example.com/identity"}
    assert {endpoint["region"] for service in catalog for endpoint in service["endpoints"]} == {"north"}
    assert [region["id"] for region in cloud.get("/v3/regions")["regions"]] == ["north"]
    assert cloud.get("/v3/regions/north")["region"]["parent_region_id"] is None
    assert cloud.send("GET", "/v3/regions/south").status_code == 404


def test_services_and_endpoints_are_listed_and_shown(cloud: Cloud) -> None:
    catalog = cloud.get("/v3/auth/catalog")["catalog"]
    services, endpoints = cloud.get("/v3/services")["services"], cloud.get("/v3/endpoints")["endpoints"]
    assert [service["id"] for service in services] == [service["id"] for service in catalog]
    assert [endpoint["url"] for endpoint in endpoints] == [
        endpoint["url"] for service in catalog for endpoint in service["endpoints"]
    ]
    for kind, found in (("service", services), ("endpoint", endpoints)):
        for one in found:
            assert cloud.get(f"/v3/{kind}s/{one['id']}")[kind] == one
        assert len({one["id"] for one in found}) == len(found)
        assert cloud.send("GET", f"/v3/{kind}s/nothing").status_code == 404
    [placement] = cloud.get("/v3/services?type=placement")["services"]
    found = cloud.get(f"/v3/endpoints?service_id={placement['id']}&interface=public")["endpoints"]
    assert [endpoint["url"] for endpoint in found] == [f"{ADDRESS}/placement"]


def test_there_is_one_domain(cloud: Cloud) -> None:
    [domain] = cloud.get("/v3/domains")["domains"]
    assert (domain["id"], domain["name"], domain["enabled"]) == ("default", "Default", True)
    assert cloud.get("/v3/domains/default")["domain"] == domain
    assert cloud.get("/v3/domains?name=Other")["domains"] == []
    assert cloud.send("GET", "/v3/domains/other").status_code == 404


def test_a_service_that_has_two_apis_is_listed_twice() -> None:
    catalog = Catalog(offered_by(["compute", "identity"]), "RegionOne")
    found = {endpoint.service.type: endpoint.url for endpoint in catalog.endpoints("http://cloud/prefix/identity")}
    assert found == {
        "compute": "http://cloud/prefix/compute/v2.1",
        "identity": "http://cloud/prefix/identity",
        "image": "http://cloud/prefix/image",
    }

"""Bodies that make no sense: a 400 in plain text that names the field and the value, and nothing happens."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import falcon.testing
import pytest

from moorage.db.database import Database
from tests.capacity.fake_cloud import FakeCloud
from tests.capacity.liquids import Speaker, speaker

CONTENT: dict[str, Any] = {
    "flavors": [
        {"id": "p", "name": "pooled", "vcpus": 1, "ram": 1024, "disk": 10},
        {"id": "s", "name": "split", "vcpus": 1, "ram": 1, "disk": 1, "extra_specs": {"quota:separate": "true"}},
    ],
    "hypervisors": [],
    "aggregates": [],
    "servers": [],
    "server_groups": [],
    "limits": {"absolute": {}, "absolutePerFlavor": {}},
}

CAPACITY: list[tuple[Any, str]] = [
    ([], "is not of type 'object'"),
    ({}, "'allAZs' is a required property"),
    ({"allAZs": ["a"], "colour": 1}, "('colour' was unexpected)"),
    ({"allAZs": "a"}, "allAZs. Value: a."),
    ({"allAZs": ["a", 7]}, "allAZs.1. Value: 7."),
    ({"allAZs": [""]}, "allAZs.0. Value: ."),
    ({"allAZs": ["a", "a"]}, "non-unique"),
    ({"allAZs": ["a", "any"]}, "allAZs. Value: any."),
    ({"allAZs": ["unknown"]}, "allAZs. Value: unknown."),
    ({"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"b": {}}}}}, "demandByResource.cores.perAZ. Value: b."),
    ({"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": -1}}}}}, "a.usage. Value: -1."),
    ({"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": 2**64}}}}}, "a.usage. Value: 18446744"),
    ({"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": 1.5}}}}}, "a.usage. Value: 1.5."),
    ({"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": True}}}}}, "a.usage. Value: True."),
    ({"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"used": 1}}}}}, "('used' was unexpected)"),
    ({"allAZs": ["a"], "demandByResource": {"cores": {}}}, "'perAZ' is a required property"),
    (
        {"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {}, "overcommitFactor": -1}}},
        "demandByResource.cores.overcommitFactor. Value: -1.",
    ),
    (
        {"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {}, "overcommitFactor": 1e-300}}},
        "cores has the overcommit factor 1e-300. A factor is a number from 1e-06 to 1e+09, or 0 for none.",
    ),
    (
        {"allAZs": ["a"], "demandByResource": {"instances_split": {"perAZ": {}, "overcommitFactor": 2}}},
        "instances_split has the overcommit factor 2",
    ),
]
USAGE: list[tuple[Any, str]] = [
    ({}, "'allAZs' is a required property"),
    ({"allAZs": ["a"], "more": 1}, "('more' was unexpected)"),
    ({"allAZs": ["total"]}, "allAZs. Value: total."),
    ({"allAZs": ["a"], "projectMetadata": {"uuid": 1}}, "projectMetadata"),
]
QUOTA: list[tuple[Any, str]] = [
    ({}, "'resources' is a required property"),
    ({"resources": {"cores": {"quota": -1}}}, "resources.cores.quota. Value: -1."),
    ({"resources": {"cores": {"quota": 1, "force": True}}}, "('force' was unexpected)"),
    ({"resources": {"cores": {}}}, "'quota' is a required property"),
    ({"resources": {"floating_ips": {"quota": 1}}}, "resources.floating_ips. Value: 1. There is no such resource"),
    (
        {"resources": {"cores": {"quota": 1, "perAZ": {"a": {"quota": 1}}}}},
        "No resource of this service has quotas by zone",
    ),
    ({"resources": {"cores": {"quota": 1}, "instances_split": {"quota": 1}}}, "A stock Nova cannot"),
]
CHANGE: dict[str, Any] = {
    "az": "a",
    "dryRun": False,
    "infoVersion": 0,
    "byProject": {
        "harbour": {
            "byResource": {
                "cores": {
                    "totalConfirmedBefore": 0,
                    "totalConfirmedAfter": 5,
                    "totalGuaranteedBefore": 0,
                    "totalGuaranteedAfter": 0,
                    "commitments": [
                        {
                            "uuid": "3a4f2f54-8d3c-4c53-9a4f-1f6f5a7a9d11",
                            "oldStatus": None,
                            "newStatus": "confirmed",
                            "amount": 5,
                            "expiresAt": "2030-01-01T00:00:00Z",
                        }
                    ],
                }
            }
        }
    },
}


@pytest.fixture
def cloud() -> FakeCloud:
    return FakeCloud(CONTENT)


@pytest.fixture
def asker(database: Database, cloud: FakeCloud) -> Speaker:
    return speaker(database, cloud.services())


@pytest.mark.parametrize(("body", "told"), CAPACITY)
def test_capacity(asker: Speaker, body: Any, told: str) -> None:
    response = asker.post("/v1/report-capacity", body)
    assert (response.status, response.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert told in response.body.decode()


@pytest.mark.parametrize(("body", "told"), USAGE)
def test_usage(asker: Speaker, body: Any, told: str) -> None:
    response = asker.post("/v1/projects/harbour/report-usage", body)
    assert response.status == 400
    assert told in response.body.decode()


@pytest.mark.parametrize(("body", "told"), QUOTA)
def test_quota(asker: Speaker, cloud: FakeCloud, body: Any, told: str) -> None:
    response = asker.put("/v1/projects/harbour/quota", body)
    assert response.status == 400
    assert told in response.body.decode()
    assert not cloud.quotas


def test_what_is_no_json(asker: Speaker) -> None:
    for body in (b"", b"{", b'{"allAZs": []} {}', b"\xff"):
        response = falcon.testing.simulate_post(
            asker.transport._application, "/v1/report-capacity", body=body, headers={"x-auth-token": "admin"}
        )
        assert response.status_code == 400, body


def test_commitments_are_refused_with_the_reason(asker: Speaker) -> None:
    change = deepcopy(CHANGE)
    response = asker.post("/v1/change-commitments", change)
    assert response.status == 400
    assert "infoVersion. Value: 0." in response.body.decode()
    change["infoVersion"] = asker.info()["version"]
    response = asker.post("/v1/change-commitments", change)
    assert response.status == 400
    assert "manages no commitments" in response.body.decode()
    change["byProject"]["harbour"]["byResource"]["cores"]["commitments"][0]["newStatus"] = "hoped for"
    response = asker.post("/v1/change-commitments", change)
    assert response.status == 400
    assert "newStatus. Value: hoped for." in response.body.decode()


def test_the_largest_numbers_are_numbers(asker: Speaker) -> None:
    most = {"usage": 2**64 - 1, "unusedCommitments": 2**64 - 1, "pendingCommitments": 2**64 - 1}
    names = ("cores", "ram", "instances", "instances_split")
    demand: dict[str, Any] = {name: {"perAZ": {"a": most}} for name in names}
    demand["cores"]["overcommitFactor"] = 1.3
    report = asker.capacity({"allAZs": ["a"], "demandByResource": demand})
    assert report["resources"]["cores"]["perAZ"] == {"a": {"capacity": 0, "usage": 0}}


def test_nothing_may_be_null_where_a_map_is_empty(asker: Speaker) -> None:
    body = {"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": None, "overcommitFactor": None}}}
    assert asker.capacity(body)["resources"]["ram"]["perAZ"] == {"a": {"capacity": 0, "usage": 0}}
    assert asker.capacity({"allAZs": ["a"], "demandByResource": None})


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity", "9" * 5000])
def test_numbers_that_no_machine_has(asker: Speaker, number: str) -> None:
    zone = f'{{"a": {{"usage": {number}}}}}'
    body = f'{{"allAZs": ["a"], "demandByResource": {{"cores": {{"perAZ": {zone}, "overcommitFactor": {number}}}}}}}'
    response = falcon.testing.simulate_post(
        asker.transport._application, "/v1/report-capacity", body=body, headers={"x-auth-token": "admin"}
    )
    assert response.status_code == 400


@pytest.mark.parametrize(("number", "told"), [("5.0", "5.0"), ("1e3", "1000.0"), ("1e19", "1e+19"), ("-0.0", "-0.0")])
@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        (
            "POST",
            "/v1/report-capacity",
            '{"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": NUMBER}}}}}',
            "demandByResource.cores.perAZ.a.usage",
        ),
        (
            "PUT",
            "/v1/projects/harbour/quota",
            '{"resources": {"cores": {"quota": NUMBER}}}',
            "resources.cores.quota",
        ),
        (
            "POST",
            "/v1/change-commitments",
            '{"az": "a", "infoVersion": NUMBER, "byProject": {}}',
            "infoVersion",
        ),
    ],
)
def test_whole_numbers_are_written_as_such(
    asker: Speaker, cloud: FakeCloud, method: str, path: str, body: str, field: str, number: str, told: str
) -> None:
    response = falcon.testing.simulate_request(
        asker.transport._application,
        method,
        path,
        body=body.replace("NUMBER", number),
        headers={"x-auth-token": "admin"},
    )
    assert response.status_code == 400
    assert response.text == (
        f"Invalid input for field/attribute {field}. Value: {told}. A whole number is allowed, written without a"
        " fraction or an exponent.\n"
    )
    assert not cloud.quotas


def test_a_factor_may_have_a_fraction(asker: Speaker) -> None:
    body = {"allAZs": ["a"], "demandByResource": {"cores": {"perAZ": {"a": {"usage": 3}}, "overcommitFactor": 1.5}}}
    assert asker.capacity(body)["resources"]["cores"]["perAZ"] == {"a": {"capacity": 0, "usage": 0}}


def test_demand_for_a_resource_that_is_gone_is_no_mistake(asker: Speaker) -> None:
    body = {"allAZs": ["a"], "demandByResource": {"instances_gone": {"perAZ": {"a": {"usage": 1}}}}}
    report = asker.capacity(body)
    assert set(report["resources"]) == {"cores", "instances", "ram", "instances_split"}

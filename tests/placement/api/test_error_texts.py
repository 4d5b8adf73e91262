"""What errors say: clients and their tests compare these sentences, so they are the reference implementation's."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.placement.rest import Api

HOST, NOBODY = str(UUID(int=1)), str(UUID(int=2))
NO_PROVIDER = f"No resource provider with uuid {NOBODY} found"


@pytest.fixture(autouse=True)
def _host(api: Api) -> None:
    api.post("/resource_providers", {"name": "host", "uuid": HOST})


def said(api: Api, method: str, path: str, body: object = None, query: dict[str, str] | None = None) -> str:
    """The sentence after the one that explains the status."""
    return api.send(method, path, body, query).detail.partition("\n\n")[2]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("", NO_PROVIDER),
        ("/aggregates", NO_PROVIDER),
        ("/inventories", f"{NO_PROVIDER} : {NO_PROVIDER}"),
        ("/inventories/VCPU", f"{NO_PROVIDER} : {NO_PROVIDER}"),
        ("/usages", f"{NO_PROVIDER}: {NO_PROVIDER}"),
        ("/traits", f"{NO_PROVIDER}: {NO_PROVIDER}"),
        ("/allocations", f"Resource provider '{NOBODY}' not found: {NO_PROVIDER}"),
    ],
)
def test_a_provider_is_missing(api: Api, path: str, sentence: str) -> None:
    assert said(api, "GET", f"/resource_providers/{NOBODY}{path}") == f" {sentence}  "


def test_traits_are_unknown(api: Api) -> None:
    body = {"resource_provider_generation": 0, "traits": ["CUSTOM_X", "HW_CPU_X86_VMX", "CUSTOM_A"]}
    assert said(api, "PUT", f"/resource_providers/{HOST}/traits", body) == " No such trait CUSTOM_A, CUSTOM_X  "


def test_a_reshape_names_a_provider_that_is_not_there(api: Api) -> None:
    inventories = {NOBODY: {"resource_provider_generation": 0, "inventories": {}}}
    sentence = said(api, "POST", "/reshaper", {"inventories": inventories, "allocations": {}})
    assert sentence == f" Resource provider {NOBODY} in inventories not found: {NO_PROVIDER}  "


def test_an_inventory_to_delete_is_missing(api: Api) -> None:
    missing = "No inventory of class VCPU found for delete"
    assert said(api, "DELETE", f"/resource_providers/{HOST}/inventories/VCPU") == f" {missing}: {missing}  "


def test_claims_name_providers_that_are_not_there(api: Api) -> None:
    """The first of them is told."""
    last, first = str(UUID(int=3)), str(UUID(int=4))
    body = {
        "allocations": {uuid: {"resources": {"VCPU": 1}} for uuid in (HOST, first, last)},
        "consumer_generation": None,
        "consumer_type": "INSTANCE",
        "project_id": "project",
        "user_id": "user",
    }
    sentence = said(api, "PUT", f"/allocations/{NOBODY}", body)
    assert sentence == f" Allocation for resource provider '{first}' that does not exist.  "


def test_a_schema_is_quoted_on_one_line(api: Api) -> None:
    sentence = said(api.at("1.10"), "GET", "/allocation_candidates")
    assert "\n" not in sentence
    assert sentence.startswith(" Invalid query string parameters: 'resources' is a required property  Failed")
    assert "'required': ['resources'],      'additionalProperties': False}" in sentence

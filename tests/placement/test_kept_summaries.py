"""The summaries of candidates are kept as text, a tree at a time: whatever changes in a tree must show at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.rest import Api


@pytest.fixture
def tree(api: Api) -> dict[str, str]:
    """A host with a card and a port on the card, once asked about, so that its summaries are kept."""
    host = api.create_provider("host", {"VCPU": 8})
    card = api.create_provider("card", {"CUSTOM_CARD": 2}, parent=host)
    port = api.create_provider("port", {"CUSTOM_PORT": 4}, parent=card)
    summaries(api)
    return {"host": host, "card": card, "port": port}


def summaries(api: Api) -> dict[str, Any]:
    found: dict[str, Any] = api.get("/allocation_candidates", {"resources": "VCPU:1"})["provider_summaries"]
    return found


def test_a_claim_on_a_grandchild_shows(api: Api, tree: dict[str, str]) -> None:
    api.allocate({tree["port"]: {"CUSTOM_PORT": 3}})
    assert summaries(api)[tree["port"]]["resources"] == {"CUSTOM_PORT": {"capacity": 4, "used": 3}}


def test_a_trait_of_a_child_shows(api: Api, tree: dict[str, str]) -> None:
    generation = api.get(f"/resource_providers/{tree['card']}")["generation"]
    body = {"resource_provider_generation": generation, "traits": ["HW_CPU_X86_AVX"]}
    api.put(f"/resource_providers/{tree['card']}/traits", body)
    assert summaries(api)[tree["card"]]["traits"] == ["HW_CPU_X86_AVX"]


def test_a_new_child_shows_and_one_that_is_gone_does_not(api: Api, tree: dict[str, str]) -> None:
    another = api.create_provider("another", {}, parent=tree["card"])
    assert another in summaries(api)
    api.delete(f"/resource_providers/{tree['port']}")
    assert summaries(api).keys() == {tree["host"], tree["card"], another}


def test_a_child_that_moves_shows_in_its_new_tree_alone(api: Api, tree: dict[str, str]) -> None:
    other = api.create_provider("other", {"CUSTOM_OTHER": 1})
    query = {"resources": "CUSTOM_OTHER:1"}
    assert api.get("/allocation_candidates", query)["provider_summaries"].keys() == {other}
    api.put(f"/resource_providers/{tree['card']}", {"name": "card", "parent_provider_uuid": other})
    assert summaries(api).keys() == {tree["host"]}
    moved = api.get("/allocation_candidates", query)["provider_summaries"]
    assert moved.keys() == {other, tree["card"], tree["port"]}
    assert moved[tree["port"]]["root_provider_uuid"] == other

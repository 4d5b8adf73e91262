"""The console beside a compute service that is not Moorage's: what it tells comes through the console's own API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.console.other_compute import ADMIN, TRAIT, Beside, moorage_beside_another
from tests.console.visitor import Visitor, visitor
from tests.service.test_metrics import open_site

MEMBER = "tycho:astronomy"


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beside]:
    with moorage_beside_another(tmp_path_factory.mktemp("beside")) as started:
        yield started


@pytest.fixture
def administrator(browser: Browser, beside: Beside) -> Iterator[Visitor]:
    with visitor(browser, beside.service) as somebody:
        somebody.open()
        somebody.page.get_by_label("Token", exact=True).fill(ADMIN)
        somebody.page.keyboard.press("Enter")
        expect(somebody.page.get_by_role("navigation", name="Pages")).to_be_visible()
        yield somebody


def asked(beside: Beside, path: str, token: str = ADMIN) -> httpx.Response:
    return httpx.get(f"{beside.service.url}/console/api/{path}", headers={"X-Auth-Token": token})


def told(beside: Beside, path: str) -> Any:
    return asked(beside, path).raise_for_status().json()


def test_what_the_pages_need_of_compute_is_told(beside: Beside) -> None:
    [aggregate] = told(beside, "compute/aggregates")["aggregates"]
    assert (aggregate["name"], aggregate["availability_zone"], aggregate["hosts"]) == (
        "north-side",
        "north",
        ["pier-1"],
    )
    [flavor] = told(beside, "compute/flavors")["flavors"]
    wishes = {f"trait:{TRAIT}": "required"}
    assert flavor == {
        "id": "dinghy", "name": "dinghy", "vcpus": 2, "ram": 1024, "disk": 10, "extra_specs": wishes
    }  # fmt: skip
    assert told(beside, "compute/images") == {"images": [{"id": beside.image, "name": "plain"}]}
    on_pier = told(beside, "compute/hosts/pier-1/servers")["servers"]
    assert on_pier == [{"id": beside.server, "name": "gull", "status": "ACTIVE"}]
    assert told(beside, "compute/hosts/pier-2/servers") == {"servers": []}


def test_what_a_server_would_ask_placement_for_is_worked_out(beside: Beside) -> None:
    found = told(beside, f"compute/placement-query?flavor=dinghy&image={beside.image}&availability_zone=north")
    [condition] = found["conditions"]
    assert not condition["forbidden"]
    assert "north" in condition["reason"]
    headers = {"X-Auth-Token": ADMIN, "OpenStack-API-Version": "placement 1.39"}
    candidates = httpx.get(f"{beside.service.placement}/allocation_candidates?{found['query']}", headers=headers)
    assert len(candidates.raise_for_status().json()["allocation_requests"]) == 1
    for wrong in ("", "?flavor=brig", "?flavor=dinghy&image=7e57ab1e-0000-4000-8000-00000000000f"):
        assert asked(beside, f"compute/placement-query{wrong}").status_code == HTTPStatus.BAD_REQUEST


def test_that_takes_a_role_of_its_own(beside: Beside) -> None:
    assert asked(beside, "compute/flavors", MEMBER).status_code == HTTPStatus.FORBIDDEN
    may = asked(beside, "session", MEMBER).json()["may"]
    asks = ("ask_for_compute", "see_aggregates", "see_queries", "see_servers", "see_capacity")
    assert not any(may[ability] for ability in asks)
    may = told(beside, "session")["may"]
    assert all(may[ability] for ability in asks)


def test_where_nobody_leads_to_a_compute_service_nothing_of_it_is_offered(tmp_path: Path) -> None:
    with open_site(tmp_path, **{"api.services": ["placement", "console"]}) as site:
        for path in ("compute/flavors", "capacity"):
            assert site.get(f"/console/api/{path}").status_code == HTTPStatus.NOT_FOUND
        may = site.get("/console/api/session").raise_for_status().json()["may"]
    assert may["see_fleet"]
    assert not any(may[ability] for ability in ("ask_for_compute", "see_aggregates", "see_capacity"))


def test_capacity_is_told(beside: Beside) -> None:
    assert told(beside, "capacity")["zones"] == ["north"]
    [fit] = told(beside, "capacity/fit?flavor=dinghy")["fit"]
    assert (fit["total"], fit["by_zone"]) == (3, {"north": 3})


def test_metrics_are_told_by_zone_also_while_compute_is_away(beside: Beside, monkeypatch: pytest.MonkeyPatch) -> None:
    def zones() -> set[str]:
        answer = httpx.get(f"{beside.service.url}/metrics", headers={"X-Auth-Token": ADMIN}).raise_for_status()
        return set(re.findall(r'^moorage_resource_capacity{.*zone="(.*)"}', answer.text, re.MULTILINE))

    assert zones() == {"north", ""}
    monkeypatch.setattr(beside.other, "is_away", True)
    assert zones() == {"north", ""}


def test_the_fleet_has_zones_and_names_of_aggregates(administrator: Visitor) -> None:
    page = administrator.page
    expect(page.get_by_text("2hosts")).to_be_visible()
    rows = page.get_by_role("region", name="Hosts").locator("tbody tr")
    expect(rows.filter(has_text="pier-1")).to_contain_text("north")
    expect(rows.filter(has_text="pier-2")).to_contain_text("no zone")
    page.get_by_role("link", name="pier-1").click()
    administrator.shows("north-side")
    administrator.shows("gull")


def test_a_flavor_is_offered_and_finds_its_places(administrator: Visitor, beside: Beside) -> None:
    administrator.open("fit")
    page = administrator.page
    expect(page.get_by_label("Flavor")).to_have_value("dinghy")
    page.get_by_label("Image").select_option(beside.image)
    page.get_by_label("Availability zone").select_option("north")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("1 candidate on 1 host.")
    administrator.open("capacity")
    expect(page.get_by_role("region", name="How many more fit").locator("tbody tr")).to_contain_text("dinghy3")
    administrator.open("leases")
    page.get_by_label("What", exact=True).select_option("flavor:instance")
    expect(page.get_by_label("Flavor")).to_have_value("dinghy")


def test_while_compute_is_away_hosts_are_shown_all_the_same(
    administrator: Visitor, beside: Beside, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect(administrator.page.get_by_text("2hosts")).to_be_visible()
    monkeypatch.setattr(beside.other, "is_away", True)
    administrator.page.reload()
    expect(administrator.page.get_by_text("2hosts")).to_be_visible()
    administrator.shows("Zones and names of aggregates are not known: ")
    administrator.open("fit")
    administrator.shows("Not all of what compute knows can be offered: ")
    expect(administrator.page.get_by_role("button", name="Find places")).to_be_visible()
    administrator.forgive(503)

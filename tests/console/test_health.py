"""The page Health."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

import httpx
from playwright.sync_api import Route, expect

from moorage.placement.model.agent import Outcome, Sign
from moorage.service.sample_cloud import identifier, owner
from tests.clients.running_service import RunningService
from tests.console.signs import agents_of
from tests.console.visitor import Visitor


def test_the_service_its_agents_and_that_all_agrees(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_role("link", name="Health").click()
    administrator.shows("well")
    expect(page.get_by_text("1 of 1workers")).to_be_visible()
    expect(page.get_by_text("for the index to catch up")).to_be_visible()
    administrator.shows("0 agents have left a sign of life. Agents keep 0 providers; 41 hosts have no agent.")
    page.get_by_role("button", name="Compare now").focus()
    page.keyboard.press("Enter")
    administrator.shows("Servers: all agree.")
    administrator.shows("Leases: all agree.")


def test_a_service_that_is_ill_says_why(administrator: Visitor) -> None:
    page = administrator.page
    why = "the schema of the database is not up to date, run `moorage db upgrade` (0042)"
    ill = {"status": why, "database": "ok", "schema": "0041"}
    page.route("**/healthcheck", lambda route: route.fulfill(status=503, json=ill))
    administrator.open("health")
    administrator.shows(why)
    expect(page.locator(".fact", has_text="0041version of its tables")).to_be_visible()
    page.unroute("**/healthcheck")
    page.route("**/healthcheck", lambda route: route.fulfill(status=503, body="<html>"))
    page.reload()
    administrator.shows("503 Service Unavailable")
    administrator.forgive(503)


def test_a_service_that_is_degraded_says_why(administrator: Visitor) -> None:
    page = administrator.page
    lagging = {"overdue": 2, "overdue_seconds": 400}
    reasons = ["1 of 3 workers are alive", "no worker has taken 2 events of leases, due 400 seconds ago"]
    told = {"status": "degraded", "reasons": reasons, "database": "ok", "lease_events": lagging}
    page.route("**/healthcheck", lambda route: route.fulfill(json=told))
    administrator.open("health")
    expect(page.locator(".fact", has_text="degradedthe service")).to_be_visible()
    expect(page.locator(".fact", has_text="2events of leases overdue")).to_be_visible()
    for reason in reasons:
        administrator.shows(reason)


def test_it_is_read_again_as_long_as_it_is_looked_at(administrator: Visitor) -> None:
    page = administrator.page
    page.clock.install()
    told = {"status": "ok", "database": "ok"}
    asked = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(json=told)

    page.route("**/healthcheck", answer)
    administrator.open("health")
    administrator.shows("left a sign of life")
    administrator.shows("well")
    told["status"] = "the database cannot be reached"
    page.clock.run_for(15_000)
    administrator.shows("the database cannot be reached")
    page.get_by_role("link", name="APIs").click()
    expect(administrator.heading("APIs")).to_be_visible()
    count = len(asked)
    page.clock.run_for(60_000)
    assert len(asked) == count


def test_each_sees_what_their_roles_let_them(administrator: Visitor) -> None:
    page = administrator.page

    def less(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json=told | {"may": dict.fromkeys(told["may"], False)})

    page.route("**/console/api/session", less)
    administrator.open("health")
    administrator.shows("for the index to catch up")  # the page before it is done, and has no say any more
    page.reload()
    administrator.shows("for the index to catch up")
    expect(page.get_by_role("heading", level=2)).to_have_text(["The service"])


def test_a_comparison_that_cannot_be_made_hides_no_other(administrator: Visitor) -> None:
    told = {"findings": {"servers": []}, "errors": {"leases": "Nobody is there."}}
    administrator.page.route("**/console/api/findings", lambda route: route.fulfill(json=told))
    administrator.open("health")
    administrator.page.get_by_role("button", name="Compare now").click()
    administrator.shows("Leases cannot be compared: Nobody is there.")
    administrator.shows("Servers: all agree.")


def test_what_cannot_be_compared_is_no_longer_waited_for(administrator: Visitor) -> None:
    page = administrator.page
    page.route("**/console/api/findings", lambda route: route.fulfill(status=409, json={"message": "Not now."}))
    administrator.open("health")
    page.get_by_role("button", name="Compare now").click()
    expect(page.get_by_role("alert")).to_have_text("Not now.")
    expect(page.get_by_text("Comparing …")).to_have_count(0)
    expect(page.get_by_role("button", name="Compare now")).to_be_enabled()
    administrator.forgive(409)


def test_agents_that_are_late_or_fail_come_first(administrator: Visitor, sample_service: RunningService) -> None:
    late, broken = Sign("az1-late", "1.2.2", 60.0, Outcome.WELL, None, 2), "No space left: <b>/var</b>"
    with (
        agents_of(sample_service, [late], age=7300),
        agents_of(
            sample_service,
            [
                Sign("az1-well", "1.2.3", 60.0, Outcome.WELL, None, 4),
                Sign("az1-broken", "1.2.3", 60.0, Outcome.FAILED, broken),
                Sign("az1-once", "1.2.3", None, Outcome.WELL),
            ],
        ),
    ):
        administrator.open("health")
        administrator.shows("4 agents have left a sign of life.")
        for number, state in (("1", "late"), ("1", "failing"), ("0", "incomplete"), ("1", "well"), ("1", "stopped")):
            expect(administrator.page.locator(".fact", has_text=f"{number}{state}")).to_be_visible()
        rows = administrator.page.get_by_role("region", name="Agents").locator("tbody tr")
        expect(rows).to_have_count(4)
        expect(rows.nth(0)).to_have_text("az1-latelate2 hours ago1.2.22–")
        expect(rows.nth(1)).to_contain_text("az1-brokenfailing")
        expect(rows.nth(1)).to_contain_text(broken)
        expect(rows.nth(2)).to_contain_text("az1-wellwell")
        expect(rows.nth(3)).to_contain_text("az1-oncestopped")


def test_ten_thousand_agents_are_counted_and_fifty_shown(
    administrator: Visitor, sample_service: RunningService
) -> None:
    many = [Sign(f"host-{number:05}", "1.2.3", 60.0, Outcome.WELL, None, 1) for number in range(10_000)]
    failing = [replace(sign, outcome=Outcome.FAILED, reason="No.") for sign in many[:60]]
    with agents_of(sample_service, many), agents_of(sample_service, failing):
        administrator.open("health")
        administrator.shows("10,000 agents have left a sign of life.")
        expect(administrator.page.locator(".fact", has_text="9,940well")).to_be_visible()
        rows = administrator.page.get_by_role("region", name="Agents").locator("tbody tr")
        expect(rows).to_have_count(50)
        expect(rows.filter(has_text="failing")).to_have_count(50)
        administrator.shows("The 50 most urgent of 10,000")


def test_what_does_not_agree_is_listed(administrator: Visitor, sample_service: RunningService) -> None:
    administrator.open("health")
    with instance_without_a_server(sample_service) as uuid:
        administrator.page.get_by_role("button", name="Compare now").click()
        administrator.shows("Servers: 1 thing does not agree.")
        rows = administrator.page.get_by_role("region", name="What does not agree about servers").locator("tbody tr")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(uuid)


@contextmanager
def instance_without_a_server(service: RunningService) -> Iterator[str]:
    """Somebody holds a place whom compute does not know."""
    uuid = str(uuid4())
    headers = {"X-Auth-Token": service.token, "OpenStack-API-Version": "placement 1.39"}
    claim = {
        "allocations": {identifier("az1-compute-06"): {"resources": {"VCPU": 1}}},
        "project_id": owner("office"),
        "user_id": owner("bob"),
        "consumer_generation": None,
        "consumer_type": "INSTANCE",
    }
    with httpx.Client(base_url=service.placement, headers=headers) as api:
        api.put(f"/allocations/{uuid}", json=claim).raise_for_status()
        try:
            yield uuid
        finally:
            api.delete(f"/allocations/{uuid}").raise_for_status()

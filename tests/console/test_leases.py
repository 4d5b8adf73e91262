"""The page Leases: the calendar, booking, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from moorage.service.sample_cloud import identifier
from tests.console.visitor import Visitor
from tests.patience import eventually


@pytest.fixture
def api(administrator: Visitor) -> Iterator[httpx.Client]:
    """The reservation API; leases that a test has made are gone after it."""
    service = administrator.service
    client = httpx.Client(base_url=f"{service.url}/reservation/v1", headers={"X-Auth-Token": service.token})
    before = {lease["id"] for lease in client.get("/leases").json()["leases"]}
    yield client
    for lease in client.get("/leases").json()["leases"]:
        if lease["id"] not in before:
            # While a worker has the lease in hand, it is not deleted.
            path = f"/leases/{lease['id']}"
            eventually(lambda path=path: client.delete(path).status_code in {204, 404}, f"the end of {path}")  # type: ignore[misc]


def in_days(days: int, hour: int = 0) -> datetime:
    return datetime.now(UTC).replace(hour=hour, minute=0, second=0, microsecond=0) + timedelta(days=days)


def wish(page: Page, start: datetime, hours: int, amount: int, what: str = "virtual:instance") -> None:
    page.get_by_label("What", exact=True).select_option(what)
    page.get_by_label("How many").fill(str(amount))
    page.get_by_label("From").fill(f"{start:%Y-%m-%dT%H:%M}")
    page.get_by_label("Until").fill(f"{start + timedelta(hours=hours):%Y-%m-%dT%H:%M}")


def test_the_calendar_by_lease_and_by_host(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_role("link", name="Leases").click()
    page.get_by_role("button", name="month").click()
    expect(page.get_by_role("link", name="release, pending")).to_be_visible()
    expect(page.get_by_role("link", name="course, pending")).to_have_count(2)
    page.get_by_role("button", name="by host").click()
    expect(page.get_by_role("link", name="release, pending")).to_have_count(3)
    assert "view=month&by=host" in page.url
    page.get_by_role("button", name="Later").click()
    expect(page.get_by_role("link", name="release, pending")).to_have_count(0)
    expect(page.get_by_role("img", name="Free over time")).to_be_visible()


def test_ten_for_tomorrow_are_booked_by_keyboard(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    administrator.open("leases")
    page.get_by_label("Name").focus()
    page.keyboard.type("ten-for-tomorrow")
    page.keyboard.press("Enter")
    expect(administrator.heading("ten-for-tomorrow")).to_be_visible()
    [made] = [lease for lease in api.get("/leases").json()["leases"] if lease["name"] == "ten-for-tomorrow"]
    assert made["reservations"][0]["amount"] == 10
    assert made["start_date"].startswith(f"{in_days(1):%Y-%m-%d}")
    administrator.shows("10 × 8 vCPU, 16 GiB")
    page.get_by_role("button", name="Delete it").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Yes, delete ten-for-tomorrow")).to_be_focused()
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as gone:
        page.get_by_role("button", name="Yes, delete ten-for-tomorrow").click()
    assert gone.value.status == 204
    expect(page.get_by_role("button", name="Would it fit?")).to_be_visible()
    eventually(lambda: "ten-for-tomorrow" not in api.get("/leases").text, "taking away what was made for the lease")


def test_who_presses_twice_books_once(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    administrator.open("leases")
    wish(page, in_days(45), 24, 1)
    page.get_by_label("Name").fill("pressed-twice")
    book = page.get_by_role("button", name="Book", exact=True)
    book.focus()
    book.evaluate("button => { button.click(); button.click(); }")
    expect(administrator.heading("pressed-twice")).to_be_visible()
    assert [lease["name"] for lease in api.get("/leases").json()["leases"]].count("pressed-twice") == 1


def test_while_it_is_asked_the_buttons_say_so_and_keep_the_focus(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/leases?dry_run=true", hold)
    administrator.open("leases")
    button = page.get_by_role("button", name="Would it fit?")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_be_focused()
    [question] = held
    question.continue_()
    administrator.shows("It fits.")
    expect(button).to_have_attribute("aria-disabled", "false")
    expect(button).to_be_focused()


def test_fields_that_are_not_seen_hold_nobody_up(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    administrator.open("leases")
    page.get_by_label("vCPUs").fill("")
    wish(page, in_days(44), 24, 1, "physical:host")
    page.get_by_role("button", name="Would it fit?").click()
    administrator.shows("It fits.")


def test_a_slow_answer_about_what_is_free_does_not_replace_a_newer_one(
    administrator: Visitor, api: httpx.Client
) -> None:
    page = administrator.page
    held: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/reservation/v1/availability?*", hold_the_first)
    administrator.open("leases")
    eventually(lambda: page.evaluate("0") or held, "the first question")
    page.get_by_label("What", exact=True).select_option("physical:host")
    administrator.shows("Free over time: whole hosts")
    with page.expect_response("**/reservation/v1/availability?*"):
        held[0].continue_()
    page.evaluate("new Promise(requestAnimationFrame)")
    administrator.shows("Free over time: whole hosts")


def test_why_not_and_what_would_fit(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    administrator.open("leases")
    wish(page, in_days(40), 24, 500)
    page.get_by_role("button", name="Would it fit?").click()
    administrator.shows("It does not fit.")
    page.get_by_role("button", name="would fit").click()
    administrator.shows("It fits.")
    page.get_by_label("How many").fill("4")
    page.get_by_label("Where").select_option("each on another host")
    page.get_by_role("button", name="Would it fit?").click()
    administrator.shows("It does not fit.")
    page.get_by_label("How many").fill("3")
    page.get_by_role("button", name="Would it fit?").click()
    administrator.shows("3 hosts: ")


def test_a_time_is_found_and_used(administrator: Visitor, api: httpx.Client) -> None:
    """All three hosts are only free again when the lease that holds one of them is over."""
    page = administrator.page
    administrator.open("leases")
    wish(page, in_days(10, 6), 24, 3, "physical:host")
    page.get_by_role("button", name="Would it fit?").click()
    administrator.shows("It does not fit.")
    page.get_by_role("button", name="Find a time").click()
    page.get_by_role("button", name="Use ").first.click()
    expect(page.get_by_label("From")).to_have_value(f"{in_days(17):%Y-%m-%dT00:00}")
    page.get_by_label("Name").fill("whole-hosts")
    page.get_by_role("button", name="Book", exact=True).click()
    expect(administrator.heading("whole-hosts")).to_be_visible()
    administrator.shows("3 whole hosts")


def test_a_lease_is_extended_as_far_as_others_allow(administrator: Visitor, api: httpx.Client) -> None:
    def book(name: str, day: int) -> str:
        reservation = {"resource_type": "physical:host", "min": 3, "max": 3}
        times = {"start_date": f"{in_days(day):%Y-%m-%d %H:%M}", "end_date": f"{in_days(day + 1):%Y-%m-%d %H:%M}"}
        made = api.post("/leases", json={"name": name, **times, "reservations": [reservation]})
        return str(made.raise_for_status().json()["lease"]["id"])

    mine = book("mine", 50)
    book("theirs", 52)
    page = administrator.page
    administrator.open(f"leases/{mine}")
    end = page.get_by_label("New end")
    end.fill(f"{in_days(52, 12):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Change the end").click()
    administrator.shows("The time that would be added is not free")
    end.fill(f"{in_days(52):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Change the end").click()
    administrator.shows("It now ends")
    assert api.get(f"/leases/{mine}").json()["lease"]["end_date"].startswith(f"{in_days(52):%Y-%m-%d}T00:00")


def test_what_is_promised_of_several_providers_is_told_for_the_tree(administrator: Visitor) -> None:
    page = administrator.page
    reservation = {"id": "r", "resource_type": "virtual:instance", "vcpus": 4, "memory_mb": 2048, "disk_gb": 0}
    times = {"start_date": "2026-01-01T00:00:00.000000", "end_date": "2027-01-01T00:00:00.000000"}
    lease = {"id": "l", "name": "promise", "status": "ACTIVE", "reservations": [reservation], **times}
    answers = {
        "os-hosts": {"hosts": [{"id": "1", "hypervisor_hostname": "az1-numa-01"}]},
        "os-hosts/1/allocation": {"allocation": {"reservations": [{"id": "r", "lease_id": "l"}] * 3}},
        "leases/l": {"lease": lease},
    }

    def answer(route: Route) -> None:
        route.fulfill(json=answers[urlsplit(route.request.url).path.removeprefix("/reservation/v1/")])

    page.route("**/reservation/v1/**", answer)
    administrator.open(f"hosts/{identifier('az1-numa-01')}")
    administrator.shows("Promised by leases, from whichever of the providers: 12 VCPU, 6 GiB MEMORY_MB.")


def test_what_a_host_has_promised_is_on_its_page(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_label("Name", exact=True).fill("az3-compute-04")
    page.get_by_role("region", name="Hosts").get_by_role("link", name="az3-compute-04").click()
    promised = page.get_by_role("region", name="Leases on this host")
    expect(promised).to_contain_text("1 × 32 vCPU, 128 GiB, 200 GiB")
    promised.get_by_role("link", name="release").click()
    expect(administrator.heading("release")).to_be_visible()

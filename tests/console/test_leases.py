"""The page Leases: the calendar, booking, and why not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.console.visitor import Visitor


@pytest.fixture
def api(administrator: Visitor) -> Iterator[httpx.Client]:
    """The reservation API; leases that a test has made are gone after it."""
    service = administrator.service
    client = httpx.Client(base_url=f"{service.url}/reservation/v1", headers={"X-Auth-Token": service.token})
    before = {lease["id"] for lease in client.get("/leases").json()["leases"]}
    yield client
    for lease in client.get("/leases").json()["leases"]:
        if lease["id"] not in before:
            for _ in range(20):  # while a worker has the lease in hand, it is not deleted
                if client.delete(f"/leases/{lease['id']}").is_success:
                    break
                time.sleep(0.5)


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
    page.get_by_role("button", name="Delete it").click()
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as gone:
        page.get_by_role("button", name="Yes, delete ten-for-tomorrow").click()
    assert gone.value.status == 204
    expect(page.get_by_role("button", name="Would it fit?")).to_be_visible()
    deadline = time.monotonic() + 30  # a worker takes away what was made for it, and then it is gone
    while "ten-for-tomorrow" in api.get("/leases").text:
        assert time.monotonic() < deadline
        time.sleep(0.2)


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


def test_what_a_host_has_promised_is_on_its_page(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_label("Name", exact=True).fill("az3-compute-04")
    page.get_by_role("region", name="Hosts").get_by_role("link", name="az3-compute-04").click()
    promised = page.get_by_role("region", name="Leases on this host")
    expect(promised).to_contain_text("1 × 32 vCPU, 128 GiB, 200 GiB")
    promised.get_by_role("link", name="release").click()
    expect(administrator.heading("release")).to_be_visible()

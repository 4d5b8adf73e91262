"""The page Leases: the calendar, booking, and why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Page, Request, Route, expect

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


def book(api: httpx.Client, reservation: dict[str, object], day: int, days: int = 1) -> str:
    times = {"start_date": f"{in_days(day):%Y-%m-%d %H:%M}", "end_date": f"{in_days(day + days):%Y-%m-%d %H:%M}"}
    made = api.post("/leases", json={"name": f"day-{day}", **times, "reservations": [reservation]})
    return str(made.raise_for_status().json()["lease"]["id"])


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
    everything = {"resource_type": "physical:host", "min": 3, "max": 3}
    mine = book(api, everything, 50)
    book(api, everything, 52)
    page = administrator.page
    administrator.open(f"leases/{mine}")
    end = page.get_by_label("New end")
    end.fill(f"{in_days(52, 12):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Change the end").click()
    administrator.shows("It does not fit.")
    # Only an end can be taken over here, and the latest one is offered.
    [use] = page.get_by_role("button", name="Use: ").all()
    use.click()
    administrator.shows("It now ends")
    expect(end).to_have_value(f"{in_days(52):%Y-%m-%dT%H:%M}")
    assert api.get(f"/leases/{mine}").json()["lease"]["end_date"].startswith(f"{in_days(52):%Y-%m-%d}T00:00")


def test_an_extension_is_asked_about_as_the_change_that_it_is(administrator: Visitor, api: httpx.Client) -> None:
    """As a new lease it would be one more than the project may have."""
    page = administrator.page
    asked: list[tuple[str, str]] = []

    def note(request: Request) -> None:
        asked.append((request.method, request.url.rpartition("/reservation/v1/")[2]))

    made = book(api, {"resource_type": "virtual:instance", "vcpus": 1, "memory_mb": 512, "disk_gb": 0, "amount": 1}, 60)
    administrator.open(f"leases/{made}")
    administrator.shows("Free over time")
    page.on("request", note)
    page.get_by_label("New end").fill(f"{in_days(62):%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Change the end").click()
    administrator.shows("It now ends")
    assert [one for one in asked if one[0] != "GET"] == [
        ("PUT", f"leases/{made}?dry_run=true"),
        ("PUT", f"leases/{made}"),
    ]


@pytest.mark.parametrize(
    ("reservation", "words"),
    [
        (
            {"resource_type": "virtual:instance", "vcpus": 2, "memory_mb": 2048, "disk_gb": 1, "amount": 1},
            "instances of 2 vCPU, 2 GiB",
        ),
        ({"resource_type": "physical:host", "min": 1, "max": 1}, "whole hosts"),
        ({"resource_type": "flavor:instance", "flavor_id": "general-4", "amount": 1}, "instances of general-4"),
    ],
    ids=["size", "hosts", "flavor"],
)
def test_beside_a_lease_it_is_told_how_much_more_of_the_same_is_free(
    administrator: Visitor, api: httpx.Client, reservation: dict[str, object], words: str
) -> None:
    made = book(api, reservation, 64)
    administrator.open(f"leases/{made}?view=week&from={in_days(63):%Y-%m-%d}")
    administrator.shows(f"Free over time: {words}")
    expect(administrator.page.get_by_role("img", name="Free over time: between")).to_be_visible()


def test_zooming_stays_where_somebody_looks(administrator: Visitor) -> None:
    page = administrator.page

    def zoom(view: str) -> str:
        page.get_by_role("button", name=view, exact=True).click()
        page.wait_for_url(f"**view={view}*")
        return page.url.partition("from=")[2][:10]

    # Where now is to be seen, it stays so.
    administrator.open("leases?view=month")
    today = f"{in_days(0):%Y-%m-%d}"
    assert zoom("day") == today
    for view, days in (("week", 7), ("month", 31), ("quarter", 91), ("month", 31), ("week", 7)):
        start = datetime.fromisoformat(zoom(view)).replace(tzinfo=UTC)
        assert start.weekday() == 0
        assert start <= in_days(0) < start + timedelta(days=days)
    assert zoom("day") == today
    # And else the middle of what is to be seen: of this week of 2031, Thursday.
    administrator.open("fleet")
    administrator.open("leases?view=week&from=2031-03-03")
    assert zoom("day") == "2031-03-06"
    assert zoom("week") == "2031-03-03"
    assert zoom("month") == "2031-02-17"
    assert zoom("week") == "2031-03-03"


def test_what_has_no_room_on_a_bar_is_beside_it_and_no_line_crosses_a_date(administrator: Visitor) -> None:
    page = administrator.page
    administrator.open("leases?view=month")
    expect(page.get_by_role("link", name="migration-drill, pending").locator("text")).to_have_text("1 whole host")
    page.wait_for_load_state("networkidle")  # what is drawn before everything has come is drawn again
    bar, words = (
        page.get_by_role("link", name="migration-drill, pending").locator(kind).bounding_box()
        for kind in ("rect.held", "text")
    )
    assert bar
    assert words
    assert words["x"] > bar["x"] + bar["width"]
    # Between both, too, there is the lease.
    page.mouse.click(bar["x"] + bar["width"] + 3, bar["y"] + bar["height"] / 2)
    expect(administrator.heading("migration-drill")).to_be_visible()
    for view in ("month", "quarter", "week", "day"):
        page.get_by_role("button", name=view, exact=True).click()
        page.wait_for_url(f"**view={view}*")
        crossed = page.evaluate(
            """() => [...document.querySelectorAll("svg.gantt > text.mark")].filter((mark) => {
              const { x, y, width, height } = mark.getBBox();
              const lines = [...document.querySelectorAll("svg.gantt > line.grid")].map((line) => line.getBBox());
              return lines.some((line) => line.x > x && line.x < x + width && line.y < y + height);
            }).map((mark) => mark.textContent)"""
        )
        assert crossed == []


def answer_with(page: Page, host: str, slots: int, reservation: dict[str, object]) -> None:
    """Have the reservation API tell of one lease that is active, with so many slots on a host."""
    times = {"start_date": "2026-01-01T00:00:00.000000", "end_date": "2027-01-01T00:00:00.000000"}
    lease = {"id": "l", "name": "promise", "status": "ACTIVE", "reservations": [{"id": "r", **reservation}], **times}
    answers = {
        "os-hosts": {"hosts": [{"id": "1", "hypervisor_hostname": host}]},
        "os-hosts/1/allocation": {"allocation": {"reservations": [{"id": "r", "lease_id": "l"}] * slots}},
        "leases/l": {"lease": lease},
    }

    def answer(route: Route) -> None:
        route.fulfill(json=answers[urlsplit(route.request.url).path.removeprefix("/reservation/v1/")])

    page.route("**/reservation/v1/**", answer)


def test_what_is_promised_of_several_providers_is_told_for_the_tree(administrator: Visitor) -> None:
    taken = {"resources": {"VCPU": 4, "MEMORY_MB": 2048, "PCPU": 1}, "vcpus": 5, "memory_mb": 2048, "disk_gb": 0}
    answer_with(administrator.page, "az1-numa-01", 3, {"resource_type": "flavor:instance", **taken})
    administrator.open(f"hosts/{identifier('az1-numa-01')}")
    administrator.shows("Promised by leases, from whichever of the providers: 12 VCPU, 6 GiB MEMORY_MB, 3 PCPU.")


def test_a_host_that_is_leased_as_a_whole_has_nothing_free(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    wanted = {"resource_type": "physical:host", "min": 1, "max": 1}
    times = {"start_date": "now", "end_date": f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%d %H:%M}"}
    made = api.post("/leases", json={"name": "whole", **times, "reservations": [wanted]}).raise_for_status().json()
    path = f"/leases/{made['lease']['id']}"
    eventually(lambda: api.get(path).json()["lease"]["status"] == "ACTIVE", "the start of the lease")
    [place] = api.get("/os-hosts/allocations", params={"lease_id": made["lease"]["id"]}).json()["allocations"]
    names = {host["id"]: host["hypervisor_hostname"] for host in api.get("/os-hosts").json()["hosts"]}
    name = names[place["resource_id"]]
    administrator.open(f"hosts/{identifier(name)}")
    stocks = page.get_by_role("region", name=name, exact=True).locator("dd > small")
    expect(stocks).to_have_text([re.compile(r"^0 .*used · [1-9].* promised · 0 (\S+ )?free")] * 3)
    expect(page.get_by_role("region", name="Leases on this host")).to_contain_text("the whole host")


def test_what_a_host_has_promised_is_on_its_page(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_label("Name", exact=True).fill("az3-compute-04")
    page.get_by_role("region", name="Hosts").get_by_role("link", name="az3-compute-04").click()
    promised = page.get_by_role("region", name="Leases on this host")
    expect(promised).to_contain_text("1 × 32 vCPU, 128 GiB, 200 GiB")
    promised.get_by_role("link", name="release").click()
    expect(administrator.heading("release")).to_be_visible()

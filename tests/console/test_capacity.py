"""The page Capacity: what there is, how many more fit, and what would be if."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.clients.running_service import RunningService
from tests.console.visitor import Visitor


@pytest.fixture(scope="module")
def api(sample_service: RunningService) -> Iterator[httpx.Client]:
    headers = {"X-Auth-Token": sample_service.token}
    with httpx.Client(base_url=f"{sample_service.url}/console/api", headers=headers) as client:
        yield client


def test_what_there_is_and_how_many_more_fit(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    page.get_by_role("link", name="Capacity").click()
    zone = page.get_by_role("region", name="Zone az3")
    expect(zone).to_contain_text("committed")  # what leases hold
    splits = page.get_by_role("region", name="Flavors that are counted by themselves")
    expect(splits.get_by_role("row").filter(has_text="database-24")).to_have_count(3)
    # Zones in which nothing is told of a flavor are one row, and it is said why though it would fit now.
    unused = splits.get_by_role("row").filter(has_text="analytics-48")
    expect(unused).to_contain_text("az1, az2, az3")
    expect(unused).to_contain_text("the room that is left is for pooled flavors")
    told = {fit["flavor"]: fit for fit in api.get("/capacity/fit?flavor=fast-8&flavor=general-2").json()["fit"]}
    row = page.get_by_role("region", name="How many more fit").get_by_role("row").filter(has_text="fast-8")
    expect(row).to_contain_text(f"{told['fast-8']['total']:,}")
    assert 0 < told["fast-8"]["total"] < told["general-2"]["total"]


def test_pooled_flavors_are_told_with_what_is_in_use_and_what_fits(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    administrator.open("capacity")
    rows = page.get_by_role("region", name="Pooled flavors").get_by_role("row")
    [told] = api.get("/capacity/fit?flavor=general-4").json()["fit"]
    row = rows.filter(has_text="general-4").filter(has_text="az2")
    expect(row).to_have_count(1)
    cells = [cell.strip() for cell in row.get_by_role("cell").all_inner_texts()]
    assert cells == ["general-4", "az2", "", "6", "0", "0", str(told["by_zone"]["az2"])]
    expect(rows.filter(has_text="training").filter(has_text="az1")).to_contain_text("no longer offered")
    expect(rows.filter(has_text="database-24")).to_have_count(0)


def test_how_many_more_fit_is_told_though_the_packing_fails(administrator: Visitor) -> None:
    page = administrator.page
    page.route("**/console/api/capacity", lambda route: route.fulfill(status=409, json={"message": "No such thing."}))
    administrator.open("capacity")
    expect(page.get_by_role("alert")).to_have_text("No such thing.")
    expect(page.get_by_text("Packing the cloud")).to_have_count(0)
    fitting = page.get_by_role("region", name="How many more fit").get_by_role("row")
    expect(fitting.filter(has_text="general-2")).to_be_visible()
    administrator.forgive(409)


def test_what_if_hosts_come_and_go(administrator: Visitor, api: httpx.Client) -> None:
    page = administrator.page
    administrator.open("capacity")
    page.get_by_label("Add empty hosts").fill("2")
    page.get_by_label("like").fill("az1-compute-01")
    page.keyboard.press("Enter")
    administrator.shows("41 hosts before, 43 hosts after.")
    counts = page.get_by_role("region", name="How many more fit, before and after")
    expect(counts.get_by_role("row").filter(has_text="general-16")).to_contain_text("+")
    page.get_by_label("like").fill("")
    page.get_by_label("and drain").fill("az1-compute-01, az1-compute-02")
    page.get_by_role("button", name="Compare").click()
    administrator.shows("41 hosts before, 39 hosts after.")
    administrator.shows("all of them find another place in their zones.")
    expect(counts.get_by_role("row").filter(has_text="general-16")).to_contain_text("−")


def test_a_drained_zone_is_told_with_the_servers_that_find_no_place(administrator: Visitor, api: httpx.Client) -> None:
    kinds = {"compute": 6, "legacy": 2, "diskless": 2, "numa": 2, "gpu": 1, "sriov": 1}
    hosts = [f"az2-{kind}-{number:02}" for kind, count in kinds.items() for number in range(1, count + 1)]
    asked = {"drain": hosts}
    told = api.post("/capacity/what-if", json=asked).raise_for_status().json()
    before, after = (
        {(share["resource"], share["zone"]): share for share in told[state]["pooled"] + told[state]["split"]}
        for state in ("before", "after")
    )
    assert before.keys() == after.keys()
    lost = before["cores", "az2"]["free"] - after["cores", "az2"]["free"]
    assert before["cores", "az2"]["used"] == after["cores", "az2"]["used"] > 0
    page = administrator.page
    administrator.open("capacity")
    page.get_by_label("and drain").fill(", ".join(hosts))
    page.get_by_role("button", name="Compare").click()
    table = page.get_by_role("region", name="Before and after")
    expect(table.get_by_role("row").filter(has_text="Cores").filter(has_text="az2")).to_contain_text(f"−{lost:,}")
    count, unplaced = (sum(each[part] for each in told["displaced"]) for part in ("count", "unplaced"))
    assert count == unplaced > 0
    administrator.shows(f"{count} servers run on the hosts that go; none of them finds another place in its zone.")
    expect(page.get_by_role("region", name="Servers that find no other place").get_by_role("row")).not_to_have_count(1)


def test_a_word_is_looked_for_once_and_not_by_letter(administrator: Visitor) -> None:
    page = administrator.page
    flavors = [{"name": f"flavor-{number}"} for number in range(25)]
    asked: list[str] = []

    def count(route: Route) -> None:
        asked.append(route.request.url)
        names = parse_qs(urlsplit(route.request.url).query)["flavor"]
        fit = [{"flavor": name, "total": 1, "by_zone": {}, "hosts": 1, "limits": {}} for name in names]
        route.fulfill(json={"fit": fit})

    page.route("**/flavors/detail", lambda route: route.fulfill(json={"flavors": flavors}))
    page.route("**/capacity/fit?*", count)
    administrator.open("capacity")
    rows = page.get_by_role("region", name="How many more fit").locator("tbody tr")
    expect(rows).to_have_count(20)
    typed = """input => {
        for (const letter of "flavor-24") {
            input.value += letter;
            input.dispatchEvent(new Event("input"));
        }
    }"""
    page.get_by_label("Find a flavor").evaluate(typed)
    expect(rows).to_have_count(1)
    assert len(asked) == 2


def test_a_host_that_is_not_there_is_told(administrator: Visitor) -> None:
    page = administrator.page
    administrator.open("capacity")
    page.get_by_label("and drain").fill("az9-nothing-01")
    page.get_by_role("button", name="Compare").click()
    administrator.shows("There is no hypervisor az9-nothing-01.")
    administrator.forgive(400)


@pytest.mark.parametrize("body", [{"add": [{"host": "az1-compute-01", "count": 0}]}, {"drain": "all"}, {"rebuild": []}])
def test_what_cannot_be_understood_is_refused(api: httpx.Client, body: object) -> None:
    answer = api.post("/capacity/what-if", json=body)
    assert answer.status_code == 400
    assert answer.json()["message"]


def test_a_whole_number_may_have_a_point(api: httpx.Client) -> None:
    body = {"add": [{"host": "az1-compute-01", "count": 2.0}]}
    answer = api.post("/capacity/what-if", json=body).raise_for_status()
    assert answer.json()["after"]["hypervisors"] == answer.json()["before"]["hypervisors"] + 2


def test_only_administrators_are_told(sample_service: RunningService) -> None:
    assert httpx.get(f"{sample_service.url}/console/api/capacity").status_code == 401
    assert httpx.get(f"{sample_service.url}/console/api/").json()["authentication"] == "token"


@pytest.mark.parametrize("query", ["", "?flavor=none-such"])
def test_flavors_that_there_are_not(api: httpx.Client, query: str) -> None:
    assert api.get(f"/capacity/fit{query}").status_code == 400

"""Every page with ten thousand hosts and two thousand leases: what is looked for is there, and little else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.clients.running_service import RunningService, running_service
from tests.console.large_cloud import LargeHost, write_hosts
from tests.console.large_leases import write_leases
from tests.console.visitor import Visitor, visitor

HOSTS = 10_000
LEASES = 2_000
MOST_ELEMENTS = 1_500
"""On one page; what cannot be seen at once has no need to be there."""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@dataclass(frozen=True, slots=True)
class LargeCloud:
    service: RunningService
    hosts: Sequence[LargeHost]


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LargeCloud]:
    with running_service(tmp_path_factory.mktemp("large")) as service:
        hosts = write_hosts(service, HOSTS)
        write_leases(service, hosts, LEASES)
        yield LargeCloud(service, hosts)


@pytest.fixture(params=[{}, PHONE], ids=["laptop", "phone"])
def operator(request: pytest.FixtureRequest, browser: Browser, cloud: LargeCloud) -> Iterator[Visitor]:
    """Somebody who may see everything; at last the page is not wider than the window nor full of things."""
    with visitor(browser, cloud.service, **request.param) as found:
        found.page.set_default_timeout(60_000)
        found.sign_in_as_administrator("nowhere")
        yield found
        assert found.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert found.page.evaluate("document.querySelectorAll('*').length") < MOST_ELEMENTS


def test_fleet(operator: Visitor) -> None:
    operator.open("fleet?class=VCPU")
    expect(operator.page.get_by_text("10,000hosts")).to_be_visible()
    operator.page.get_by_label("Name", exact=True).fill("rack249-host39")
    expect(operator.page.get_by_text("1 of 10,000hosts")).to_be_visible()
    expect(operator.page.get_by_role("region", name="Hosts").get_by_role("row")).to_have_count(2)


def test_where_it_fits(operator: Visitor) -> None:
    operator.open("fit?q=resources%3DVCPU%3A8%2CMEMORY_MB%3A16384%26required%3DSTORAGE_DISK_SSD")
    operator.shows("At least 200 candidates on at least 200 hosts.")
    candidates = operator.page.get_by_role("region", name="Candidates")
    expect(candidates.get_by_role("link").first).to_have_text("rack000-host01")


def test_why_it_fits_nowhere(operator: Visitor) -> None:
    operator.open("fit?q=resources%3DVCPU%3A640")
    operator.shows("It fits nowhere.")
    expect(operator.page.get_by_role("list", name="What is left after each condition")).to_contain_text("10,000")
    operator.shows("resources=VCPU:256 instead of 640")


def test_leases_have_leaves_and_are_found_by_name(operator: Visitor) -> None:
    page = operator.page
    operator.open("leases?view=quarter")
    operator.shows("1–30 of 2,000 leases")
    page.get_by_role("button", name="Rows after").click()
    operator.shows("31–60 of 2,000 leases")
    page.get_by_label("Find a row").focus()
    page.keyboard.type("release-0002")  # the field keeps the focus while the rows change
    operator.shows("1–1 of 1 leases")
    page.get_by_role("link", name="release-0002").click()
    expect(operator.heading("release-0002")).to_be_visible()
    expect(page.get_by_label("Find a row")).to_have_value("release-0002")  # the calendar stays as it was
    expect(page.get_by_role("button", name="quarter")).to_have_attribute("aria-pressed", "true")


def test_hosts_of_leases_have_leaves_and_are_found_by_name(operator: Visitor, cloud: LargeCloud) -> None:
    page = operator.page
    operator.open("leases?view=month&by=host")
    operator.shows("1–30 of 1,000 hosts")
    last = [host for host in cloud.hosts if host.is_for_leases][-1]
    page.get_by_label("Find a row").fill(last.name)
    operator.shows("1–1 of 1 hosts")
    page.get_by_label("Find a row").fill("no such host")
    operator.shows("none has this in its name")


def test_capacity(operator: Visitor, cloud: LargeCloud) -> None:
    page = operator.page
    operator.open("capacity")
    counts = page.get_by_role("region", name="How many more fit")
    expect(counts.get_by_role("row")).to_have_count(21, timeout=60_000)
    operator.shows("20 of 24 flavors; a part of the name finds the others.")
    page.get_by_label("Find a flavor").fill("spare-20")
    expect(counts.get_by_role("row")).to_have_count(2, timeout=60_000)
    splits = page.get_by_role("region", name="Flavors that are counted by themselves")
    expect(splits.get_by_role("row").filter(has_text="analytics-128")).to_have_count(4, timeout=60_000)
    page.get_by_label("like").fill("rack001-host0")
    expect(page.locator("datalist option")).to_have_count(10)
    page.get_by_label("like").fill(cloud.hosts[1].name)
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("10,000 hosts before, 10,010 hosts after.")).to_be_visible(timeout=60_000)


def test_health(operator: Visitor) -> None:
    operator.open("health")
    operator.shows("Agents keep 5,000 providers; 5,000 hosts have no agent.")


def test_a_host_and_what_leases_have_of_it(operator: Visitor, cloud: LargeCloud) -> None:
    used = next(host for host in cloud.hosts if host.eighths == 7)
    operator.open(f"hosts/{used.uuid}")
    expect(operator.page.get_by_role("region", name="Consumers").locator("tbody tr")).to_have_count(3)
    kept = next(host for host in cloud.hosts if host.is_for_leases)
    operator.open(f"hosts/{kept.uuid}")
    expect(operator.page.get_by_role("heading", name="Promised by leases")).to_be_visible()

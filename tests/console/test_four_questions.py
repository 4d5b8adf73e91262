"""The four questions of the README, each answered from signing in on, by what a person sees on the page."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.console.visitor import Visitor
from tests.patience import eventually


@pytest.fixture
def page(somebody: Visitor) -> Page:
    """Somebody who has just signed in with the token of the file that the README names."""
    somebody.sign_in_as_administrator()
    return somebody.page


def test_where_does_a_server_with_eight_cores_and_avx2_fit(page: Page) -> None:
    page.get_by_role("link", name="Where does it fit?").click()
    page.get_by_role("button", name="By form").click()
    expect(page.get_by_label("Amount").first).to_have_value("8")
    page.get_by_label("Traits").fill("HW_CPU_X86_AVX2")
    page.get_by_role("button", name="Find places").click()
    expect(page.get_by_text("It fits.")).to_be_visible()
    expect(page.get_by_text("30 candidates on 30 hosts.")).to_be_visible()
    first = page.get_by_role("region", name="Candidates").get_by_role("row").nth(1)
    expect(first).to_contain_text("az1-compute-01")
    expect(first).to_contain_text("8 VCPU, 16 GiB MEMORY_MB")


def test_why_not_640_cores(page: Page) -> None:
    page.get_by_role("link", name="Where does it fit?").click()
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Amount").first.fill("640")
    page.get_by_role("button", name="Find places").click()
    expect(page.get_by_text("It fits nowhere.")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("VCPU:640")
    page.get_by_role("button", name="Try resources=VCPU:128 instead of 640").click()
    expect(page.get_by_text("It fits.")).to_be_visible()


def test_ten_for_tomorrow(page: Page, somebody: Visitor) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    page.get_by_role("link", name="Leases").click()
    expect(page.get_by_label("How many")).to_have_value("10")
    expect(page.get_by_label("From")).to_have_value(f"{tomorrow:%Y-%m-%dT00:00}")
    page.get_by_label("Name").fill("ten")
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_role("heading", name="ten", exact=True)).to_be_visible()
    expect(page.get_by_text("10 × 8 vCPU, 16 GiB", exact=True).first).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^ten, pending"))).to_be_visible()
    page.get_by_role("button", name="Delete it").click()
    page.get_by_role("button", name="Yes, delete ten").click()
    expect(page.get_by_role("button", name="Would it fit?")).to_be_visible()
    leases, headers = f"{somebody.service.url}/reservation/v1/leases", {"X-Auth-Token": somebody.service.token}
    eventually(
        lambda: '"ten"' not in httpx.get(leases, headers=headers).text, "taking away what was made for the lease"
    )


def test_how_many_more_fit(page: Page) -> None:
    page.get_by_role("link", name="Capacity").click()
    table = page.get_by_role("region", name="How many more fit")
    expect(table.get_by_role("row").filter(has_text="general-4")).to_contain_text(re.compile(r"general-4\d{3}"))
    expect(table.get_by_role("row").filter(has_text="fast-8")).to_contain_text("RAM on")

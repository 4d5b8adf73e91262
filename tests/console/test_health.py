"""The page Health."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.console.visitor import Visitor


def test_the_service_its_agents_and_what_does_not_agree(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_role("link", name="Health").click()
    administrator.shows("well")
    expect(page.get_by_text("1 of 1workers")).to_be_visible()
    expect(page.get_by_text("for the index to catch up")).to_be_visible()
    administrator.shows("0 agents keep 0 providers; 41 hosts have none.")
    page.get_by_role("button", name="Compare now").focus()
    page.keyboard.press("Enter")
    # What the sample's projects run is known to Placement alone.
    administrator.shows("Servers: 62 things do not agree.")
    administrator.shows("Leases: all agree.")
    expect(page.get_by_role("region", name="What does not agree about servers").locator("tbody tr")).to_have_count(50)

"""The page "Where does it fit?"."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Route, expect

from tests.clients.running_service import RunningService
from tests.console.visitor import Visitor
from tests.patience import eventually


@pytest.fixture(scope="module")
def image(sample_service: RunningService) -> Iterator[str]:
    """An image that requires a trait."""
    api = httpx.Client(base_url=sample_service.url, headers={"X-Auth-Token": sample_service.token})
    wanted = {"name": "fast-crypto", "trait:HW_CPU_X86_AVX512F": "required"}
    made = api.post("/image/v2/images", json={**wanted, "container_format": "bare", "disk_format": "raw"})
    uuid = made.raise_for_status().json()["id"]
    api.put(f"/image/v2/images/{uuid}/file", content=b"x", headers={"Content-Type": "application/octet-stream"})
    flavor = {"name": "for-the-test", "vcpus": 70, "ram": 1024, "disk": 0}
    made = api.post("/compute/v2.1/flavors", json={"flavor": flavor}).raise_for_status().json()["flavor"]["id"]
    yield "fast-crypto"
    api.delete(f"/compute/v2.1/flavors/{made}").raise_for_status()
    api.delete(f"/image/v2/images/{uuid}").raise_for_status()


def test_by_form_where_eight_cores_with_avx2_fit(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_role("link", name="Where does it fit?").click()
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Traits").fill("HW_CPU_X86_AVX2")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("It fits.")
    administrator.shows("30 candidates on 30 hosts")
    expect(page.get_by_role("list", name="What is left after each condition")).to_contain_text(
        "required=HW_CPU_X86_AVX2"
    )
    page.get_by_role("region", name="Candidates").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="az1-compute-01", level=1)).to_be_visible()


def test_by_query_why_not_and_what_would_help(administrator: Visitor) -> None:
    page = administrator.page
    administrator.open("fit")
    page.get_by_role("button", name="Query string").click()
    page.get_by_label("Query").fill("resources=VCPU:100&required=STORAGE_DISK_SSD")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("It fits nowhere.")
    administrator.shows("The last hosts went with required=STORAGE_DISK_SSD")
    page.get_by_role("button", name="Try resources=VCPU:96 instead of 100").click()
    administrator.shows("It fits.")
    expect(page.get_by_label("Query")).to_have_value("resources=VCPU:96&required=STORAGE_DISK_SSD")
    page.reload()  # the address has the question
    administrator.shows("It fits.")


def test_a_question_that_cannot_be_understood_is_told(administrator: Visitor) -> None:
    administrator.open("fit?q=resources%3DGREEN_CHEESE%3A1")
    administrator.shows("No such resource class")
    administrator.forgive(400)


def test_by_flavor_and_image(administrator: Visitor, image: str) -> None:
    page = administrator.page
    administrator.open("fit")
    first = page.get_by_label("Flavor").locator("option").first
    expect(first).not_to_contain_text("reservation:")  # though a lease that runs has one
    page.get_by_label("Flavor").select_option("for-the-test")
    administrator.shows("70 vCPU")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("9 candidates on 9 hosts")
    page.get_by_label("Image").select_option(image)
    page.get_by_role("button", name="Find places").click()
    expect(page.get_by_role("list", name="What is left after each condition")).to_contain_text("HW_CPU_X86_AVX512F")


@pytest.mark.parametrize(
    ("limit", "words"), [(1000, "47 candidates on 41 hosts"), (5, "At least 5 candidates on at least 5 hosts")]
)
def test_more_are_only_spoken_of_where_there_may_be_more(administrator: Visitor, limit: int, words: str) -> None:
    query = f"resources=VCPU:1&limit={limit}"
    administrator.open(f"fit?q={quote(query)}")
    administrator.shows(f"It fits. {words}")


def test_any_of_several_traits_by_form(administrator: Visitor) -> None:
    page = administrator.page
    administrator.open("fit")
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Traits").fill("!CUSTOM_REALTIME_KERNEL, hw_cpu_x86_avx512f | HW_CPU_X86_AVX2")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("It fits.")
    told = page.get_by_role("list", name="What is left after each condition")
    expect(told).to_contain_text("in:HW_CPU_X86_AVX2,HW_CPU_X86_AVX512F")
    expect(told).to_contain_text("!CUSTOM_REALTIME_KERNEL")


def test_a_slow_answer_does_not_replace_a_newer_one(administrator: Visitor) -> None:
    page = administrator.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/allocation_candidates?*640*", hold)
    administrator.open("fit")
    page.get_by_role("button", name="By form").click()
    page.get_by_label("Amount").first.fill("640")
    page.get_by_role("button", name="Find places").click()
    eventually(lambda: page.evaluate("0") or held, "the first question")
    page.get_by_label("Amount").first.fill("8")
    page.get_by_role("button", name="Find places").click()
    administrator.shows("It fits.")
    with page.expect_response("**/allocation_candidates?*640*"):
        held[0].continue_()
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.get_by_text("It fits nowhere.")).to_have_count(0)


def test_groups_by_keyboard(administrator: Visitor) -> None:
    page = administrator.page
    administrator.open("fit")
    page.get_by_role("button", name="By form").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Add a group").focus()
    page.keyboard.press("Enter")
    group = page.get_by_role("group", name="Group _1")
    expect(group.get_by_label("Resource class")).to_be_focused()
    page.keyboard.type("VGPU")
    page.keyboard.press("Tab")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    administrator.shows("It fits.")
    assert "VGPU%3A3" in page.url

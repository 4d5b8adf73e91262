"""The page APIs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser, Locator, expect

from moorage.service.api_descriptions import DESCRIBED_APIS
from tests.clients.running_service import RunningService
from tests.console.visitor import Visitor, visitor


def operations(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("navigation", name="Operations").get_by_role("link")


def section(visitor: Visitor, title: str) -> Locator:
    return visitor.page.locator(".operation-view > section").filter(has=visitor.heading(title))


def answer(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Body of the answer")


def test_the_apis_that_are_served(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_role("link", name="APIs", exact=True).click()
    table = page.get_by_role("region", name="APIs")
    expect(table.locator("tbody tr")).to_have_count(len(DESCRIBED_APIS))
    expect(table.get_by_role("link", name="compute.json")).to_have_attribute(
        "href", f"{administrator.service.url}/openapi/compute.json"
    )
    table.get_by_role("link", name="Compute API").click()
    administrator.shows("Flavors, host aggregates, server groups")
    page.get_by_label("API", exact=True).select_option("Image API")
    administrator.shows("Glance's API, version 2")
    expect(page).to_have_url(f"{administrator.console}#/apis/image")


def test_an_operation_is_found_and_read(administrator: Visitor) -> None:
    administrator.open("apis/compute")
    page = administrator.page
    expect(operations(administrator).first).to_be_visible()
    every = operations(administrator).count()
    page.get_by_label("Find an operation").fill("flavor show GET")
    administrator.shows(f"2 of {every} operations")
    expect(operations(administrator)).to_contain_text(["Show a flavor", "Show an extra spec"])
    operations(administrator).filter(has_text="Show a flavor").click()

    expect(administrator.heading("GET /v2.1/flavors/{flavor_id}")).to_be_focused()
    expect(page).to_have_url(f"{administrator.console}#/apis/compute/get-v2-1-flavors-flavor_id?q=flavor+show+GET")
    administrator.shows("os_compute_api:")
    parameters = section(administrator, "Parameters").get_by_role("listitem")
    expect(parameters.first).to_have_text("flavor_id required in the path, string · 1 to 255 characters")
    expect(parameters.last).to_contain_text("OpenStack-API-Version required in the header, string compute 2.")


def test_a_schema_is_followed_when_it_is_opened(administrator: Visitor) -> None:
    administrator.open("apis/compute/get-v2-1-flavors-flavor_id")
    answers = section(administrator, "Answers")
    expect(answers).to_contain_text("200 OK")
    row = answers.get_by_role("listitem").filter(has_text="vcpus").last
    expect(row).to_have_text("vcpus required integer · at least 0")
    expect(answers.get_by_role("listitem").filter(has_text="extra_specs").last).not_to_contain_text("required")
    expect(answers.get_by_text("href")).to_have_count(0)
    answers.locator("summary").filter(has_text="links").click()
    expect(answers.get_by_text("href")).to_have_count(1)


def test_refusals_that_look_the_same_are_told_once(administrator: Visitor) -> None:
    administrator.open("apis/compute/get-v2-1-flavors-flavor_id")
    refusals = section(administrator, "Answers").locator("details").filter(has_text="404 Not Found")
    expect(refusals).to_have_count(1)
    expect(refusals).to_contain_text("400 Bad Request")


def test_the_body_of_a_request(administrator: Visitor) -> None:
    administrator.open("apis/compute/post-v2-1-flavors")
    body = section(administrator, "Body")
    expect(body.get_by_role("listitem").filter(has_text="vcpus").last).to_contain_text("required")
    expect(section(administrator, "From a shell")).to_contain_text('"vcpus": 1')
    expect(administrator.heading("Try it")).to_have_count(0)


def test_a_command_to_be_copied(browser: Browser, sample_service: RunningService) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with visitor(browser, sample_service, permissions=permissions) as somebody:
        somebody.sign_in_as_administrator("apis/compute/get-v2-1-flavors-flavor_id")
        somebody.page.get_by_role("button", name="Copy").click()
        expect(somebody.page.get_by_role("button", name="Copied")).to_be_visible()
        lines = somebody.page.evaluate("navigator.clipboard.readText()").split("\n")
        assert lines[:2] == [
            f'curl -s "{sample_service.url}/compute/v2.1/flavors/$FLAVOR_ID" \\',
            '  -H "X-Auth-Token: $TOKEN" \\',
        ]


@pytest.mark.parametrize("name", DESCRIBED_APIS)
def test_the_body_that_a_command_sends_is_one_that_the_schema_allows(administrator: Visitor, name: str) -> None:
    bodies = administrator.page.evaluate(
        """async (name) => {
            const { bodyLike } = await import("./example.js");
            const document = await (await fetch(`../openapi/${name}.json`)).json();
            const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
            return operations.filter((operation) => operation.requestBody?.content["application/json"])
                .map((operation) => operation.requestBody.content["application/json"].schema)
                .map((schema) => ({ schema, components: document.components, body: bodyLike(document, schema) }));
        }""",
        name,
    )
    for each in bodies:
        validator = Draft202012Validator({"allOf": [each["schema"]], "components": each["components"]})
        assert [error.message for error in validator.iter_errors(each["body"])] == []


def test_an_operation_is_tried_by_keyboard_alone(administrator: Visitor) -> None:
    administrator.open("apis/compute")
    page = administrator.page
    page.get_by_label("Find an operation").focus()
    page.keyboard.type("flavors/detail")
    page.keyboard.press("Enter")
    expect(administrator.heading("GET /v2.1/flavors/detail")).to_be_focused()
    page.get_by_text("parameters that may be left out").focus()
    page.keyboard.press("Enter")
    page.get_by_label("limit").focus()
    page.keyboard.type("1")
    expect(page.get_by_role("region", name="Command")).to_contain_text('/compute/v2.1/flavors/detail?limit=1" ')
    page.keyboard.press("Enter")
    administrator.shows("200 OK")
    administrator.shows("application/json")
    expect(answer(administrator)).to_contain_text('"flavors": [')
    assert administrator.service.token not in page.locator("main").inner_text()


def test_a_refusal_is_shown_as_it_is(administrator: Visitor) -> None:
    administrator.open("apis/compute/get-v2-1-flavors-flavor_id")
    page = administrator.page
    page.get_by_label("flavor_id, required").fill("no such/flavor")
    page.get_by_role("button", name="Send").click()
    administrator.shows("404 Not Found")
    expect(answer(administrator)).to_contain_text("itemNotFound")
    administrator.forgive(404)


def test_the_arrow_keys_go_from_one_operation_to_the_next(administrator: Visitor) -> None:
    administrator.open("apis/image")
    operations(administrator).first.focus()
    administrator.page.keyboard.press("ArrowDown")
    expect(operations(administrator).nth(1)).to_be_focused()


def test_the_way_back_leads_to_the_operation_before(administrator: Visitor) -> None:
    administrator.open("apis/identity/get-v3-auth-tokens")
    expect(administrator.heading("GET /v3/auth/tokens")).to_be_visible()
    operations(administrator).filter(has_text="List roles").click()
    expect(administrator.heading("GET /v3/roles")).to_be_visible()
    administrator.page.go_back()
    expect(administrator.heading("GET /v3/auth/tokens")).to_be_visible()
    expect(administrator.page.locator("[aria-current=true]")).to_contain_text("Show what a token stands for")


def test_what_is_not_there_is_told(administrator: Visitor) -> None:
    administrator.open("apis/barber")
    administrator.shows("There is no such API here.")
    administrator.open("apis/compute/get-a-shave")
    administrator.shows("There is no such operation.")


@pytest.mark.parametrize("name", DESCRIBED_APIS)
def test_every_operation_can_be_shown_with_all_that_is_in_it(administrator: Visitor, name: str) -> None:
    administrator.open(f"apis/{name}")
    expect(operations(administrator).first).to_be_visible()
    shown = administrator.page.evaluate(
        """async () => {
            const moment = () => new Promise((resolve) => setTimeout(resolve));
            const shown = [];
            for (const link of document.querySelectorAll(".operations a")) {
                link.click();
                for (let level = 0; level < 6; level += 1) {
                    for (const each of document.querySelectorAll(".operation-view details")) each.open = true;
                    await moment();
                }
                shown.push(document.querySelector("h2.operation").textContent);
            }
            return shown;
        }"""
    )
    assert len(shown) == operations(administrator).count()
    expect(administrator.page.get_by_text("undefined", exact=True)).to_have_count(0)


@pytest.fixture
def phone(browser: Browser, sample_service: RunningService) -> Iterator[Visitor]:
    with visitor(browser, sample_service, viewport={"width": 390, "height": 844}, has_touch=True) as found:
        yield found


def test_on_a_phone_the_list_makes_room_for_what_is_chosen(phone: Visitor) -> None:
    phone.sign_in_as_administrator("apis/compute")
    expect(operations(phone).first).to_be_visible()
    operations(phone).filter(has_text="List the flavors that a project may use, with details").tap()
    expect(phone.heading("GET /v2.1/flavors/detail")).to_be_visible()
    expect(phone.page.get_by_label("Find an operation")).to_be_hidden()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    phone.page.get_by_role("link", name="All operations").tap()
    expect(phone.page.get_by_label("Find an operation")).to_be_visible()
    expect(operations(phone).filter(has_text="with details").first).to_be_focused()

"""Who gets in, how, and what they are shown."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
import yaml
from playwright.sync_api import Browser, expect

from tests.clients.running_service import RunningService
from tests.console.visitor import Visitor, visitor
from tests.patience import eventually


def password_of(service: RunningService) -> str:
    cloud = yaml.safe_load(service.clouds_file.read_text())["clouds"]["moorage"]
    return str(cloud["auth"]["password"])


@pytest.fixture(scope="module")
def member(sample_service: RunningService) -> tuple[str, str]:
    """A member of a project who is no administrator: name and password."""
    api = httpx.Client(base_url=f"{sample_service.url}/identity/v3", headers={"X-Auth-Token": sample_service.token})

    def made(path: str, what: str, **fields: object) -> str:
        return str(api.post(path, json={what: fields}).raise_for_status().json()[what]["id"])

    project = made("/projects", "project", name="quiet", domain_id="default")
    user = made("/users", "user", name="mary", password="out at sea", domain_id="default")
    for name in ("member", "reader"):
        [role] = api.get("/roles", params={"name": name}).raise_for_status().json()["roles"]
        api.put(f"/projects/{project}/users/{user}/roles/{role['id']}").raise_for_status()
    return "mary", "out at sea"


def test_with_a_name_and_a_password(somebody: Visitor) -> None:
    somebody.sign_in("admin", password_of(somebody.service))
    expect(somebody.heading("Fleet")).to_be_visible()
    somebody.shows("admin · admin")


def test_a_wrong_password_is_told_and_nothing_is_shown(somebody: Visitor) -> None:
    somebody.sign_in("admin", "open sesame")
    somebody.shows("That is not right: no such user, or another password.")
    expect(somebody.page.get_by_role("navigation")).to_have_count(0)
    somebody.forgive(401)


def test_a_token_that_is_none_is_told_where_it_was_typed(somebody: Visitor) -> None:
    somebody.open()
    somebody.page.get_by_text("Sign in with a token instead").click()
    somebody.page.get_by_label("Token", exact=True).fill("open sesame")
    somebody.page.get_by_role("button", name="Sign in with the token").click()
    somebody.shows("This token is not good: it has expired, was taken back, or was never one.")
    expect(somebody.page.get_by_label("Token", exact=True)).to_have_value("open sesame")
    somebody.forgive(401)


def test_the_token_is_kept_by_this_tab_and_is_in_no_address(administrator: Visitor) -> None:
    page = administrator.page
    page.reload()
    expect(administrator.heading("Fleet")).to_be_visible()
    assert administrator.service.token not in page.url
    assert page.evaluate("Object.keys(localStorage).length + document.cookie.length") == 0


def test_after_signing_out_nothing_is_left(administrator: Visitor) -> None:
    page = administrator.page
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("User name")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0
    page.reload()
    expect(page.get_by_label("User name")).to_be_visible()


def test_who_signs_out_gives_the_token_back(somebody: Visitor) -> None:
    somebody.sign_in("admin", password_of(somebody.service))
    expect(somebody.heading("Fleet")).to_be_visible()
    with somebody.page.expect_response("**/identity/v3/auth/tokens") as answer:
        somebody.page.get_by_role("button", name="Sign out").click()
    assert (answer.value.request.method, answer.value.status) == ("DELETE", 204)


def test_a_session_that_has_ended_asks_to_sign_in_again(administrator: Visitor) -> None:
    page = administrator.page
    expect(administrator.heading("Hosts")).to_be_visible()
    page.evaluate("sessionStorage.setItem('moorage-session', JSON.stringify({token: 'old', given: false}))")
    page.reload()
    administrator.shows("Your session has ended. Sign in again.")
    expect(page.get_by_label("User name")).to_be_visible()
    administrator.forgive(401)


def test_a_member_is_offered_only_what_members_may_see(somebody: Visitor, member: tuple[str, str]) -> None:
    somebody.sign_in(*member)
    pages = somebody.page.get_by_role("navigation", name="Pages")
    expect(pages).to_be_attached()
    assert pages.get_by_role("link").all_inner_texts() == ["Leases", "Health", "APIs"]
    expect(somebody.heading("Leases")).to_be_visible()
    expect(somebody.page.get_by_role("link", name="release, pending")).to_have_count(0)  # it is another project's
    somebody.open("fleet")
    somebody.shows("do not let you see this page")


@pytest.fixture(scope="module")
def traveller(sample_service: RunningService) -> tuple[str, str]:
    """A member of two projects: name and password."""
    api = httpx.Client(base_url=f"{sample_service.url}/identity/v3", headers={"X-Auth-Token": sample_service.token})

    def made(path: str, what: str, **fields: object) -> str:
        return str(api.post(path, json={what: fields}).raise_for_status().json()[what]["id"])

    user = made("/users", "user", name="tom", password="here and there", domain_id="default")
    [role] = api.get("/roles", params={"name": "member"}).raise_for_status().json()["roles"]
    for name in ("here", "there"):
        project = made("/projects", "project", name=name, domain_id="default")
        api.put(f"/projects/{project}/users/{user}/roles/{role['id']}").raise_for_status()
    return "tom", "here and there"


def test_another_project_is_another_token_and_the_one_before_is_taken_back(
    somebody: Visitor, traveller: tuple[str, str]
) -> None:
    page = somebody.page
    somebody.sign_in(*traveller)
    choice = page.get_by_label("Project of tom")
    expect(choice).to_be_visible()
    kept = "JSON.parse(sessionStorage.getItem('moorage-session')).token"
    before, elsewhere = page.evaluate(kept), choice.locator("option:not(:checked)").inner_text()
    choice.select_option(elsewhere)
    eventually(lambda: page.evaluate(kept) != before, "the other project")
    expect(choice.locator("option:checked")).to_have_text(elsewhere)
    after = page.evaluate(kept)
    session = f"{somebody.service.url}/console/api/session"

    def status(token: str) -> int:
        return httpx.get(session, headers={"X-Auth-Token": token}).status_code

    eventually(lambda: status(before) == 401, "taking back the token")
    assert status(after) == 200
    expect(somebody.heading("Leases")).to_be_visible()


def test_a_project_that_one_cannot_get_into_is_told_and_not_shown(
    somebody: Visitor, traveller: tuple[str, str]
) -> None:
    page = somebody.page
    somebody.sign_in(*traveller)
    choice = page.get_by_label("Project of tom")
    before, elsewhere = (choice.locator(f"option{which}").inner_text() for which in (":checked", ":not(:checked)"))
    refused = {"error": {"code": 503, "message": "Come back later.", "title": "Service Unavailable"}}
    page.route("**/identity/v3/auth/tokens", lambda route: route.fulfill(status=503, json=refused))
    choice.select_option(elsewhere)
    expect(page.get_by_role("alert")).to_have_text("Come back later.")
    expect(choice.locator("option:checked")).to_have_text(before)
    somebody.forgive(503)


@pytest.fixture
def phone(browser: Browser, sample_service: RunningService) -> Iterator[Visitor]:
    with visitor(browser, sample_service, viewport={"width": 390, "height": 844}, has_touch=True) as found:
        yield found


def test_by_keyboard_alone(somebody: Visitor) -> None:
    somebody.open()
    page = somebody.page
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type("admin")
    page.keyboard.press("Tab")
    page.keyboard.type(password_of(somebody.service))
    page.keyboard.press("Enter")
    expect(somebody.heading("Fleet")).to_be_visible()


def test_nothing_is_wider_than_a_phone(phone: Visitor) -> None:
    phone.sign_in_as_administrator()
    signs = {
        "fleet": "to give",
        "fit": "Find places",
        "leases": "Free over time: ",
        "capacity": "By zone",
        "health": "well",
    }
    for path, sign in signs.items():
        phone.open(path)
        phone.shows(sign)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_a_page_that_is_late_does_not_lead_back(administrator: Visitor) -> None:
    """Somebody goes on at the very moment at which the fleet is there and notes in the address what it shows."""
    administrator.shows("to give")
    administrator.page.evaluate(
        """async () => {
            const { note } = await import("./router.js");
            location.hash = "#/capacity";
            note(["fleet"], { class: "VCPU" });
        }"""
    )
    administrator.shows("What if?")
    expect(administrator.page).to_have_url(f"{administrator.console}#/capacity")

"""Signing in with a token of Keystone's, where Keystone knows who somebody is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import httpx
import pytest
from playwright.sync_api import Browser, expect

from bench.service import free_port
from tests.clients.keystone import SERVICE_PASSWORD, SERVICE_TOKEN, SERVICE_USER, Keystone, Token, running_keystone
from tests.clients.running_service import RunningService, running_service
from tests.console.visitor import Visitor, visitor

ADMINISTRATOR = "token-of-an-administrator"
READER = "token-of-a-reader"
SYSTEM = "token-of-the-system"
EXPIRED = "token-that-expired"
FORGED = "token-that-was-forged"
TAKEN_BACK = "token-that-will-be-taken-back"


def settings(keystone: Keystone, url: str) -> str:
    """What Keystone said is asked again each time, so that a test need not wait until it is forgotten."""
    return f"""{keystone.settings}
token_cache_time = -1
[placement_client]
auth_type = password
auth_url = {keystone.url}
username = {SERVICE_USER}
password = {SERVICE_PASSWORD}
user_domain_id = default
project_name = service
project_domain_id = default
endpoint_override = {url}/placement
[compute_client]
endpoint_override = {url}/compute/v2.1
[image_client]
endpoint_override = {url}/image
[reservation_client]
endpoint_override = {url}/reservation/v1
"""


@pytest.fixture(scope="module")
def keystone() -> Iterator[Keystone]:
    tokens = {
        SERVICE_TOKEN: Token(SERVICE_USER, ("admin", "service"), "service"),  # with which the services ask each other
        ADMINISTRATOR: Token("root", ("admin", "member", "reader"), "operations"),
        READER: Token("tycho", ("reader",), "astronomy"),
        SYSTEM: Token("root", ("admin", "member", "reader"), scope={"system": {"all": True}}),
        EXPIRED: Token("root", ("admin",), "operations", lifetime=timedelta(seconds=-5)),
    }
    with running_keystone(tokens) as started:
        yield started


@pytest.fixture(scope="module")
def service(keystone: Keystone, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """A cloud of one host and one flavor."""
    directory, port = tmp_path_factory.mktemp("keystone"), free_port()
    configuration = settings(keystone, f"http://127.0.0.1:{port}")
    headers = {"X-Auth-Token": ADMINISTRATOR, "OpenStack-API-Version": "placement 1.39"}
    inventories = {"VCPU": {"total": 8}, "MEMORY_MB": {"total": 16384}, "DISK_GB": {"total": 100}}
    host = {"uuid": "7e57ab1e-0000-4000-8000-000000000002", "name": "pier-1", "traits": ["COMPUTE_NODE"]}
    flavor = {"name": "dinghy", "vcpus": 1, "ram": 1024, "disk": 10}
    with (
        running_service(directory, "--auth", "keystone", configuration=configuration, port=port) as started,
        httpx.Client(base_url=started.url, headers=headers) as api,
    ):
        told = {"providers": [{**host, "inventories": inventories}]}
        api.post("/placement/moorage/providers", json=told).raise_for_status()
        api.post("/compute/v2.1/flavors", json={"flavor": flavor}).raise_for_status()
        yield started


@pytest.fixture
def stranger(browser: Browser, service: RunningService) -> Iterator[Visitor]:
    with visitor(browser, service) as found:
        found.open()
        yield found


def sign_in(somebody: Visitor, token: str) -> None:
    """There is nothing but tokens to sign in with, so that they need not be asked for first."""
    expect(somebody.page.get_by_label("Token", exact=True)).to_be_focused()
    somebody.page.keyboard.type(token)
    somebody.page.keyboard.press("Enter")


def test_an_administrator_sees_every_page(stranger: Visitor) -> None:
    stranger.shows("openstack token issue")
    expect(stranger.page.get_by_label("Password")).to_have_count(0)
    sign_in(stranger, ADMINISTRATOR)
    expect(stranger.page.get_by_text("1host")).to_be_visible()
    pages = stranger.page.get_by_role("navigation", name="Pages").get_by_role("link")
    for name in ("Fleet", "Where does it fit?", "Leases", "Capacity", "Health"):
        pages.filter(has_text=name).click()
        expect(stranger.page.get_by_role("heading", name=name, level=1)).to_be_visible()
        stranger.page.wait_for_load_state("networkidle")
        expect(stranger.page.get_by_role("alert")).to_have_count(0)


def test_a_reader_of_a_project_sees_its_leases_and_books_none(stranger: Visitor) -> None:
    sign_in(stranger, READER)
    expect(stranger.heading("Leases")).to_be_visible()
    stranger.shows("Your roles let you look at leases, not make any.")
    expect(stranger.page.get_by_role("button", name="Book")).to_have_count(0)
    links = stranger.page.get_by_role("navigation", name="Pages").get_by_role("link")
    assert links.all_inner_texts() == ["Leases", "Health", "APIs"]
    stranger.open("fleet")
    stranger.shows("Your roles (reader) do not let you see this page.")


def test_a_token_that_is_for_no_project_is_told_so(stranger: Visitor) -> None:
    sign_in(stranger, SYSTEM)
    stranger.shows("This token is good, and not for a project.")
    stranger.forgive(403)


@pytest.mark.parametrize("token", [EXPIRED, FORGED])
def test_a_token_that_is_not_good_is_told_where_it_was_typed(stranger: Visitor, token: str) -> None:
    sign_in(stranger, token)
    stranger.shows("This token is not good: it has expired, was taken back, or is none of this Keystone's.")
    expect(stranger.page.get_by_label("Token", exact=True)).to_have_value(token)
    expect(stranger.page.get_by_role("navigation")).to_have_count(0)
    assert stranger.page.evaluate("sessionStorage.length") == 0
    stranger.forgive(401)


def test_a_keystone_that_is_away_is_told_as_that(
    stranger: Visitor, keystone: Keystone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keystone, "is_ill", True)
    sign_in(stranger, ADMINISTRATOR)
    stranger.shows("Keystone service is temporarily unavailable")
    stranger.forgive(503)


def test_a_token_that_is_taken_back_ends_the_session(
    stranger: Visitor, keystone: Keystone, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = {TAKEN_BACK: Token("root", ("admin", "member", "reader"), "operations")}
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(keystone, "tokens", {**keystone.tokens, **token})
        sign_in(stranger, TAKEN_BACK)
        expect(stranger.page.get_by_text("1host")).to_be_visible()
    stranger.page.get_by_role("link", name="Leases").click()
    stranger.shows("Your session has ended. Sign in again.")
    assert stranger.page.evaluate("sessionStorage.length") == 0
    stranger.forgive(401)


def test_who_signs_out_leaves_nothing_and_keeps_the_token_elsewhere(stranger: Visitor, keystone: Keystone) -> None:
    """The token is Keystone's, and others may work with it."""
    sign_in(stranger, ADMINISTRATOR)
    stranger.page.get_by_role("button", name="Sign out").click()
    expect(stranger.page.get_by_label("Token", exact=True)).to_be_focused()
    assert stranger.page.evaluate("sessionStorage.length") == 0
    stranger.page.reload()
    sign_in(stranger, ADMINISTRATOR)
    expect(stranger.heading("Fleet")).to_be_visible()

"""The strategy `token` in front of another service: tokens of this one are good there, for what they stand for."""

from __future__ import annotations

import httpx
import pytest
from oslo_config import cfg

from moorage.db.database import Database
from moorage.identity.tokens import REMEMBERED_SECONDS, TokenBook
from moorage.service.application import all_application, placement_application
from moorage.service.authentication.token import ADMINISTRATOR, Bearers
from moorage.service.errors import OperatorError
from moorage.service.identity_service import identity_application
from moorage.service.settings import load_settings
from moorage.web.caller import Caller
from tests.identity.cloud import Cloud


@pytest.fixture
def bearers(cloud: Cloud) -> Bearers:
    return Bearers(cloud.settings, TokenBook(cloud.database, cloud.clock.now, cloud.clock.monotonic))


def test_callers_are_who_their_token_says(cloud: Cloud, bearers: Bearers) -> None:
    mary, astronomy = cloud.member()
    assert bearers.caller(cloud.token(mary, astronomy)) == Caller(mary, astronomy, ("member", "reader"))
    assert bearers.caller(cloud.token(mary)) == Caller(mary, None, ())
    system = cloud.with_password("admin", cloud.admin_password, {"system": {"all": True}})
    expected = Caller("admin", None, ("admin", "member", "reader"), system_scope="all")
    assert bearers.caller(system.headers["X-Subject-Token"]) == expected
    assert bearers.caller("guess") is None


def test_the_admin_token_and_the_administrators_password_are_the_same_person(cloud: Cloud, bearers: Bearers) -> None:
    assert bearers.caller(cloud.admin_token) == ADMINISTRATOR
    found = bearers.caller(cloud.token("admin", "admin", cloud.admin_password))
    assert found is not None
    assert (found.user_id, found.project_id) == (ADMINISTRATOR.user_id, ADMINISTRATOR.project_id)
    assert set(found.roles) == set(ADMINISTRATOR.roles)


def test_what_is_taken_back_is_no_longer_good_after_moments(cloud: Cloud, bearers: Bearers) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    assert bearers.caller(token) is not None
    cloud.patch(f"/v3/users/{mary}", {"user": {"enabled": False}})
    cloud.clock.pass_by(seconds=REMEMBERED_SECONDS)
    assert bearers.caller(token) is None


def test_placement_lets_in_whom_its_policy_allows(cloud: Cloud, settings: cfg.ConfigOpts, database: Database) -> None:
    placement = httpx.Client(
        transport=httpx.WSGITransport(app=placement_application(settings, database)), base_url="http://cloud"
    )
    member = cloud.token(*cloud.member())
    admin = cloud.token(*cloud.member("root", "operations", "admin"))
    agent = cloud.token(*cloud.member("agent", "hosts", "service"))

    def status(path: str, token: str) -> int:
        headers = {"X-Auth-Token": token, "OpenStack-API-Version": "placement 1.39"}
        return placement.get(path, headers=headers).status_code

    statuses = {token: status("/resource_providers", token) for token in (cloud.admin_token, admin, agent, member, "x")}
    assert list(statuses.values()) == [200, 200, 200, 403, 401]
    project = cloud.get("/v3/projects?name=astronomy")["projects"][0]["id"]
    assert status(f"/usages?project_id={project}", member) == 200
    assert status("/usages?project_id=other", member) == 403


@pytest.mark.parametrize(("strategy", "status"), [("token", 200), ("noauth2", 404)])
def test_it_is_there_with_the_strategy_token_alone(settings: cfg.ConfigOpts, strategy: str, status: int) -> None:
    settings.set_override("auth_strategy", strategy, group="api")
    everything = httpx.Client(transport=httpx.WSGITransport(app=all_application(settings)), base_url="http://cloud")
    assert ("/identity" in everything.get("/").json()["paths"]) is (status == 200)
    assert everything.get("/identity/v3").status_code == status
    assert everything.get("/placement").status_code == 200


def test_it_is_not_there_if_it_is_not_among_the_services(settings: cfg.ConfigOpts) -> None:
    settings.set_override("services", ["placement"], group="api")
    everything = httpx.Client(transport=httpx.WSGITransport(app=all_application(settings)), base_url="http://cloud")
    assert everything.get("/").json()["paths"] == ["/healthcheck", "/metrics", "/openapi", "/placement"]


def test_by_itself_with_another_strategy_it_says_what_is_wrong(database: Database) -> None:
    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[])
    with pytest.raises(OperatorError, match="auth_strategy = noauth2; it goes with token"):
        identity_application(settings, database)

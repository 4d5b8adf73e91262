"""How long a token is good, who may look at it, and what takes it back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from oslo_config import cfg
from sqlalchemy import func, select

from moorage.db.database import Database
from moorage.identity.store import tokens as store
from moorage.identity.store.tables import tokens
from moorage.identity.tokens import REMEMBERED_SECONDS, TokenBook
from tests.identity.cloud import Cloud, text_of


def show(cloud: Cloud, subject: str, token: str | None = "", method: str = "GET") -> int:
    """The status of looking at a token with another one."""
    answer = cloud.send(method, "/v3/auth/tokens", token=token, headers={"X-Subject-Token": subject})
    return answer.status_code


def test_a_token_is_looked_at_by_its_bearer_and_by_administrators(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    paul = cloud.user("paul")
    token = cloud.token(mary, astronomy)
    for method in ("GET", "HEAD"):
        assert show(cloud, token, token, method) == 200
        assert show(cloud, token, cloud.token(mary), method) == 200
        assert show(cloud, token, cloud.admin_token, method) == 200
        assert show(cloud, token, cloud.token(paul), method) == 403
        assert show(cloud, token, None, method) == 401
    answer = cloud.send("GET", "/v3/auth/tokens", headers={"X-Subject-Token": token})
    assert answer.headers["X-Subject-Token"] == token
    assert answer.json()["token"]["project"]["id"] == astronomy
    assert answer.json()["token"]["catalog"]


def test_other_services_look_at_tokens(cloud: Cloud) -> None:
    """Which is how their middleware works."""
    nova, service = cloud.member("nova", "service", "service")
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    assert show(cloud, token, cloud.token(nova, service)) == 200
    assert show(cloud, token, cloud.token(nova, service), "DELETE") == 403


def test_what_is_no_token_is_not_found_and_not_repeated(cloud: Cloud) -> None:
    for subject in ("guess-of-somebody", cloud.admin_token):
        answer = cloud.send("GET", "/v3/auth/tokens", headers={"X-Subject-Token": subject})
        assert answer.status_code == 404
        assert subject not in answer.text
    assert cloud.send("GET", "/v3/auth/tokens").status_code == 404
    mary = cloud.user("mary")
    assert show(cloud, "guess", cloud.token(mary)) == 403


def test_a_token_ends(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    cloud.clock.pass_by(hours=7, minutes=59, seconds=59)
    assert cloud.is_good(token)
    cloud.clock.pass_by(seconds=1)
    assert not cloud.is_good(token)
    assert cloud.with_token(token).status_code == 401
    assert show(cloud, token) == 404


def test_how_long_it_is_good_is_a_setting(settings: cfg.ConfigOpts, database: Database) -> None:
    settings.set_override("token_expiration", 60, group="identity")
    cloud = Cloud(settings, database)
    token = cloud.token(cloud.user("mary"))
    cloud.clock.pass_by(seconds=59)
    assert cloud.is_good(token)
    cloud.clock.pass_by(seconds=1)
    assert not cloud.is_good(token)


def test_tokens_that_ended_are_removed_a_few_at_a_time(cloud: Cloud, database: Database) -> None:
    mary = cloud.user("mary")
    for _ in range(3):
        cloud.token(mary)
    cloud.clock.pass_by(hours=4)
    young = cloud.token(mary)
    cloud.clock.pass_by(hours=4)
    now = cloud.clock.now()
    assert [store.prune(database, now, most=2) for _ in range(3)] == [2, 1, 0]
    assert database.read(lambda connection: connection.execute(select(func.count()).select_from(tokens)).scalar()) == 1
    assert cloud.is_good(young)


def test_its_bearer_takes_a_token_back(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    token, other = cloud.token(mary, astronomy), cloud.token(mary, astronomy)
    assert show(cloud, token, token, "DELETE") == 204
    assert not cloud.is_good(token)
    assert cloud.is_good(other)
    assert show(cloud, token, other, "DELETE") == 403
    assert show(cloud, token, method="DELETE") == 404
    assert show(cloud, other, method="DELETE") == 204
    assert not cloud.is_good(other)


def change_password(cloud: Cloud, user: str, _project: str) -> None:
    body = {"user": {"original_password": "secret", "password": "other"}}
    cloud.post(f"/v3/users/{user}/password", body, token=None)


TAKEN_BACK: dict[str, Callable[[Cloud, str, str], None]] = {
    "the user changes the password": change_password,
    "an administrator changes the password": lambda cloud, user, _: cloud.patch(
        f"/v3/users/{user}", {"user": {"password": "other"}}
    ),
    "the user is disabled": lambda cloud, user, _: cloud.patch(f"/v3/users/{user}", {"user": {"enabled": False}}),
    "the user is removed": lambda cloud, user, _: cloud.delete(f"/v3/users/{user}"),
    "the project is disabled": lambda cloud, _, project: cloud.patch(
        f"/v3/projects/{project}", {"project": {"enabled": False}}
    ),
    "the project is removed": lambda cloud, _, project: cloud.delete(f"/v3/projects/{project}"),
    "the role is taken away": lambda cloud, user, project: cloud.delete(
        f"/v3/projects/{project}/users/{user}/roles/member"
    ),
}


@pytest.mark.parametrize("event", TAKEN_BACK)
def test_a_token_goes_when(cloud: Cloud, event: str) -> None:
    mary, astronomy = cloud.member()
    paul, biology = cloud.member("paul", "biology")
    token, other = cloud.token(mary, astronomy), cloud.token(paul, biology)
    assert cloud.is_good(token)
    TAKEN_BACK[event](cloud, mary, astronomy)
    assert not cloud.is_good(token)
    assert cloud.is_good(other)


def test_a_token_does_not_come_back_with_its_user_or_project(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    for kind, path in (("user", f"/v3/users/{mary}"), ("project", f"/v3/projects/{astronomy}")):
        token = cloud.token(mary, astronomy)
        cloud.patch(path, {kind: {"enabled": False}})
        cloud.patch(path, {kind: {"enabled": True}})
        assert not cloud.is_good(token)
        assert cloud.is_good(cloud.token(mary, astronomy))


def test_roles_count_as_they_are_now(cloud: Cloud) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    assert cloud.send("GET", "/v3/users", token=token).status_code == 403
    cloud.grant(mary, astronomy, "admin")
    assert cloud.send("GET", "/v3/users", token=token).status_code == 200


def test_another_worker_hears_of_it_within_moments(cloud: Cloud, database: Database) -> None:
    elsewhere = TokenBook(database, cloud.clock.now, cloud.clock.monotonic)
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    assert elsewhere.find(token) is not None
    assert show(cloud, token, token, "DELETE") == 204
    assert elsewhere.find(token) is not None
    cloud.clock.pass_by(seconds=REMEMBERED_SECONDS)
    assert elsewhere.find(token) is None
    assert REMEMBERED_SECONDS <= 2


def test_what_is_remembered_ends_in_time_and_has_bounds(
    cloud: Cloud, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("moorage.identity.tokens._MOST_REMEMBERED", 2)
    mary = cloud.user("mary")
    given = [cloud.token(mary) for _ in range(5)]
    book = TokenBook(database, cloud.clock.now, cloud.clock.monotonic)
    for token in given:
        assert book.find(token) is not None
        assert len(book._remembered) <= 2
    cloud.clock.time += cloud.clock.time - cloud.clock.time.replace(year=cloud.clock.time.year - 1)
    assert [book.find(token) for token in given] == [None] * 5


def test_a_request_in_a_row_asks_the_database_once(cloud: Cloud, database: Database) -> None:
    token = cloud.token(cloud.user("mary"))
    asked = []

    class Asked:
        def read(self, work: object) -> object:
            asked.append(work)
            return database.read(work)  # type: ignore[arg-type]

    book = TokenBook(Asked(), cloud.clock.now, cloud.clock.monotonic)  # type: ignore[arg-type]
    for _ in range(10):
        assert book.find(token) is not None
    assert len(asked) == 1


def test_only_a_digest_is_kept(cloud: Cloud, database: Database) -> None:
    mary, astronomy = cloud.member()
    token = text_of(cloud.with_password(mary, scope={"project": {"id": astronomy}}))
    [row] = database.read(lambda connection: connection.execute(select(tokens)).mappings().all())
    assert token not in str(row)
    assert len(row["digest"]) == 64

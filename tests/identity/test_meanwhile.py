"""What happens while somebody logs in: a password is changed, somebody is disabled, a token is taken back.

Whoever was let in on grounds that no longer hold gets no token, at that moment or ever after.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import httpx
import pytest

from moorage.db.database import Database
from moorage.identity.store import application_credentials, projects, tokens, users
from moorage.identity.tokens import TokenBook, digest_of
from tests.identity.cloud import CHEAP, Cloud, text_of

pytestmark = pytest.mark.every_database

Event = Callable[[], object]


@dataclass
class Meanwhile:
    """Makes something happen, in another worker, between the proof of a login and its token."""

    monkeypatch: pytest.MonkeyPatch

    def happens(self, *events: Event) -> None:
        def text() -> str:
            self.monkeypatch.undo()
            for event in events:
                event()
            return "text-of-the-token"

        self.monkeypatch.setattr("moorage.identity.authentication.new_text", text)


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    return Meanwhile(monkeypatch)


def user_changes(database: Database, user_id: str, **values: object) -> Event:
    return lambda: database.write(lambda tx: users.change(tx, user_id, values))


def project_changes(database: Database, project_id: str, **values: object) -> Event:
    return lambda: database.write(lambda tx: projects.change(tx, project_id, values))


def test_a_new_password_ends_logins_with_the_old_one(cloud: Cloud, database: Database, meanwhile: Meanwhile) -> None:
    mary = cloud.user("mary", "old")
    meanwhile.happens(user_changes(database, mary, password=CHEAP.hashed("new")))
    assert cloud.with_password(mary, "old").status_code == 401
    assert not cloud.is_good("text-of-the-token")
    assert cloud.with_password(mary, "new").status_code == 201


def test_who_was_disabled_is_not_let_in_even_if_enabled_again(
    cloud: Cloud, database: Database, meanwhile: Meanwhile
) -> None:
    mary = cloud.user("mary")
    meanwhile.happens(user_changes(database, mary, enabled=False))
    assert cloud.with_password(mary).status_code == 401
    user_changes(database, mary, enabled=True)()
    assert not cloud.is_good("text-of-the-token")


def test_a_project_that_was_disabled_gets_no_token(cloud: Cloud, database: Database, meanwhile: Meanwhile) -> None:
    mary, astronomy = cloud.member()
    meanwhile.happens(project_changes(database, astronomy, enabled=False))
    assert cloud.with_password(mary, scope={"project": {"id": astronomy}}).status_code == 401
    project_changes(database, astronomy, enabled=True)()
    assert not cloud.is_good("text-of-the-token")


def test_a_token_that_was_taken_back_gets_no_other(cloud: Cloud, database: Database, meanwhile: Meanwhile) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary)
    meanwhile.happens(lambda: tokens.remove(database, digest_of(token)))
    assert cloud.with_token(token, {"project": {"id": astronomy}}).status_code == 401


def test_a_token_that_another_worker_has_ended_is_remembered_and_gets_no_other(
    cloud: Cloud, database: Database
) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary)
    assert cloud.is_good(token)
    user_changes(database, mary, password=CHEAP.hashed("new"))()
    assert cloud.is_good(token), "this worker remembers it for a moment"
    assert cloud.with_token(token, {"project": {"id": astronomy}}).status_code == 401


def test_nor_an_application_credential(cloud: Cloud, database: Database) -> None:
    mary, astronomy = cloud.member()
    token = cloud.token(mary, astronomy)
    assert cloud.is_good(token)
    user_changes(database, mary, password=CHEAP.hashed("new"))()
    path = f"/v3/users/{mary}/application_credentials"
    answer = cloud.send("POST", path, {"application_credential": {"name": "key"}}, token)
    assert answer.status_code == 401
    assert cloud.get(path)["application_credentials"] == []


def test_an_application_credential_that_was_removed_gets_no_token(
    cloud: Cloud, database: Database, meanwhile: Meanwhile
) -> None:
    mary, astronomy = cloud.member()
    path = f"/v3/users/{mary}/application_credentials"
    made = cloud.post(path, {"application_credential": {"name": "key"}}, cloud.token(mary, astronomy))
    credential = made["application_credential"]
    meanwhile.happens(lambda: database.write(lambda tx: application_credentials.remove(tx, mary, credential["id"])))
    assert cloud.with_credential(credential["id"], credential["secret"]).status_code == 401


def test_a_password_that_an_administrator_has_set_is_not_overwritten_by_who_knew_the_old_one(
    cloud: Cloud, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    mary = cloud.user("mary", "old")
    by_administrator = CHEAP.hashed("set by the administrator")
    hashed = type(CHEAP).hashed

    def meanwhile(hasher: object, secret: str) -> str:
        user_changes(database, mary, password=by_administrator)()
        return hashed(CHEAP, secret)

    monkeypatch.setattr(type(CHEAP), "hashed", meanwhile)
    body = {"user": {"original_password": "old", "password": "mine again"}}
    assert cloud.send("POST", f"/v3/users/{mary}/password", body, token=None).status_code == 401
    monkeypatch.undo()
    assert cloud.with_password(mary, "mine again").status_code == 401
    assert cloud.with_password(mary, "set by the administrator").status_code == 201


def test_what_was_found_before_a_change_is_not_remembered_after_it(cloud: Cloud, database: Database) -> None:
    mary = cloud.user("mary")
    token = cloud.token(mary)
    book = TokenBook(database)
    read = database.read

    def slow(work: Callable[..., object]) -> object:
        found = read(work)
        user_changes(database, mary, enabled=False)()
        book.forget()
        return found

    database.read = slow  # type: ignore[method-assign,assignment]
    assert book.find(token) is not None, "it was good when it was looked at"
    database.read = read  # type: ignore[method-assign]
    assert book.find(token) is None


def test_no_token_outlives_the_password_that_it_was_got_with(cloud: Cloud) -> None:
    """Several log in as fast as they can while the password changes under them."""
    mary = cloud.user("mary", "0")
    for number in range(3):
        answers: list[httpx.Response] = []
        ready = threading.Barrier(4)

        def log_in(password: str, answers: list[httpx.Response], ready: threading.Barrier) -> None:
            ready.wait()
            while (answer := cloud.with_password(mary, password)).status_code == 201:
                answers.append(answer)

        arguments = (str(number), answers, ready)
        threads = [threading.Thread(target=log_in, args=arguments) for _ in range(3)]
        for thread in threads:
            thread.start()
        ready.wait()
        cloud.patch(f"/v3/users/{mary}", {"user": {"password": str(number + 1)}})
        for thread in threads:
            thread.join()
        assert not [answer for answer in answers if cloud.is_good(text_of(answer))]

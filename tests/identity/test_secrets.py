"""No secret is ever logged, and none is kept in clear."""

from __future__ import annotations

import logging

import pytest
from sqlalchemy import select

from moorage.db.database import Database
from moorage.identity.store.tables import application_credentials, tokens, users
from tests.identity.cloud import Cloud, text_of

PASSWORD, OTHER, GUESS, CHOSEN = "the-first-password", "the-second-password", "a-guess-of-somebody", "a-chosen-secret"


def live_through(cloud: Cloud) -> set[str]:
    """Everything that is done with secrets, also what fails; all of them."""
    mary, astronomy = cloud.user("mary", PASSWORD), cloud.project("astronomy")
    cloud.grant(mary, astronomy)
    token = text_of(cloud.with_password(mary, PASSWORD, {"project": {"id": astronomy}}))
    path = f"/v3/users/{mary}/application_credentials"
    made = cloud.post(path, {"application_credential": {"name": "a"}}, token)["application_credential"]
    cloud.post(path, {"application_credential": {"name": "b", "secret": CHOSEN}}, token)
    from_credential = text_of(cloud.with_credential(made["id"], made["secret"]))
    from_token = text_of(cloud.with_token(token, "unscoped"))
    for status, answer in (
        (401, cloud.with_password(mary, GUESS)),
        (401, cloud.with_password(GUESS, PASSWORD)),
        (401, cloud.with_token(GUESS)),
        (401, cloud.with_credential(made["id"], GUESS)),
        (401, cloud.send("GET", "/v3/users", token=GUESS)),
        (404, cloud.send("GET", "/v3/auth/tokens", headers={"X-Subject-Token": GUESS})),
        (400, cloud.send("PATCH", f"/v3/users/{mary}", {"user": {"password": [GUESS]}})),
        (400, cloud.send("POST", f"/v3/users/{mary}/password", {"user": {"password": GUESS}}, token=None)),
        (409, cloud.send("POST", "/v3/users", {"user": {"name": "mary", "password": GUESS}})),
    ):
        assert answer.status_code == status, answer.text
        assert GUESS not in answer.text
    body = {"user": {"original_password": PASSWORD, "password": OTHER}}
    cloud.post(f"/v3/users/{mary}/password", body, token=None)
    last = text_of(cloud.with_password(mary, OTHER))
    return {
        *(PASSWORD, OTHER, GUESS, CHOSEN, token, from_credential, from_token, last, made["secret"]),
        *(cloud.admin_password, cloud.admin_token),
    }


def test_none_is_logged(cloud: Cloud, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        secrets = live_through(cloud)
    assert '"POST /identity/v3/auth/tokens" status: 401' in caplog.text
    assert [secret for secret in secrets if secret in caplog.text] == []


def test_none_is_kept_in_clear(cloud: Cloud, database: Database) -> None:
    secrets = live_through(cloud)
    rows = database.read(
        lambda connection: [
            row for table in (users, application_credentials, tokens) for row in connection.execute(select(table))
        ]
    )
    kept = "\n".join(map(repr, rows))
    assert kept.count("$scrypt$") == 4
    assert [secret for secret in secrets if secret in kept] == []

"""Whom the services of a process ask."""

from __future__ import annotations

from typing import Any

import pytest

from moorage.client.errors import Unavailable
from moorage.service.clients import reservation_client
from moorage.service.settings import load_settings


def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "application/json")])
    dates = b'"start_date": "2030-01-01T08:00:00.000000", "end_date": "2030-01-01T18:00:00.000000"'
    return [b'{"leases": [{"id": "of this process", "status": "ACTIVE", %b}]}' % dates]


def test_leases_are_those_of_the_same_process() -> None:
    client = reservation_client(load_settings({"api.auth_strategy": "noauth2"}, config_files=[]), lambda: application)
    assert client is not None
    assert [lease.id for lease in client.leases()] == ["of this process"]


def test_without_a_reservation_service_there_are_no_leases() -> None:
    assert reservation_client(load_settings({"api.auth_strategy": "noauth2"}, config_files=[]), None) is None


@pytest.mark.parametrize("own", [None, lambda: application])
def test_with_keystone_a_credential_is_needed_to_see_them(own: Any) -> None:
    client = reservation_client(load_settings({"api.auth_strategy": "keystone"}, config_files=[]), own)
    assert client is not None
    with pytest.raises(Unavailable):
        client.leases()


def test_another_service_may_be_named(tmp_path: Any) -> None:
    file = tmp_path / "moorage.conf"
    file.write_text("[reservation_client]\nauth_type = none\nendpoint_override = http://127.0.0.1:9/v1\n")
    settings = load_settings({"api.auth_strategy": "noauth2"}, config_files=[str(file)])
    client = reservation_client(settings, lambda: application)
    assert client is not None
    with pytest.raises(Unavailable, match=r"http://127\.0\.0\.1:9/v1"):
        client.leases()

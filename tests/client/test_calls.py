"""How answers become values and refusals become errors, whatever the service sends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from moorage.client.calls import Calls, path_of
from moorage.client.errors import (
    BadRequest,
    ClientError,
    Conflict,
    NotFound,
    Refused,
    ServerError,
    Unauthorized,
    Unavailable,
)
from moorage.client.in_process import WsgiTransport
from tests.client.echo import echo

REQUEST_ID = r"req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def answered(status: int, body: bytes) -> Calls:
    """Calls that are all answered in the same way."""

    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response(f"{status} Whatever", [])
        return [body]

    return Calls(WsgiTransport(application), "placement 1.39")


def errors(**fields: Any) -> bytes:
    return json.dumps({"errors": [fields]}).encode()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (300, Refused),
        (400, BadRequest),
        (401, Unauthorized),
        (403, Unauthorized),
        (404, NotFound),
        (406, Refused),
        (409, Conflict),
        (429, Unavailable),
        (500, ServerError),
        (501, ServerError),
        (502, Unavailable),
        (503, Unavailable),
        (504, Unavailable),
    ],
)
def test_each_status_has_its_error(status: int, kind: type[ClientError]) -> None:
    with pytest.raises(ClientError) as raised:
        answered(status, errors(detail="Because.", code="placement.undefined_code")).send("GET", "/")
    assert type(raised.value) is kind
    if isinstance(raised.value, Refused):
        assert (raised.value.status, raised.value.code) == (status, "placement.undefined_code")
        assert raised.value.detail == "Because."


def test_a_refusal_is_told_in_one_sentence() -> None:
    body = errors(
        detail="There was a conflict when trying to complete your request.\n\n update conflict:\n  in use. ",
        code="placement.inventory.inuse",
    )
    with pytest.raises(Conflict) as refused:
        answered(409, body).send("PUT", "/resource_providers/x/inventories")
    assert refused.value.facts["code"] == "placement.inventory.inuse"
    assert refused.value.detail == "update conflict: in use."
    assert re.fullmatch(
        r"PUT /resource_providers/x/inventories was refused \(409 placement\.inventory\.inuse\): "
        rf"update conflict: in use\. \({REQUEST_ID}\)",
        str(refused.value),
    )


def test_nova_and_glance_word_their_refusals_in_their_own_way() -> None:
    body = b'{"itemNotFound": {"code": 404, "message": "Flavor x could not be found."}}'
    with pytest.raises(
        NotFound, match=rf"^GET /x was refused \(404\): Flavor x could not be found\. \({REQUEST_ID}\)$"
    ):
        answered(404, body).send("GET", "/x")


def test_reservation_services_word_their_refusals_in_their_own_way() -> None:
    body = b'{"error_code": 409, "error_message": "Not enough hosts available.", "error_name": 409}'
    with pytest.raises(Conflict, match=r"^POST /leases was refused \(409\): Not enough hosts available\."):
        answered(409, body).send("POST", "/leases")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Bad Gateway</html>",
        b"{}",
        b"[]",
        b"null",
        b'{"errors": []}',
        b'{"errors": ["text"]}',
        b'{"error": "text"}',
        b"\xff",
        b'{"error": {"message": "\xff"}}',
        b"[" * 100_000,
    ],
)
def test_a_refusal_may_say_nothing_that_is_understood(body: bytes) -> None:
    with pytest.raises(NotFound, match=rf"^GET /x was refused \(404\)\. \({REQUEST_ID}\)$") as refused:
        answered(404, body).send("GET", "/x")
    assert (refused.value.code, refused.value.detail, refused.value.facts) == ("", "", {})


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b'{"a": "text"}', b"\xff", b'{"\xff": 1}'])
def test_an_answer_that_is_none_of_the_services(body: bytes) -> None:
    with pytest.raises(ClientError, match=r"^GET /x was answered with 200 and a body that was not expected"):
        answered(200, body).read(dict[str, int], "/x")


def test_a_request_says_its_version_and_its_id() -> None:
    asked = Calls(WsgiTransport(echo), "placement 1.39").read(dict[str, Any], "/")["headers"]
    assert asked["openstack-api-version"] == "placement 1.39"
    assert asked["accept"] == "application/json"
    assert re.fullmatch(REQUEST_ID, asked["x-openstack-request-id"])


def test_who_gets_no_answer_learns_what_was_asked() -> None:
    def application(_environ: WSGIEnvironment, _start_response: StartResponse) -> Iterable[bytes]:
        raise RuntimeError

    with pytest.raises(Unavailable, match=rf"^The application .* \(GET /x, {REQUEST_ID}\)$"):
        Calls(WsgiTransport(application), "placement 1.39").send("GET", "/x")


def test_parts_of_a_path_may_hold_anything() -> None:
    assert path_of("traits", "A/B?c d#ä") == "/traits/A%2FB%3Fc%20d%23%C3%A4"

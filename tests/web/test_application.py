"""What every API built on the common layer does with requests, whatever it is about."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import pytest

from moorage.db.database import DatabaseUnavailable
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.application import Api, Operation, web_application
from moorage.web.caller import CALLER, Caller
from moorage.web.request import Request
from moorage.web.schema import Schema
from moorage.web.versions import Versions

ALICE = Caller("alice", "garden", ("member",))
MOST_BYTES = 200


class NoSuchPlant(Exception):
    """An error of the room."""


@dataclass
class Garden:
    """What handlers work with."""

    plants: dict[str, int]


def show(request: Request, garden: Garden) -> Answer:
    if request.path["name"] not in garden.plants:
        raise NoSuchPlant(f"There is no {request.path['name']}.")
    answer = {"height": garden.plants[request.path["name"]], "unit": request.parameters.last("unit")}
    return json_answer(answer | {"version": request.version, "who": request.known_caller.user_id})


def plant(request: Request, garden: Garden) -> Answer:
    garden.plants[request.path["name"]] = request.content["height"]
    return empty_answer(HTTPStatus.CREATED, {"location": f"{request.base_url}/plants/{request.path['name']}"})


def pull_up(_request: Request, _garden: Garden) -> Answer:
    raise ZeroDivisionError("a secret of the gardener")


def water(_request: Request, _garden: Garden) -> Answer:
    raise DatabaseUnavailable("The well is dry")


def stream(_request: Request, _garden: Garden) -> Answer:
    return Answer(HTTPStatus.OK, stream=iter([b"[1,", b"2]"]))


HEIGHT = Schema(
    {
        "type": "object",
        "properties": {"height": {"type": "integer", "minimum": 0}, "label": {"type": "string"}},
        "required": ["height"],
        "additionalProperties": False,
    }
)

API: Api[Garden] = Api(
    routes={
        "/": {"GET": (Operation(handler=lambda _request, _garden: json_answer("welcome"), rule=None),)},
        "/plants/{name}": {
            "GET": (Operation(handler=show, rule="plants:show"),),
            "PUT": (Operation(handler=plant, rule="plants:put", schema=HEIGHT, since=(2, 2)),),
            "DELETE": (Operation(handler=pull_up, rule="plants:delete"),),
        },
        "/water": {"POST": (Operation(handler=water, rule="water"),)},
        "/stream": {"GET": (Operation(handler=stream, rule="stream"),)},
    },
    versions=Versions("garden", (2, 1), (2, 9)),
    statuses={NoSuchPlant: HTTPStatus.NOT_FOUND},
    render_error=lambda error, request_id: json.dumps(
        {"status": error.status, "message": error.message, "id": request_id}
    ).encode(),
)


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def send(
    method: str,
    path: str,
    body: bytes = b"",
    *,
    caller: Caller | None = ALICE,
    allowed: bool = True,
    query: str = "",
    headers: dict[str, str] | None = None,
) -> Reply:
    application = web_application(API, Garden({"rose": 3}), lambda *_question: allowed, MOST_BYTES)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "/garden",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "example.com",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "CONTENT_LENGTH": str(len(body)),
        "moorage.request_id": "req-1",
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in (headers or {}).items()},
    }
    if "content-type" in (headers or {}):
        environ["CONTENT_TYPE"] = (headers or {})["content-type"]
    if caller is not None:
        environ[CALLER] = caller
    started: dict[str, Any] = {}

    def start_response(status: str, sent: list[tuple[str, str]], _error: Any = None) -> Any:
        started.update(status=int(status[:3]), headers={name.lower(): value for name, value in sent})

    content = b"".join(application(environ, start_response))
    return Reply(started["status"], started["headers"], content)


def test_a_handler_gets_values_and_gives_an_answer() -> None:
    reply = send("GET", "/plants/rose", query="unit=cm", headers={"openstack-api-version": "garden 2.5"})
    assert (reply.status, reply.json) == (200, {"height": 3, "unit": "cm", "version": [2, 5], "who": "alice"})
    assert reply.headers["openstack-api-version"] == "garden 2.5"
    assert reply.headers["content-type"] == "application/json"


def test_a_path_with_a_slash_at_its_end_is_the_same_path() -> None:
    assert send("GET", "/plants/rose/").status == 200


def test_a_body_that_the_schema_allows_is_taken_and_links_begin_where_the_client_found_us() -> None:
    reply = send("PUT", "/plants/tulip", b'{"height": 1}', headers={"openstack-api-version": "garden 2.2"})
    assert (reply.status, reply.body) == (201, b"")
    assert reply.headers["location"] == "http://example.com/garden/plants/tulip"
    assert "content-type" not in reply.headers


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "no body"),
        (b"{", "Malformed"),
        (b"\xff", "Malformed"),
        (b'{"height": -1}', "height. Value: -1"),
        (b'{"height": true}', "height. Value: True"),
        (b"{}", "'height' is a required property"),
        (b'{"height": 1, "colour": 2}', "colour"),
        (b'{"height": 1, "label": "a\\u0000b"}', "NUL"),
        (b"[" * 150, "Malformed"),
    ],
)
def test_a_bad_body_is_refused_with_a_sentence_that_names_it(body: bytes, told: str) -> None:
    reply = send("PUT", "/plants/tulip", body, headers={"openstack-api-version": "garden latest"})
    assert reply.status == 400
    assert told in reply.json["message"]
    assert reply.json["id"] == "req-1"


def test_a_body_that_is_too_large_is_not_read() -> None:
    reply = send("PUT", "/plants/x", b"x" * (MOST_BYTES + 1), headers={"openstack-api-version": "garden latest"})
    assert reply.status == 413
    assert str(MOST_BYTES) in reply.json["message"]


def test_a_body_of_another_kind_is_not_supported() -> None:
    headers = {"openstack-api-version": "garden latest", "content-type": "text/xml"}
    assert send("PUT", "/plants/x", b"<a/>", headers=headers).status == 415


def test_an_operation_of_a_later_version_is_not_there() -> None:
    assert send("PUT", "/plants/tulip", b'{"height": 1}').status == 404


@pytest.mark.parametrize("method", ["PATCH", "TRACE", "QUERY", "LOCK"])
def test_a_method_that_a_path_does_not_have_is_not_allowed_and_says_which_are(method: str) -> None:
    reply = send(method, "/plants/rose")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, PUT, DELETE")


def test_an_unknown_path_is_not_found() -> None:
    assert send("GET", "/weeds").status == 404


def test_an_error_of_the_room_has_the_status_of_the_table_and_its_own_words() -> None:
    reply = send("GET", "/plants/oak")
    assert (reply.status, reply.json["message"]) == (404, "There is no oak.")


def test_who_is_nobody_may_see_what_has_no_rule_and_nothing_else() -> None:
    assert send("GET", "/", caller=None).status == 200
    assert send("GET", "/plants/rose", caller=None).status == 401


def test_the_policy_is_asked() -> None:
    assert send("GET", "/plants/rose", allowed=False).status == 403


def test_a_mistake_of_ours_is_logged_and_tells_the_client_nothing(caplog: pytest.LogCaptureFixture) -> None:
    reply = send("DELETE", "/plants/rose")
    assert reply.status == 500
    assert b"secret" not in reply.body
    assert "a secret of the gardener" in caplog.text


def test_a_database_that_is_away_is_worth_another_try() -> None:
    reply = send("POST", "/water")
    assert (reply.status, reply.headers["retry-after"]) == (503, "5")


def test_a_body_can_be_sent_while_it_is_made() -> None:
    assert send("GET", "/stream").json == [1, 2]


@pytest.mark.parametrize("query", ["a=%ff", "a=%00"])
def test_a_query_that_is_no_text_is_a_bad_request(query: str) -> None:
    assert send("GET", "/plants/rose", query=query).status == 400

"""What every transport does, whichever way a request goes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from keystoneauth1.adapter import Adapter
from keystoneauth1.noauth import NoAuth

from moorage.client.http import HttpTransport, open_session
from moorage.client.in_process import WsgiTransport
from moorage.client.transport import Transport
from tests.client.echo import echo
from tests.client.serving import serving


@pytest.fixture(params=["over HTTP", "in process"])
def transport(request: pytest.FixtureRequest) -> Iterator[Transport]:
    """A way to a service that tells what it was asked."""
    if request.param == "in process":
        yield WsgiTransport(echo)
        return
    with serving(echo) as address:
        yield HttpTransport(Adapter(open_session(NoAuth()), endpoint_override=address))


def test_a_request_arrives_as_it_was_sent(transport: Transport) -> None:
    query = [("name", "in:A,B"), ("member_of", "!x y"), ("member_of", "&=?#%ä")]
    content = {"total": 4, "name": "Lände"}
    answer = transport.send("PUT", "/a/b%20c%C3%A4", query=query, content=content, headers={"X-Own": "this"})
    asked = answer.json()
    assert (asked["method"], asked["path"]) == ("PUT", "/a/b cä")
    assert asked["query"] == [list(pair) for pair in query]
    assert (asked["type"], asked["body"]) == ("application/json", '{"total":4,"name":"Lände"}')
    assert asked["headers"]["x-own"] == "this"


def test_without_content_there_is_no_body(transport: Transport) -> None:
    for method in ("GET", "PUT", "DELETE"):
        asked = transport.send(method, "/").json()
        assert (asked["method"], asked["query"], asked["body"]) == (method, [], "")
        assert asked["type"] != "application/json"


def test_an_empty_object_is_content(transport: Transport) -> None:
    assert transport.send("POST", "/", content={}).json()["body"] == "{}"


@pytest.mark.parametrize("status", [200, 204, 400, 401, 404, 409, 429, 500, 503])
def test_every_status_is_an_answer(transport: Transport, status: int) -> None:
    answer = transport.send("GET", f"/status/{status}")
    assert answer.status == status
    assert answer.headers["x-echo"] == "Yes"
    assert (answer.json() is None) == (status == 204)


def test_a_body_that_comes_in_parts_is_taken_whole(transport: Transport) -> None:
    assert transport.send("GET", "/parts").json()["path"] == "/parts"

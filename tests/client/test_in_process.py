"""What a WSGI application may do, and what becomes of it when it fails."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest

from moorage.client.errors import Unavailable
from moorage.client.in_process import WsgiTransport
from tests.client.echo import echo


class Parts:
    """A body that knows whether it was closed, and may fail on the way."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield b"on"
        if self.fails:
            raise OSError("the disk is gone")
        yield b"e"

    def close(self) -> None:
        self.closed = True


def answering(parts: Iterable[bytes]) -> WsgiTransport:
    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return parts

    return WsgiTransport(application)


def test_a_body_is_closed() -> None:
    parts = Parts()
    assert answering(parts).send("GET", "/").body == b"one"
    assert parts.closed


def test_a_body_that_fails_is_closed_and_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    parts = Parts(fails=True)
    with pytest.raises(Unavailable, match=r"^The application in this process failed with OSError\.$"):
        answering(parts).send("GET", "/things")
    assert parts.closed
    assert "GET /things" in caplog.text
    assert "the disk is gone" in caplog.text


def test_an_application_that_fails_is_unavailable() -> None:
    def application(_environ: WSGIEnvironment, _start_response: StartResponse) -> Iterable[bytes]:
        raise RuntimeError("not today")

    with pytest.raises(Unavailable, match="RuntimeError"):
        WsgiTransport(application).send("GET", "/")


def test_an_application_may_start_late_and_write() -> None:
    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        write = start_response("202 Accepted", [("X-Late", "yes")])
        write(b"first ")
        yield b"second"

    answer = WsgiTransport(application).send("GET", "/")
    assert (answer.status, answer.headers, answer.body) == (202, {"x-late": "yes"}, b"first second")


def test_an_application_may_think_better_of_it() -> None:
    def application(_environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        try:
            int("no number")
        except ValueError:
            start_response("500 Internal Server Error", [], sys.exc_info())
        return []

    assert WsgiTransport(application).send("GET", "/").status == 500


def test_headers_go_with_every_request_and_its_own_win() -> None:
    transport = WsgiTransport(echo, {"x-auth-token": "admin", "x-roles": "reader"})
    headers = transport.send("GET", "/", headers={"x-roles": "admin"}).json()["headers"]
    assert (headers["x-auth-token"], headers["x-roles"]) == ("admin", "admin")

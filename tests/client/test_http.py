"""What only happens over HTTP: services that are away, slow, or want another token."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from keystoneauth1.adapter import Adapter
from keystoneauth1.identity.v3 import Password
from keystoneauth1.token_endpoint import Token

from bench.service import free_port
from moorage.client.errors import Unauthorized, Unavailable
from moorage.client.http import HttpTransport, open_session
from tests.client.certificates import make_certificate
from tests.client.conftest import http_client
from tests.client.echo import echo, guarded
from tests.client.identity import PASSWORD, Identity
from tests.client.serving import serving
from tests.clients.running_service import RunningService

SECRET = "the-token-of-the-administrator"


def transport(endpoint: str, timeout: float = 60, authorities: Path | None = None) -> HttpTransport:
    session = open_session(Token(endpoint, SECRET), timeout=timeout, verify=str(authorities) if authorities else True)
    return HttpTransport(Adapter(session, service_type="placement", endpoint_override=endpoint))


# --- nobody answers


def test_a_service_that_is_away_is_named_with_the_reason() -> None:
    endpoint = f"http://127.0.0.1:{free_port()}/placement"
    with pytest.raises(Unavailable, match=rf"^{endpoint} cannot be reached: Connection refused\.$"):
        transport(endpoint).send("GET", "/resource_providers", query=[("name", "x")])


@pytest.mark.parametrize("endpoint", ["ftp://127.0.0.1/", "http://", "http://[::1/", "http://127.0.0.1:99999/"])
def test_an_address_that_is_none(endpoint: str) -> None:
    with pytest.raises(Unavailable, match="cannot be reached"):
        transport(endpoint).send("GET", "/")


def test_a_service_that_is_too_slow() -> None:
    enough = Event()

    def slow(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        enough.wait()
        return echo(environ, start_response)

    with serving(slow) as address:
        try:
            with pytest.raises(Unavailable, match=rf"^{address} gave no answer within 0\.2 seconds\.$"):
                transport(address, timeout=0.2).send("GET", "/")
        finally:
            enough.set()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@contextmanager
def saying(listener: socket.socket, *answers: bytes) -> Iterator[str]:
    """A service that gives each connection one answer and hangs up."""

    def serve() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

    thread = Thread(target=serve)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    thread.join()


@pytest.mark.parametrize("said", [b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", b"SSH-2.0-OpenSSH_9.2\r\n"])
def test_a_service_that_breaks_off(listener: socket.socket, said: bytes) -> None:
    with (
        saying(listener, said) as address,
        pytest.raises(Unavailable, match=rf"^{address} cannot be reached: \w"),
    ):
        transport(address).send("GET", "/")


NOTHING, SOMETHING = b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def test_who_only_reads_asks_again_when_the_connection_was_closed(listener: socket.socket) -> None:
    with saying(listener, NOTHING, SOMETHING) as address:
        assert transport(address).send("GET", "/").body == b"{}"


def test_but_once_only(listener: socket.socket) -> None:
    with saying(listener, NOTHING, NOTHING) as address, pytest.raises(Unavailable, match="cannot be reached"):
        transport(address).send("GET", "/")


def test_what_may_have_been_done_is_not_sent_again(listener: socket.socket) -> None:
    with saying(listener, NOTHING) as address, pytest.raises(Unavailable, match="cannot be reached"):
        transport(address).send("POST", "/", content={})


# --- who is asking


def test_a_wrong_token_is_unauthorized(service: RunningService) -> None:
    with pytest.raises(Unauthorized, match=r"^GET /resource_providers was refused \(401.* not the right one") as raised:
        http_client(service.placement, "wrong").providers()
    assert raised.value.status == 401


@pytest.fixture
def identity() -> Identity:
    return Identity({})


def login(identity_address: str, endpoint: str) -> HttpTransport:
    auth = Password(f"{identity_address}/v3", username="agent", password=PASSWORD, user_domain_id="default")
    return HttpTransport(Adapter(open_session(auth), service_type="placement", endpoint_override=endpoint))


def test_a_token_that_is_no_longer_taken_is_replaced(identity: Identity) -> None:
    with serving(identity) as login_address, serving(guarded(identity.tokens)) as endpoint:
        way = login(login_address, endpoint)
        assert way.send("GET", "/").json()["headers"]["x-auth-token"] == "token-1"
        identity.tokens.clear()
        assert way.send("PUT", "/", content={"a": 1}).json()["body"] == '{"a":1}'
        assert identity.logins == 2


def test_a_token_is_replaced_once_only(identity: Identity) -> None:
    with serving(identity) as login_address, serving(guarded(())) as endpoint:
        assert login(login_address, endpoint).send("GET", "/").status == 401
        assert identity.logins == 2


def test_an_identity_service_that_is_away_is_named() -> None:
    address = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(Unavailable, match=rf"^{address}/v3/auth/tokens cannot be reached: Connection refused\.$"):
        login(address, "http://127.0.0.1:1").send("GET", "/resource_providers")


def test_an_identity_service_that_is_ill(identity: Identity) -> None:
    identity.is_ill = True
    with serving(identity) as address, pytest.raises(Unavailable, match=rf"^{address}/\S* gave no token \(503\)"):
        login(address, "http://127.0.0.1:1").send("GET", "/")


# --- secrets


def test_no_secret_is_told_or_logged(caplog: pytest.LogCaptureFixture, identity: Identity) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(echo) as address:
        transport(address).send("PUT", "/", content={})
        for address_with_password in (
            f"http://operator:the-password@127.0.0.1:{free_port()}",
            "ftp://operator:the-password@127.0.0.1/",
        ):
            with pytest.raises(Unavailable) as raised:
                transport(address_with_password).send("GET", "/", query=[("a", "b")])
            assert "the-password" not in str(raised.value)
    with serving(identity) as login_address, serving(guarded(identity.tokens)) as endpoint:
        login(login_address, endpoint).send("GET", "/")
    assert SECRET not in caplog.text
    assert PASSWORD not in caplog.text
    assert "token-1" not in caplog.text


# --- TLS


def test_a_certificate_is_checked(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path / "server.pem")
    with serving(echo, certificate) as address:
        with pytest.raises(Unavailable, match=rf"^{address} cannot be reached: its certificate is not accepted: self"):
            transport(address).send("GET", "/")
        assert transport(address, authorities=certificate).send("GET", "/").status == 200
        with pytest.raises(Unavailable, match=rf"^{address} cannot be reached: .*missing\.pem"):
            transport(address, authorities=tmp_path / "missing.pem").send("GET", "/")


# --- many threads


def test_sixteen_threads_share_the_connections(service: RunningService, caplog: pytest.LogCaptureFixture) -> None:
    client = http_client(service.placement, service.token)
    caplog.set_level(logging.DEBUG, logger="urllib3.connectionpool")
    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(lambda _: client.known_traits(["COMPUTE_NODE"]), range(160)))
    assert found == [{"COMPUTE_NODE"}] * 160
    opened = [record for record in caplog.records if "Starting new HTTP connection" in record.getMessage()]
    assert len(opened) <= 16
    assert "pool is full" not in caplog.text

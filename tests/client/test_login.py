"""Ways to log in: where they are found, and that logging in early is logging in once."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Event
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from keystoneauth1 import loading
from keystoneauth1.adapter import Adapter
from keystoneauth1.exceptions import NoMatchingPlugin
from keystoneauth1.identity.v3 import Password

from moorage.client.early_login import begin_login
from moorage.client.errors import Unauthorized
from moorage.client.http import HttpTransport, open_session
from moorage.client.login import USUAL, login_loader
from tests.client.echo import echo
from tests.client.identity import PASSWORD, Identity
from tests.client.serving import serving


@pytest.mark.parametrize("auth_type", sorted(USUAL))
def test_the_usual_ones_are_those_of_keystoneauth(auth_type: str) -> None:
    assert type(login_loader(auth_type)) is type(loading.get_plugin_loader(auth_type))


def test_for_the_usual_ones_nobody_looks_through_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stevedore.ExtensionManager.list_entry_points", lambda *_: pytest.fail("looked"))
    for auth_type in USUAL:
        login_loader(auth_type)


def test_all_others_are_looked_for() -> None:
    assert type(login_loader("v3oidcpassword")) is type(loading.get_plugin_loader("v3oidcpassword"))
    with pytest.raises(NoMatchingPlugin):
        login_loader("handshake")


def test_a_login_that_was_begun_is_the_only_one() -> None:
    with serving(echo) as address:
        identity = Identity({("public", "one"): address})
        with serving(identity) as keystone:
            session = open_session(Password(f"{keystone}/v3", username="agent", password=PASSWORD, user_domain_id="d"))
            transport = HttpTransport(Adapter(session, service_type="placement"), begin_login(session))
            answers = [transport.send("GET", path).status for path in ("/a", "/b")]

    assert answers == [200, 200]
    assert identity.logins == 1


def test_a_credential_that_is_refused_is_sent_once() -> None:
    asked: list[str] = []
    identity = Identity({})

    def counting(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked.append(environ["REQUEST_METHOD"])
        return identity(environ, start_response)

    with serving(counting) as keystone:
        session = open_session(Password(f"{keystone}/v3", username="agent", password="wrong", user_domain_id="d"))
        transport = HttpTransport(Adapter(session, service_type="placement"), begin_login(session))
        for _ in range(2):
            with pytest.raises(Unauthorized, match="refused the credential"):
                transport.send("GET", "/")

    assert asked == ["POST"]


def test_nobody_waits_for_a_login_that_is_not_needed() -> None:
    answered = Event()

    def slow(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        answered.wait()
        return Identity({})(environ, start_response)

    with serving(slow) as keystone:
        session = open_session(Password(f"{keystone}/v3", username="agent", password=PASSWORD, user_domain_id="d"))
        login = begin_login(session)
        assert not login.done()
        answered.set()
        login.result()

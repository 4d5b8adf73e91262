"""Logging in while whoever will ask still gets ready.

A service that keeps passwords well takes its time to check one, and so does a command to load what it needs; neither
has to wait for the other.
"""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread

from keystoneauth1.session import Session


def begin_login(session: Session) -> Future[object]:
    """Get a token for a session, in a thread that nobody waits for in the end; its outcome is that of the login."""
    login: Future[object] = Future()

    def log_in() -> None:
        try:
            login.set_result(session.get_auth_headers())
        except BaseException as error:  # noqa: BLE001 - whoever asks for the outcome is told
            login.set_exception(error)

    Thread(target=log_in, name="login", daemon=True).start()
    return login

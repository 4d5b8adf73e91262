"""An Identity service as small as the validation of tokens needs it: version discovery, the login of the service
itself, and the validation of a token on its behalf.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

SERVICE_USER = "moorage"
SERVICE_PASSWORD = "secret-of-the-service"
SERVICE_TOKEN = "token-of-the-service"

DOMAIN = {"id": "default", "name": "Default"}


@dataclass(frozen=True, slots=True)
class Token:
    """Whom a token stands for, and for what: a project, unless the scope says otherwise."""

    user: str
    roles: tuple[str, ...]
    project: str = ""
    scope: Mapping[str, Any] = field(default_factory=dict)
    lifetime: timedelta = timedelta(hours=1)

    @property
    def is_expired(self) -> bool:
        return self.lifetime < timedelta(0)

    def document(self) -> dict[str, Any]:
        """The token as Keystone describes it."""
        now = datetime.now(UTC)
        project = {"project": {"id": self.project, "name": self.project, "domain": DOMAIN}} if self.project else {}
        return {
            "methods": ["password"],
            "user": {"id": self.user, "name": self.user, "domain": DOMAIN},
            "roles": [{"id": role, "name": role} for role in self.roles],
            "audit_ids": ["3T2dc1CGQxyJsHdDu1xkcw"],
            "issued_at": _timestamp(min(now, now + self.lifetime)),
            "expires_at": _timestamp(now + self.lifetime),
            **project,
            **self.scope,
        }


class Keystone(ThreadingHTTPServer):
    """Knows the given tokens, and counts how often it was asked about each."""

    daemon_threads = True

    def __init__(self, tokens: Mapping[str, Token]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.tokens = tokens
        self.questions: list[str] = []
        self.is_ill = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v3"

    @property
    def settings(self) -> str:
        """What a service that asks this Keystone has in its configuration file."""
        return f"""
[keystone_authtoken]
www_authenticate_uri = {self.url}
auth_type = password
auth_url = {self.url}
username = {SERVICE_USER}
password = {SERVICE_PASSWORD}
user_domain_id = default
project_name = service
project_domain_id = default
http_request_max_retries = 0
"""


@contextmanager
def running_keystone(tokens: Mapping[str, Token]) -> Iterator[Keystone]:
    with Keystone(tokens) as keystone:
        thread = Thread(target=keystone.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield keystone
        finally:
            keystone.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Keystone

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == "/v3/auth/tokens":
            self._validate(allow_expired="allow_expired=1" in query)
        else:
            links = [{"rel": "self", "href": self.server.url}]
            self._answer(200, {"version": {"id": "v3.14", "status": "stable", "links": links}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        user = body["auth"]["identity"]["password"]["user"]
        if (user["name"], user["password"]) != (SERVICE_USER, SERVICE_PASSWORD):
            self._answer(401, {"error": {"code": 401, "message": "The request requires authentication."}})
            return
        endpoints = [{"interface": name, "url": self.server.url} for name in ("public", "internal", "admin")]
        catalog = [{"type": "identity", "name": "keystone", "endpoints": endpoints}]
        document = Token(SERVICE_USER, ("service",), "service").document()
        self._answer(201, {"token": {**document, "catalog": catalog}}, SERVICE_TOKEN)

    def _validate(self, *, allow_expired: bool) -> None:
        assert self.headers["X-Auth-Token"] == SERVICE_TOKEN
        subject = self.headers["X-Subject-Token"]
        self.server.questions.append(subject)
        token = self.server.tokens.get(subject)
        if self.server.is_ill:
            self._answer(500, {"error": {"code": 500, "message": "An unexpected error."}})
        elif token is None or (token.is_expired and not allow_expired):
            self._answer(404, {"error": {"code": 404, "message": "Could not find token."}})
        else:
            self._answer(200, {"token": token.document()}, subject)

    def _answer(self, status: int, document: object, subject_token: str = "") -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if subject_token:
            self.send_header("X-Subject-Token", subject_token)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the library gives it
        pass


def _timestamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%fZ}"

"""An Identity service as small as a client needs it: its version, and tokens with a catalog for those it knows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

PASSWORD = "the-password"
SECRET = "the-secret-of-the-application-credential"


class Identity:
    """Gives a new token at every login; `catalog` has the addresses of a service by interface and region."""

    def __init__(self, catalog: Mapping[tuple[str, str], str], service_type: str = "placement") -> None:
        self.catalog = catalog
        self.service_type = service_type
        # Those that are still good.
        self.tokens: set[str] = set()
        self.logins = 0
        self.is_ill = False

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        own = f"http://{environ['HTTP_HOST']}/v3"
        if self.is_ill:
            return _answer(start_response, "503 Service Unavailable", {"error": {"message": "The database is away."}})
        if environ["REQUEST_METHOD"] == "GET":
            links = [{"rel": "self", "href": own}]
            return _answer(start_response, "200 OK", {"version": {"id": "v3.14", "status": "stable", "links": links}})
        login = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))["auth"]["identity"]
        if not _is_known(login):
            return _answer(start_response, "401 Unauthorized", {"error": {"message": "Wrong name or password."}})
        self.logins += 1
        token = f"token-{self.logins}"
        self.tokens.add(token)
        return _answer(start_response, "201 Created", {"token": self._document()}, ("X-Subject-Token", token))

    def _document(self) -> dict[str, Any]:
        domain = {"id": "default", "name": "Default"}
        endpoints = [
            {"interface": interface, "region": region, "region_id": region, "url": url}
            for (interface, region), url in self.catalog.items()
        ]
        now = datetime.now(UTC)
        return {
            "methods": ["password"],
            "user": {"id": "agent", "name": "agent", "domain": domain},
            "project": {"id": "service", "name": "service", "domain": domain},
            "roles": [{"id": "service", "name": "service"}],
            "issued_at": f"{now:%Y-%m-%dT%H:%M:%S.%fZ}",
            "expires_at": f"{now + timedelta(hours=1):%Y-%m-%dT%H:%M:%S.%fZ}",
            "catalog": [{"type": self.service_type, "name": self.service_type, "endpoints": endpoints}],
        }


def _is_known(login: Mapping[str, Any]) -> bool:
    if "application_credential" in login:
        credential = login["application_credential"]
        return (credential["id"], credential["secret"]) == ("agent-1", SECRET)
    user = login["password"]["user"]
    return (user["name"], user["password"]) == ("agent", PASSWORD)


def _answer(start_response: StartResponse, status: str, content: object, *headers: tuple[str, str]) -> Iterable[bytes]:
    start_response(status, [("Content-Type", "application/json"), *headers])
    return [json.dumps(content).encode()]

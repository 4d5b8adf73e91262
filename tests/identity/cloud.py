"""A cloud for tests: the Identity API as an application, its administrator, and clocks that are turned by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import httpx
from oslo_config import cfg

from moorage.db.database import Database, utc_now
from moorage.identity.passwords import Cost, Hasher
from moorage.service.credentials import ensure_password, ensure_token, password_file
from moorage.service.identity_service import Means, identity_application
from moorage.service.settings import token_file

ADDRESS = "http://cloud.example.org"
CHEAP = Hasher(Cost(ln=1, r=1, p=1))
DEFAULT = {"id": "default"}


@dataclass
class Clock:
    """Both clocks of the service, which go only when told."""

    time: datetime = field(default_factory=utc_now)
    seconds: float = 1000.0

    def now(self) -> datetime:
        return self.time

    def monotonic(self) -> float:
        return self.seconds

    def pass_by(self, **much: float) -> None:
        self.time += timedelta(**much)
        self.seconds += timedelta(**much).total_seconds()


class Cloud:
    """Requests to the Identity API; without a token of their own, they are the administrator's."""

    def __init__(self, settings: cfg.ConfigOpts, database: Database, hasher: Hasher = CHEAP) -> None:
        self.settings, self.database, self.clock = settings, database, Clock()
        self.admin_token = ensure_token(token_file(settings))
        means = Means(hasher, self.clock.now, self.clock.monotonic)
        application = identity_application(settings, database, means=means)
        transport = httpx.WSGITransport(app=application, script_name="/identity")
        self.client = httpx.Client(transport=transport, base_url=ADDRESS)

    @property
    def admin_password(self) -> str:
        return ensure_password(password_file(token_file(self.settings)))[0]

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        token: str | None = "",
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """A request; `token` may also be None, for nobody's."""
        sent = dict(headers or {})
        if token is not None:
            sent["X-Auth-Token"] = token or self.admin_token
        return self.client.request(method, path, json=body, headers=sent)

    def get(self, path: str, token: str | None = "") -> Any:
        return self._succeed("GET", path, None, token)

    def post(self, path: str, body: object, token: str | None = "") -> Any:
        return self._succeed("POST", path, body, token)

    def patch(self, path: str, body: object) -> Any:
        return self._succeed("PATCH", path, body, "")

    def put(self, path: str) -> None:
        self._succeed("PUT", path, None, "")

    def delete(self, path: str, token: str | None = "") -> None:
        self._succeed("DELETE", path, None, token)

    def _succeed(self, method: str, path: str, body: object, token: str | None) -> Any:
        answer = self.send(method, path, body, token)
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    # --- people

    def project(self, name: str, **attributes: object) -> str:
        """A new project, by its id."""
        made: str = self.post("/v3/projects", {"project": {"name": name, **attributes}})["project"]["id"]
        return made

    def user(self, name: str, password: str | None = "secret", **attributes: object) -> str:
        """A new user, by their id."""
        body = {"user": {"name": name, "password": password, **attributes}}
        made: str = self.post("/v3/users", body)["user"]["id"]
        return made

    def grant(self, user_id: str, project_id: str, role: str = "member") -> None:
        self.put(f"/v3/projects/{project_id}/users/{user_id}/roles/{role}")

    def member(self, name: str = "mary", project: str = "astronomy", role: str = "member") -> tuple[str, str]:
        """A new user with a role in a new project: both ids."""
        user_id, project_id = self.user(name), self.project(project)
        self.grant(user_id, project_id, role)
        return user_id, project_id

    # --- tokens

    def log_in(self, identity: Mapping[str, object], scope: object = None) -> httpx.Response:
        auth = {"identity": identity} | ({"scope": scope} if scope is not None else {})
        return self.send("POST", "/v3/auth/tokens", {"auth": auth}, token=None)

    def with_password(self, user: object, password: str = "secret", scope: object = None) -> httpx.Response:
        """An attempt to log in; a user is their id, or what the API takes to name one."""
        named = {"id": user} if isinstance(user, str) else dict(user)  # type: ignore[call-overload]
        identity = {"methods": ["password"], "password": {"user": {**named, "password": password}}}
        return self.log_in(identity, scope)

    def with_token(self, token: str, scope: object = None) -> httpx.Response:
        return self.log_in({"methods": ["token"], "token": {"id": token}}, scope)

    def with_credential(self, credential_id: str, secret: str, scope: object = None) -> httpx.Response:
        proof = {"id": credential_id, "secret": secret}
        return self.log_in({"methods": ["application_credential"], "application_credential": proof}, scope)

    def token(self, user_id: str, project_id: str | None = None, password: str = "secret") -> str:
        """A token for a project, or for nothing."""
        scope = "unscoped" if project_id is None else {"project": {"id": project_id}}
        return text_of(self.with_password(user_id, password, scope))

    def is_good(self, token: str) -> bool:
        """Whether a token is still taken."""
        answer = self.send("GET", "/v3/auth/tokens", token=token, headers={"X-Subject-Token": token})
        assert answer.status_code in (200, 401), answer.text
        return answer.status_code == 200


def text_of(answer: httpx.Response) -> str:
    """The token that an answer brings."""
    assert answer.status_code == 201, answer.text
    return answer.headers["X-Subject-Token"]


def named(name: str) -> dict[str, object]:
    """Something of the one domain, by name."""
    return {"name": name, "domain": DEFAULT}

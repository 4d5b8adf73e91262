"""A client for tests: speaks WSGI to the application itself, so that it can also send what no HTTP library would."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlencode
from uuid import uuid4
from wsgiref.types import WSGIApplication

NEWEST = "1.39"
SHARING = "MISC_SHARES_VIA_AGGREGATE"
PROJECT, USER = "project", "user"

# Values by parameter; a list repeats the parameter.
Query = Mapping[str, object] | None
# Amounts by resource class, by provider.
Amounts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    @property
    def detail(self) -> str:
        """What an error says."""
        detail: str = self.json["errors"][0]["detail"]
        return detail


class Refused(AssertionError):
    """A request that was expected to succeed did not."""


@dataclass(frozen=True)
class Api:
    """The Placement API as an administrator and service uses it, at one microversion."""

    application: WSGIApplication
    version: str = NEWEST

    def at(self, version: str) -> Api:
        return Api(self.application, version)

    def send(self, method: str, path: str, body: object = None, query: Query = None) -> Reply:
        """A request with a body in JSON, or none."""
        content = b"" if body is None else json.dumps(body).encode()
        return self.send_raw(
            method,
            quote(path),
            content,
            query_string=urlencode(query or {}, doseq=True),
            headers={"content-type": "application/json"} if content else {},
        )

    def send_raw(
        self, method: str, path: str, body: bytes, *, query_string: str = "", headers: Mapping[str, str] | None = None
    ) -> Reply:
        """A request as it is, however malformed; the path may be percent-encoded."""
        sent = {
            "x-auth-token": "admin",
            "x-roles": "admin,service",
            "openstack-api-version": f"placement {self.version}",
            **(headers or {}),
        }
        return _call(self.application, _environ(method, path, query_string, sent, body))

    def get(self, path: str, query: Query = None) -> Any:
        """What a request for something that is there answers."""
        return self._succeed("GET", path, query=query).json

    def put(self, path: str, body: object = None) -> Any:
        reply = self._succeed("PUT", path, body)
        return reply.json if reply.content else None

    def post(self, path: str, body: object) -> Any:
        reply = self._succeed("POST", path, body)
        return reply.json if reply.content else None

    def delete(self, path: str) -> None:
        self._succeed("DELETE", path)

    def _succeed(self, method: str, path: str, body: object = None, query: Query = None) -> Reply:
        reply = self.send(method, path, body, query)
        if reply.status >= 300:
            raise Refused(f"{method} {path} at {self.version}: {reply.status} {reply.content.decode()}")
        return reply

    # --- making a cloud

    def create_provider(
        self,
        name: str,
        inventories: Mapping[str, int | Mapping[str, float]] | None = None,
        *,
        parent: str | None = None,
        traits: tuple[str, ...] = (),
        aggregates: tuple[str, ...] = (),
    ) -> str:
        """A provider with all it has, by its UUID. An inventory is its total, or all its fields."""
        newest = self.at(NEWEST)
        uuid = str(uuid4())
        path = f"/resource_providers/{uuid}"
        newest.post("/resource_providers", {"name": name, "uuid": uuid, "parent_provider_uuid": parent})
        fields = {
            resource_class: {"total": fields} if isinstance(fields, int) else fields
            for resource_class, fields in (inventories or {}).items()
        }
        for kind, wanted in (("resource_classes", fields), ("traits", traits)):
            for custom in (item for item in wanted if item.startswith("CUSTOM_")):
                newest.put(f"/{kind}/{custom}")
        generation = 0
        for kind, content in (("inventories", fields), ("traits", traits), ("aggregates", aggregates)):
            if content:
                answer = newest.put(f"{path}/{kind}", {kind: content, "resource_provider_generation": generation})
                generation = answer["resource_provider_generation"]
        return uuid

    def allocate(self, amounts: Amounts, consumer: str | None = None, generation: int | None = None) -> str:
        """A consumer that holds these amounts, by its UUID."""
        uuid = consumer or str(uuid4())
        self.at(NEWEST).put(f"/allocations/{uuid}", allocation_body(amounts, generation))
        return uuid


def allocation_body(amounts: Amounts, generation: int | None = None) -> dict[str, object]:
    """What PUT /allocations/{consumer} takes at the newest version."""
    return {
        "allocations": {uuid: {"resources": resources} for uuid, resources in amounts.items()},
        "consumer_generation": generation,
        "consumer_type": "INSTANCE",
        "project_id": PROJECT,
        "user_id": USER,
    }


# --- WSGI


@dataclass
class _Started:
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)


def _environ(method: str, path: str, query_string: str, headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query_string,
        "SERVER_NAME": "placement.example.com",
        "SERVER_PORT": "8778",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in headers.items():
        variable = name.upper().replace("-", "_")
        environ[variable if variable in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{variable}"] = value
    return environ


def _call(application: WSGIApplication, environ: dict[str, Any]) -> Reply:
    started = _Started()

    def start_response(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
        started.status = int(status.partition(" ")[0])
        started.headers = {name.lower(): value for name, value in headers}

    parts = application(environ, start_response)
    try:
        content = b"".join(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    return Reply(started.status, started.headers, content)

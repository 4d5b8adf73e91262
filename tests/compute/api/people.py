"""People who use a small cloud: they speak HTTP to the applications themselves, each with a project and roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4
from wsgiref.types import WSGIApplication

import httpx

from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient
from moorage.placement.model.inventory import Inventory

NEWEST = "2.96"


class Refused(AssertionError):
    """A request that was expected to succeed did not."""


@dataclass(frozen=True)
class Person:
    """Somebody with a credential, at one of the APIs and one microversion."""

    application: WSGIApplication
    token: str
    roles: str
    service: str = "compute"
    version: str = NEWEST

    def at(self, version: str) -> Person:
        return Person(self.application, self.token, self.roles, self.service, version)

    def send(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None, **query: Any
    ) -> httpx.Response:
        base = {"compute": "/compute/v2.1", "image": "/image/v2"}[self.service]
        sent = {
            "X-Auth-Token": self.token,
            "X-Roles": self.roles,
            "OpenStack-API-Version": f"compute {self.version}",
            **(headers or {}),
        }
        transport = httpx.WSGITransport(app=self.application)
        with httpx.Client(transport=transport, base_url="http://cloud") as client:
            return client.request(method, f"{base}{path}", json=body, params=query or None, headers=sent)

    def get(self, path: str, **query: Any) -> Any:
        return self._succeed("GET", path, **query)

    def post(self, path: str, body: object) -> Any:
        return self._succeed("POST", path, body)

    def put(self, path: str, body: object = None) -> Any:
        return self._succeed("PUT", path, body)

    def delete(self, path: str) -> None:
        self._succeed("DELETE", path)

    def refused(self, method: str, path: str, body: object = None, **query: Any) -> tuple[int, str]:
        """The status and the words of a request that fails."""
        answer = self.send(method, path, body, **query)
        assert answer.status_code >= 400, answer.text
        [content] = answer.json().values()
        assert content["code"] == answer.status_code
        return answer.status_code, content["message"]

    def status(self, method: str, path: str, body: object = None, **query: Any) -> int:
        return self.send(method, path, body, **query).status_code

    def _succeed(self, method: str, path: str, body: object = None, **query: Any) -> Any:
        answer = self.send(method, path, body, **query)
        if answer.status_code >= 300:
            raise Refused(f"{method} {path} at {self.version}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None


@dataclass(frozen=True)
class Cloud:
    """A cloud with an administrator and two projects that know nothing of each other."""

    application: WSGIApplication
    # Called by compute, too; a test may put something in its way.
    placement_application: WSGIApplication

    @property
    def admin(self) -> Person:
        return Person(self.application, "admin:operations", "admin,member,reader")

    @property
    def tycho(self) -> Person:
        return Person(self.application, "tycho:astronomy", "member,reader")

    @property
    def maria(self) -> Person:
        return Person(self.application, "maria:botany", "member,reader")

    @property
    def placement(self) -> PlacementClient:
        return PlacementClient(WsgiTransport(self.placement_application, {"x-auth-token": "admin"}))

    def add_host(self, name: str, *, disabled: bool = False, vcpus: int = 8) -> str:
        """A compute host as an agent reports one; its UUID."""
        placement, uuid = self.placement, str(uuid4())
        placement.create_provider(uuid, name)
        generation = placement.put_inventories(
            uuid,
            {
                "VCPU": Inventory(total=vcpus),
                "MEMORY_MB": Inventory(total=16384, reserved=512),
                "DISK_GB": Inventory(total=100),
            },
            0,
        )
        placement.put_traits(uuid, ["COMPUTE_NODE", *(["COMPUTE_STATUS_DISABLED"] if disabled else [])], generation)
        return uuid

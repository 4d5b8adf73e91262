"""A small cloud for tests of servers: hosts in a Placement, and the compute API beside it, spoken to in JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient
from moorage.client.transport import Transport
from moorage.compute.api import policies
from moorage.compute.api.application import compute_api
from moorage.compute.api.routes import ROUTES
from moorage.compute.context import Compute
from moorage.compute.model.image import Image
from moorage.compute.store import images
from moorage.db.database import Database
from moorage.placement.model.inventory import Inventory
from moorage.service.application import placement_application
from moorage.service.authentication import authenticated
from moorage.service.policy import Guard
from moorage.service.settings import load_settings

NEWEST = "2.96"
PROJECT = "harbour"
UNLIMITED = {"quota.instances": -1, "quota.cores": -1, "quota.ram": -1}

ADMIN = {"x-auth-token": f"root:{PROJECT}", "x-roles": "admin,member,reader"}
MEMBER = {"x-auth-token": f"mate:{PROJECT}", "x-roles": "member,reader"}
READER = {"x-auth-token": f"visitor:{PROJECT}", "x-roles": "reader"}
STRANGER = {"x-auth-token": "pirate:tortuga", "x-roles": "member,reader"}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> str:
        """What an error says, whatever its kind."""
        [error] = self.json.values()
        assert error["code"] == self.status
        text: str = error["message"]
        return text


@dataclass(frozen=True)
class Yard:
    """The compute API as somebody uses it, and the Placement behind it."""

    transport: Transport
    compute: Compute
    caller: Mapping[str, str]
    version: str = NEWEST

    @property
    def placement(self) -> PlacementClient:
        return self.compute.placement

    def by(self, caller: Mapping[str, str]) -> Yard:
        """The same for somebody else."""
        return replace(self, caller=caller)

    def at(self, version: str) -> Yard:
        """The same at another microversion."""
        return replace(self, version=version)

    # --- requests

    def send(self, method: str, path: str, body: object = None, **query: object) -> Reply:
        headers = {**self.caller, "openstack-api-version": f"compute {self.version}"}
        pairs = [(name.replace("__", "-"), str(value)) for name, value in query.items()]
        answer = self.transport.send(method, f"/v2.1{path}", query=pairs, content=body, headers=headers)
        return Reply(answer.status, answer.headers, answer.body)

    def get(self, path: str, **query: object) -> Any:
        reply = self.send("GET", path, **query)
        assert reply.status == 200, reply.body
        return reply.json

    def follow(self, link: str) -> Any:
        """What a link to the next page leads to."""
        path, _, query = link.partition("?")
        headers = {**self.caller, "openstack-api-version": f"compute {self.version}"}
        answer = self.transport.send("GET", path[path.index("/v2.1") :], query=parse_qsl(query), headers=headers)
        return answer.json()

    def refused(self, status: int, method: str, path: str, body: object = None, **query: object) -> str:
        """The words of a refusal."""
        reply = self.send(method, path, body, **query)
        assert reply.status == status, reply.body
        return reply.message

    # --- what there is

    def host(
        self,
        name: str,
        resources: Mapping[str, int] | None = None,
        traits: Iterable[str] = (),
        parent: str | None = None,
    ) -> str:
        """A compute host, or with a parent a part of one; its UUID."""
        offered = {"VCPU": 8, "MEMORY_MB": 8192, "DISK_GB": 100} if resources is None else resources
        uuid, named = str(uuid4()), {*traits, *(() if parent else ("COMPUTE_NODE",))}
        self.placement.ensure_traits(named)
        self.placement.ensure_resource_classes(offered)
        made = self.placement.create_provider(uuid, name, parent)
        stocks = {resource: Inventory(total, max_unit=total) for resource, total in offered.items()}
        generation = self.placement.put_inventories(uuid, stocks, made.generation)
        self.placement.put_traits(uuid, named, generation)
        return uuid

    def flavor(
        self, name: str, extra_specs: Mapping[str, str] | None = None, *, public: bool = True, **sizes: object
    ) -> str:
        access = {"os-flavor-access:is_public": public}
        body = {"name": name, "ram": 1024, "vcpus": 1, "disk": 10, **access, **sizes}
        reply = self.by(ADMIN).send("POST", "/flavors", {"flavor": body})
        assert reply.status == 200, reply.body
        flavor_id: str = reply.json["flavor"]["id"]
        if extra_specs:
            reply = self.by(ADMIN).send(
                "POST", f"/flavors/{flavor_id}/os-extra_specs", {"extra_specs": dict(extra_specs)}
            )
            assert reply.status == 200, reply.body
        return flavor_id

    def image(self, name: str, properties: Mapping[str, str] | None = None, **more: Any) -> str:
        """An image, which the image API would make; here it is put where that puts it."""
        image = Image(
            uuid=str(uuid4()),
            name=name,
            owner=PROJECT,
            created_at=datetime(2026, 1, 1),  # noqa: DTZ001 - as the tables keep it
            updated_at=datetime(2026, 1, 1),  # noqa: DTZ001
            properties=properties or {},
            **more,
        )
        self.compute.write(images.create, image)
        return image.uuid

    def aggregate(self, name: str, metadata: Mapping[str, str], *hosts: str) -> int:
        admin = self.by(ADMIN)
        number: int = admin.send("POST", "/os-aggregates", {"aggregate": {"name": name}}).json["aggregate"]["id"]
        actions = [{"set_metadata": {"metadata": dict(metadata)}}, *({"add_host": {"host": host}} for host in hosts)]
        for action in actions:
            reply = admin.send("POST", f"/os-aggregates/{number}/action", action)
            assert reply.status == 200, reply.body
        return number

    # --- servers

    def order(self, flavor: str, image: str = "", hints: Mapping[str, object] | None = None, **more: object) -> Reply:
        body = {"name": "barge", "flavorRef": flavor, "imageRef": image, "networks": "none", **more}
        content: dict[str, object] = {"server": body}
        if hints:
            content["os:scheduler_hints"] = dict(hints)
        return self.send("POST", "/servers", content)

    def server(self, flavor: str, image: str = "", hints: Mapping[str, object] | None = None, **more: object) -> str:
        """A new server, whatever becomes of it."""
        reply = self.order(flavor, image, hints, **more)
        assert reply.status == 202, reply.body
        uuid: str = reply.json["server"]["id"]
        return uuid

    def shown(self, uuid: str) -> Any:
        """A server as an administrator sees it."""
        return self.by(ADMIN).get(f"/servers/{uuid}")["server"]

    def act(self, uuid: str, action: str, content: object = None) -> Reply:
        return self.send("POST", f"/servers/{uuid}/action", {action: content})

    def place_of(self, uuid: str) -> str | None:
        host: str | None = self.shown(uuid)["OS-EXT-SRV-ATTR:host"]
        return host

    def held(self, consumer: str) -> dict[str, dict[str, int]]:
        """What a consumer holds, by provider."""
        held = self.placement.allocations(consumer)
        return {} if held is None else {uuid: dict(amounts) for uuid, amounts in held.allocations.items()}

    def servers(self, **query: object) -> list[str]:
        """The names of the servers in a list."""
        return [server["name"] for server in self.get("/servers", **query)["servers"]]


def open_yard(
    database: Database, placement: PlacementClient | None = None, settings: Mapping[str, object] | None = None
) -> Yard:
    """The compute API over a database, with a Placement of its own unless another is given."""
    loaded = load_settings({"api.auth_strategy": "noauth2", **UNLIMITED, **(settings or {})}, config_files=[])
    if placement is None:
        application = placement_application(loaded, database)
        headers = {"x-auth-token": "admin", "x-roles": "admin,service"}
        placement = PlacementClient(WsgiTransport(application, headers))
    guard = Guard(loaded, policies.rules(ROUTES))
    compute = Compute(database, placement, loaded, guard.allows)
    api = authenticated(compute_api(compute, 1_000_000), loaded, database)
    return Yard(WsgiTransport(api), compute, MEMBER)

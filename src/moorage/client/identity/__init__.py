"""The client for an Identity service, a Keystone, over any transport: who there is, and what the catalog lists.

The endpoint is the one of the version: `…/v3`. A method returns values or raises one of `moorage.client.errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, convert

from moorage.client.calls import Calls, Pairs, path_of
from moorage.client.errors import ClientError, NotFound
from moorage.client.transport import Transport

__all__ = ["Endpoint", "IdentityClient", "Named", "Service"]


class Named(Struct, frozen=True):
    """A project, a user or a role."""

    id: str
    name: str = ""


class Service(Struct, frozen=True):
    """A service of the catalog; clients do not see one that is not enabled."""

    id: str
    enabled: bool = True


class Endpoint(Struct, frozen=True):
    """An entry of the catalog: where a service is; clients do not see one that is not enabled."""

    id: str
    interface: str
    url: str
    enabled: bool = True


class IdentityClient:
    """What Moorage asks a Keystone for, as an administrator of the cloud."""

    def __init__(self, transport: Transport) -> None:
        self._calls = Calls(transport)

    def project(self, name: str, domain_id: str) -> Named | None:
        """The project of this name in a domain, if there is one."""
        return self._found("projects", [("name", name), ("domain_id", domain_id)])

    def projects_named(self, name: str) -> list[Named]:
        """The projects of this name, in all domains."""
        return [_named(entry) for entry in self._listed("projects", [("name", name)])]

    def users_named(self, name: str) -> list[Named]:
        """The users of this name, in all domains."""
        return [_named(entry) for entry in self._listed("users", [("name", name)])]

    def create_project(self, name: str, domain_id: str) -> Named:
        """A new project."""
        return self._made("project", {"name": name, "domain_id": domain_id})

    def user(self, name: str, domain_id: str) -> Named | None:
        """The user of this name in a domain, if there is one."""
        return self._found("users", [("name", name), ("domain_id", domain_id)])

    def create_user(self, name: str, domain_id: str, password: str) -> Named:
        """A new user, without any role."""
        return self._made("user", {"name": name, "domain_id": domain_id, "password": password})

    def set_password(self, user_id: str, password: str) -> None:
        """Replace the password of a user."""
        self._calls.send("PATCH", path_of("users", user_id), content={"user": {"password": password}})

    def role(self, name: str) -> Named | None:
        """The role of this name, if there is one."""
        return self._found("roles", [("name", name)])

    def has_role(self, project_id: str, user_id: str, role_id: str) -> bool:
        """Whether a user has been granted a role in a project."""
        try:
            self._calls.send("HEAD", _grant(project_id, user_id, role_id))
        except NotFound:
            return False
        return True

    def grant_role(self, project_id: str, user_id: str, role_id: str) -> None:
        """Give a user a role in a project; nothing changes if it is there."""
        self._calls.send("PUT", _grant(project_id, user_id, role_id))

    def has_region(self, region_id: str) -> bool:
        """Whether there is a region."""
        try:
            self._calls.send("GET", path_of("regions", region_id))
        except NotFound:
            return False
        return True

    def create_region(self, region_id: str) -> None:
        """A new region."""
        self._made("region", {"id": region_id})

    def services(self, service_type: str) -> list[Service]:
        """The services of a type."""
        return [convert(entry, Service) for entry in self._listed("services", [("type", service_type)])]

    def create_service(self, service_type: str, name: str, description: str) -> Service:
        """A new service, without any address."""
        return Service(self._made("service", {"type": service_type, "name": name, "description": description}).id)

    def endpoints(self, service_id: str, region_id: str) -> list[Endpoint]:
        """The addresses of a service in one region, on all interfaces."""
        query = [("service_id", service_id), ("region_id", region_id)]
        return [convert(entry, Endpoint) for entry in self._listed("endpoints", query)]

    def create_endpoint(self, service_id: str, interface: str, region_id: str, url: str) -> None:
        """A new address of a service."""
        content = {"service_id": service_id, "interface": interface, "region_id": region_id, "url": url}
        self._made("endpoint", content)

    def move_endpoint(self, endpoint_id: str, url: str) -> None:
        """Give an entry of the catalog another address."""
        self._calls.send("PATCH", path_of("endpoints", endpoint_id), content={"endpoint": {"url": url}})

    def _listed(self, kind: str, query: Pairs) -> list[dict[str, Any]]:
        answer = self._calls.read(dict[str, Any], path_of(kind), query)
        if kind not in answer:
            raise ClientError(f"GET /{kind} was answered without any {kind}. Is the endpoint the right one?")
        found: list[dict[str, Any]] = answer[kind]
        return found

    def _found(self, kind: str, query: Pairs) -> Named | None:
        found = self._listed(kind, query)
        return _named(found[0]) if found else None

    def _made(self, kind: str, content: Mapping[str, str]) -> Named:
        return _named(self._calls.ask(dict[str, Any], "POST", f"/{kind}s", content={kind: dict(content)})[kind])


def _grant(project_id: str, user_id: str, role_id: str) -> str:
    return path_of("projects", project_id, "users", user_id, "roles", role_id)


def _named(entry: Mapping[str, Any]) -> Named:
    # A service need not have a name, and a region has none.
    return Named(entry["id"], entry.get("name") or "")

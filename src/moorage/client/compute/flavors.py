"""Flavors: sizes of servers, what more they ask for, and who may use those that are not for everybody."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from msgspec import Struct

from moorage.client.calls import Calls, Pairs, path_of
from moorage.client.compute.values import Flavor
from moorage.client.errors import NotFound
from moorage.client.pages import all_pages


class FlavorCalls:
    """The part of the client that is about flavors."""

    _calls: Calls

    def flavors(self) -> tuple[Flavor, ...]:
        """All flavors, also those that are not for everybody, with their extra specs, in the order of the service."""
        return all_pages(self._calls, Flavor, "/flavors/detail", "flavors", [("is_public", "None")])

    def flavor(self, flavor_id: str) -> Flavor | None:
        """The flavor with this id, if there is one."""
        try:
            return self._calls.read(_OneFlavor, _path(flavor_id)).flavor
        except NotFound:
            return None

    def placement_query(
        self, flavor_id: str, image_id: str | None = None, availability_zone: str | None = None
    ) -> Pairs | None:
        """What a server would ask Placement for; None where that is not told: anywhere but in Moorage."""
        given = (("flavor", flavor_id), ("image", image_id), ("availability_zone", availability_zone))
        query = [(name, value) for name, value in given if value]
        try:
            told = self._calls.read(_PlacementQuery, "/moorage/placement-query", query)
        except NotFound:
            # Also a proxy answers so while the service is away.
            self._calls.read(_OneFlavor, _path(flavor_id))
            return None
        return parse_qsl(told.query)

    def create_flavor(
        self,
        flavor_id: str,
        name: str,
        *,
        vcpus: int,
        ram_mb: int,
        disk_gb: int,
        ephemeral_gb: int = 0,
        swap_mb: int = 0,
        is_public: bool = True,
        description: str | None = None,
    ) -> Flavor:
        """A new flavor without extra specs; Conflict if the id or the name is taken."""
        content = {
            "id": flavor_id,
            "name": name,
            "vcpus": vcpus,
            "ram": ram_mb,
            "disk": disk_gb,
            "OS-FLV-EXT-DATA:ephemeral": ephemeral_gb,
            "swap": swap_mb,
            "os-flavor-access:is_public": is_public,
            "description": description,
        }
        return self._calls.ask(_OneFlavor, "POST", "/flavors", content={"flavor": content}).flavor

    def delete_flavor(self, flavor_id: str) -> None:
        """Remove a flavor; servers of it keep theirs."""
        self._calls.send("DELETE", _path(flavor_id))

    def set_extra_specs(self, flavor_id: str, extra_specs: Mapping[str, str]) -> None:
        """Add extra specs to those that a flavor has; others stay."""
        content = {"extra_specs": dict(extra_specs)}
        self._calls.send("POST", _path(flavor_id, "os-extra_specs"), content=content)

    def unset_extra_spec(self, flavor_id: str, key: str) -> None:
        """Remove one extra spec; NotFound if the flavor does not have it."""
        self._calls.send("DELETE", _path(flavor_id, "os-extra_specs", key))

    def flavor_projects(self, flavor_id: str) -> frozenset[str]:
        """The projects that may use a flavor that is not for everybody; NotFound for one that is."""
        granted = self._calls.read(_Access, _path(flavor_id, "os-flavor-access")).flavor_access
        return frozenset(access.tenant_id for access in granted)

    def grant_flavor(self, flavor_id: str, project_id: str) -> None:
        """Let a project use a flavor; Conflict if it may already."""
        self._calls.send("POST", _path(flavor_id, "action"), content={"addTenantAccess": {"tenant": project_id}})

    def revoke_flavor(self, flavor_id: str, project_id: str) -> None:
        """Let a project no longer use a flavor; NotFound if it may not."""
        self._calls.send("POST", _path(flavor_id, "action"), content={"removeTenantAccess": {"tenant": project_id}})


def _path(flavor_id: str, *more: str) -> str:
    return path_of("flavors", flavor_id, *more)


# --- how the API words it


class _OneFlavor(Struct, frozen=True):
    flavor: Flavor


class _PlacementQuery(Struct, frozen=True):
    query: str


class _Granted(Struct, frozen=True):
    tenant_id: str


class _Access(Struct, frozen=True):
    flavor_access: tuple[_Granted, ...]

"""Servers, what is attached to them, and the groups that they are in."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from moorage.client.calls import Calls, path_of
from moorage.client.compute.values import EVERY_SERVER, Reference, Server, ServerFilter, ServerGroup, VolumeAttachment
from moorage.client.errors import NotFound
from moorage.client.pages import all_pages

_GROUPS_AT_ONCE = 1000

_T = TypeVar("_T")


class ServerCalls:
    """The part of the client that is about servers."""

    _calls: Calls

    def servers(self, which: ServerFilter = EVERY_SERVER) -> tuple[Server, ...]:
        """All servers of all projects that meet the conditions."""
        return all_pages(self._calls, Server, "/servers/detail", "servers", which.pairs())

    def servers_as(self, into: type[_T], which: ServerFilter = EVERY_SERVER) -> tuple[_T, ...]:
        """The same, as values of another kind, for those who look at other fields."""
        return all_pages(self._calls, into, "/servers/detail", "servers", which.pairs())

    def server(self, server_id: str) -> Server | None:
        """The server with this id, if there is one."""
        try:
            return self._calls.read(_OneServer, path_of("servers", server_id)).server
        except NotFound:
            return None

    def create_server(self, name: str, flavor_id: str, image_id: str, *, availability_zone: str | None = None) -> str:
        """Have a server made without networks, which takes its time; its id."""
        content = {"name": name, "flavorRef": flavor_id, "imageRef": image_id, "networks": "none"}
        if availability_zone is not None:
            content["availability_zone"] = availability_zone
        return self._calls.ask(_NewServer, "POST", "/servers", content={"server": content}).server.id

    def delete_server(self, server_id: str) -> None:
        """Have a server deleted, which takes its time; NotFound if it is gone."""
        self._calls.send("DELETE", path_of("servers", server_id))

    def force_delete_server(self, server_id: str) -> None:
        """Have a server deleted for good that the service would otherwise keep for a while."""
        self._calls.send("POST", path_of("servers", server_id, "action"), content={"forceDelete": None})

    def create_image(self, server_id: str, name: str) -> None:
        """Have a snapshot of a server made, which takes its time."""
        content = {"createImage": {"name": name}}
        self._calls.send("POST", path_of("servers", server_id, "action"), content=content)

    def volume_attachments(self, server_id: str) -> tuple[VolumeAttachment, ...]:
        """The volumes of a server and the devices that they are; a Moorage knows of none, and answers NotFound."""
        path = path_of("servers", server_id, "os-volume_attachments")
        return self._calls.read(_Attachments, path).attachments

    def server_groups(self) -> tuple[ServerGroup, ...]:
        """The server groups of all projects."""
        # Here pages are told by their offset, and nothing says where the list ends but a page without other groups.
        # They overlap, so that groups which are deleted meanwhile don't move others out of sight.
        found: dict[str, ServerGroup] = {}
        calls, offset = self._calls.at("compute 2.64"), 0
        while True:
            query = [("all_projects", "True"), ("limit", str(_GROUPS_AT_ONCE)), ("offset", str(offset))]
            page = calls.read(_Groups, "/os-server-groups", query).server_groups
            if all(group.id in found for group in page):
                return tuple(found.values())
            found |= {group.id: group for group in page}
            offset += max(1, len(page) * 9 // 10)


# --- how the API words it


class _NewServer(Struct, frozen=True):
    server: Reference


class _OneServer(Struct, frozen=True):
    server: Server


class _Attachments(Struct, frozen=True, rename={"attachments": "volumeAttachments"}):
    attachments: tuple[VolumeAttachment, ...]


class _Groups(Struct, frozen=True):
    server_groups: tuple[ServerGroup, ...]

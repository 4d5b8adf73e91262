"""Finds out which operating systems servers run, by looking at their images or boot volumes, and remembers it a while.

What is remembered of an image goes by the image, what is remembered of a boot volume goes by the server as of its last
change: a server that was rebuilt is looked at again. What could not be looked at is not remembered.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from moorage.capacity.reading.services import Services
from moorage.capacity.usage import os_type
from moorage.capacity.usage.os_type import Attachment
from moorage.capacity.usage.server import ProjectServer
from moorage.client.at_once import ask_at_once
from moorage.client.errors import ClientError

# An image may get other tags, or be deleted.
REMEMBERED_SECONDS = 3600.0
_MOST = 100_000
_ERRORS = {os_type.IMAGE_INSPECT_ERROR, os_type.ROOT_DISK_INSPECT_ERROR}

# ("image", its id, "") or ("volume", the server's id, when the server changed last)
_Key = tuple[str, str, str]


class OsTypes:
    """May be used by several threads at once."""

    def __init__(self, services: Services, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._monotonic = monotonic
        self._lock = threading.Lock()
        # What was found, and when to forget it; the oldest first.
        self._known: OrderedDict[_Key, tuple[str, float]] = OrderedDict()

    def of_servers(self, servers: Iterable[ProjectServer]) -> dict[str, str]:
        """The operating system of each server, by the server's id."""
        keys = {server.id: _key(server) for server in servers}
        wanted = {key for key in keys.values() if key is not None}
        with self._lock:
            found = {key: self._known[key][0] for key in wanted if self._is_known(key)}
        looked_at = ask_at_once(self._look, sorted(wanted - found.keys()))
        with self._lock:
            for key, value in looked_at.items():
                if value not in _ERRORS:
                    self._remember(key, value)
        found |= looked_at
        return {server_id: os_type.IMAGE_UNKNOWN if key is None else found[key] for server_id, key in keys.items()}

    def _is_known(self, key: _Key) -> bool:
        return key in self._known and self._monotonic() < self._known[key][1]

    def _remember(self, key: _Key, value: str) -> None:
        self._known.pop(key, None)
        self._known[key] = (value, self._monotonic() + REMEMBERED_SECONDS)
        if len(self._known) > _MOST:
            self._known.popitem(last=False)

    def _look(self, key: _Key) -> str:
        kind, identifier, _ = key
        return self._of_image(identifier) if kind == "image" else self._of_boot_volume(identifier)

    def _of_image(self, image_id: str) -> str:
        try:
            image = self._services.image.document(image_id)
        except ClientError:
            return os_type.IMAGE_INSPECT_ERROR
        return os_type.IMAGE_DELETED if image is None else os_type.of_image(image)

    def _of_boot_volume(self, server_id: str) -> str:
        try:
            listed = self._services.compute.volume_attachments(server_id)
            boot = os_type.boot_volume([Attachment(each.device or "", each.volume_id or "") for each in listed])
            if boot is None:
                return os_type.ROOT_DISK_INSPECT_ERROR
            if not boot.volume_id:
                return os_type.ROOT_DISK_MISSING
            volume = self._services.volume.volume(boot.volume_id)
        except ClientError:
            return os_type.ROOT_DISK_INSPECT_ERROR
        return os_type.ROOT_DISK_INSPECT_ERROR if volume is None else os_type.of_volume(volume.image_metadata)


def _key(server: ProjectServer) -> _Key | None:
    """By what it is remembered what a server runs; None if there is nothing to look at."""
    if not server.has_image:
        return ("volume", server.id, server.updated)
    return None if server.image_id is None else ("image", server.image_id, "")

"""The client for a volume service, a Cinder, over any transport; read only.

The endpoint is the one of the version: `…/v3`, with or without a project behind. A method returns values or raises one
of `moorage.client.errors`. It may be used by several threads at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from moorage.client.calls import Calls, path_of
from moorage.client.errors import NotFound
from moorage.client.transport import Transport

__all__ = ["Volume", "VolumeClient"]


class Volume(Struct, frozen=True):
    """A volume; one that was made from an image has kept the image's properties."""

    id: str
    status: str
    size_gb: int = field(name="size")
    name: str | None = None
    image_metadata: Mapping[str, str] = field(name="volume_image_metadata", default={})


class VolumeClient:
    """What rooms of Moorage ask a volume service for."""

    def __init__(self, transport: Transport) -> None:
        # Without a project in the address, which came with 3.67, older services answer all the same where there is one.
        self._calls = Calls(transport, "volume 3.0")

    def volume(self, volume_id: str) -> Volume | None:
        """The volume with this id, if there is one."""
        try:
            return self._calls.read(_OneVolume, path_of("volumes", volume_id)).volume
        except NotFound:
            return None


# --- how the API words it


class _OneVolume(Struct, frozen=True):
    volume: Volume

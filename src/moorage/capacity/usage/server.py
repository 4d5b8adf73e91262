"""A server of a project, as Nova lists it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from moorage.capacity.model.flavor import counted_as

_NUMBER = re.compile(r"[0-9]{1,20}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFlavor:
    """The flavor that a server was made with, which may be gone by now."""

    name: str
    vcpus: int
    ram_mib: int
    disk_gib: int
    extra_specs: Mapping[str, str] = field(default_factory=dict)

    @property
    def counted_as(self) -> str:
        """The name of the flavor that its servers count as."""
        return counted_as(self.name, self.extra_specs)

    @property
    def hardware_version(self) -> str:
        """The version of hardware that servers of this flavor are counted under; empty for none."""
        return self.extra_specs.get("quota:hw_version", "")

    @property
    def video_ram_mib(self) -> int | None:
        """The largest amount of video RAM, if the flavor says one that makes sense: an unsigned number of 64 bits."""
        text = self.extra_specs.get("hw_video:ram_max_mb", "")
        return int(text) if _NUMBER.fullmatch(text) and int(text) < 2**64 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectServer:
    """A server. `metadata` and `tags` are None where Nova says nothing of them."""

    id: str
    name: str
    status: str
    flavor: ServerFlavor
    zone: str
    metadata: Mapping[str, str] | None = None
    tags: tuple[str, ...] | None = None
    # Whether it was booted from an image, which may have no id that can be looked for; else it has a boot volume.
    has_image: bool = False
    image_id: str | None = None
    # When anything about it changed last: after a rebuild it may run another operating system.
    updated: str = ""

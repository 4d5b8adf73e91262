"""Images: what servers are made from. Moorage keeps what is known about an image, not its bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Visibility = Literal["public", "community", "shared", "private"]
Status = Literal["queued", "active", "deactivated"]


@dataclass(frozen=True, slots=True)
class BootImage:
    """What placing a server needs to know of its image: what to call it, and its properties."""

    label: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)


NO_IMAGE = BootImage()
"""For servers that boot from elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimum:
    """What a server needs at least to be made from an image."""

    ram_mb: int = 0
    disk_gb: int = 0


NO_MINIMUM = Minimum()


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image, with the properties that its owner has given it."""

    uuid: str
    name: str | None
    owner: str
    created_at: datetime
    updated_at: datetime
    visibility: Visibility = "shared"
    status: Status = "active"
    properties: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    # The projects that a shared image is shared with.
    members: frozenset[str] = frozenset()
    min_disk_gb: int = 0
    min_ram_mb: int = 0
    disk_format: str | None = None
    container_format: str | None = None
    size: int | None = None
    protected: bool = False
    hidden: bool = False

    @property
    def boot_image(self) -> BootImage:
        """The image as servers are placed by it."""
        return BootImage(self.name or self.uuid, self.properties)

    @property
    def minimum(self) -> Minimum:
        """What its servers need at least."""
        return Minimum(ram_mb=self.min_ram_mb, disk_gb=self.min_disk_gb)

    def is_open_to(self, project_id: str) -> bool:
        """Whether a project may see and use the image."""
        if project_id == self.owner or self.visibility in {"public", "community"}:
            return True
        return self.visibility == "shared" and project_id in self.members

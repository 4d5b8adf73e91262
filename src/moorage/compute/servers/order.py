"""What somebody wants who orders servers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import NO_IMAGE, BootImage, Image
from moorage.compute.model.server_group import ServerGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One or several servers that differ in nothing but their names."""

    project_id: str
    user_id: str
    name: str
    flavor: Flavor
    image: Image | None = None
    description: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    availability_zone: str | None = None
    # The name of the only host that comes into question.
    host: str | None = None
    group: ServerGroup | None = None
    # UUIDs of servers whose hosts alone, or whose hosts never, come into question.
    same_host: tuple[str, ...] = ()
    different_host: tuple[str, ...] = ()
    # As many as the quotas allow between these, and all of them or none.
    least: int = 1
    most: int = 1

    @property
    def boot_image(self) -> BootImage:
        """The image as servers are placed by it."""
        return NO_IMAGE if self.image is None else self.image.boot_image

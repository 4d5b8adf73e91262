"""Servers: workloads with a place. Moorage decides and records where each runs and what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from moorage.compute.model.flavor import Flavor
from moorage.compute.model.image import NO_IMAGE, NO_MINIMUM, BootImage, Minimum

# What is being done to a server, in Nova's words; None for nothing.
SCHEDULING = "scheduling"
DELETING = "deleting"
RESIZING = "resize_prep"
CONFIRMING = "resize_confirming"
REVERTING = "resize_reverting"

# The codes that a fault may have, as Nova's do.
NO_VALID_HOST = 500
PLACEMENT_AWAY = 503

Status = Literal["BUILD", "ACTIVE", "REBUILD", "RESIZE", "VERIFY_RESIZE", "REVERT_RESIZE", "ERROR", "DELETED"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a server is in the status ERROR, in words for its owner; `details` are for administrators."""

    code: int
    message: str
    created_at: datetime
    details: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResizeOrigin:
    """What a server was before a resize that is neither confirmed nor reverted yet."""

    flavor: Flavor
    host: str
    provider_uuid: str
    required_traits: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A server. Flavor and image properties are kept as they were when it was made, rebuilt or resized."""

    uuid: str
    project_id: str
    user_id: str
    name: str
    flavor: Flavor
    created_at: datetime
    updated_at: datetime
    description: str | None = None
    image_uuid: str | None = None
    image_properties: Mapping[str, str] = field(default_factory=dict)
    image_minimum: Minimum = NO_MINIMUM
    # The name and the UUID of the root provider that it has its place on; None without a place.
    host: str | None = None
    provider_uuid: str | None = None
    status: Status = "BUILD"
    task_state: str | None = None
    fault: Fault | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    # As asked for; None for any.
    availability_zone: str | None = None
    group_uuid: str | None = None
    # Of flavor and image together; the driver of a bare-metal host sets them on the node.
    required_traits: frozenset[str] = frozenset()
    resize_origin: ResizeOrigin | None = None
    launched_at: datetime | None = None
    terminated_at: datetime | None = None

    @property
    def boot_image(self) -> BootImage:
        """Its image as it was when the server was made or rebuilt."""
        return BootImage(self.image_uuid, self.image_properties) if self.image_uuid else NO_IMAGE

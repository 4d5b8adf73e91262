"""Who has resources: a host, a NUMA node, a storage pool; alone or as part of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Provider:
    """A resource provider as a client sees it."""

    id: int
    uuid: str
    name: str
    generation: int
    parent_uuid: str | None
    root_uuid: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Name:
    """A resource class or a trait: a name, and when it was made."""

    id: int
    name: str
    updated_at: datetime

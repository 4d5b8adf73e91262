"""Who added what to a provider, so that only that is taken away again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NOBODY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Origin:
    """What the agent of a host has added to one provider, and because of what.

    Resource classes, traits and aggregates are keys; the values are sources: "driver:linux", or "file:10-cache.yaml".
    What others added to the provider is not listed, and so never removed.
    """

    # The host whose agent keeps the provider.
    host: str
    # Whether that agent created the provider, and may delete it.
    made: bool = False
    inventories: Mapping[str, str] = field(default_factory=lambda: NOBODY)
    traits: Mapping[str, str] = field(default_factory=lambda: NOBODY)
    aggregates: Mapping[str, str] = field(default_factory=lambda: NOBODY)

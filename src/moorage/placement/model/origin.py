"""Who added what to a provider: a note that the agent of a host leaves with it, to take away only what it has added.

Nothing in it changes what the provider has. It is there for that agent, and for the one that the provider moves to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Origin:
    """What the agent of a host has added to one provider, and because of what.

    Resource classes, traits and aggregates are keys; the values are sources: "driver:linux", or "file:10-cache.yaml".
    """

    # The host whose agent keeps the provider.
    host: str
    # Whether that agent created the provider, and may delete it.
    made: bool = False
    inventories: Mapping[str, str] = field(default_factory=dict)
    traits: Mapping[str, str] = field(default_factory=dict)
    aggregates: Mapping[str, str] = field(default_factory=dict)

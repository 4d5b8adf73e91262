"""Blocks and the clusters of nodes that hold them: what the simulation sees of flavors and hypervisors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from moorage.capacity.packing.size import Size


@dataclass(frozen=True, slots=True)
class Block:
    """An instance of a split flavor: of fixed size, with an opinion on traits. Its cores are raw, `vcpus` are not."""

    name: str
    size: Size
    vcpus: int
    traits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A hypervisor: so many equal nodes. A special one takes no pooled flavors, and is preferred by split ones."""

    hostname: str
    nodes: int
    size: Size
    is_special: bool = False
    traits: frozenset[str] = frozenset()

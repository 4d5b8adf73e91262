"""What a zone is asked for, and the account of what came of it: the input and the output of the simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.model.overcommit import raw
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.size import ZERO, Size


class Phase(StrEnum):
    """The order in which blocks are placed."""

    EXISTING = "existing"
    USAGE = "usage"
    UNUSED_COMMITMENTS = "unused commitments"
    PENDING_COMMITMENTS = "pending commitments"
    FILL = "fill"


DEMAND_PHASES = (Phase.USAGE, Phase.UNUSED_COMMITMENTS, Phase.PENDING_COMMITMENTS)


class Reason(StrEnum):
    """Why a block found no place."""

    NO_HOST = "no hypervisor takes this flavor, even when empty"
    NO_ROOM = "no node has enough room left"
    POOLED_DEMAND = "the room that is left is for pooled flavors"


@dataclass(frozen=True, slots=True)
class BlockDemand:
    """How many of a block are asked for in each phase, and where instances of it run already.

    `shadowed` ones run on hypervisors that have no part in the simulation; they are part of the usage.
    """

    usage: int = 0
    unused_commitments: int = 0
    pending_commitments: int = 0
    existing: Sequence[str] = ()
    shadowed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A zone as the simulation sees it. `pooled` is the liquid of each phase of demand: what that phase adds to it."""

    clusters: Sequence[Cluster]
    blocks: Sequence[Block]
    demand: Sequence[BlockDemand]
    pooled: tuple[Size, Size, Size] = (ZERO, ZERO, ZERO)
    behavior: BinpackBehavior = field(default_factory=BinpackBehavior)
    cores_overcommit: float = 0.0

    def cores_of(self, block: int, count: int) -> int:
        """The raw cores that so many of a block are: rounded for all of them together, not for each."""
        return raw(self.cores_overcommit, count * self.blocks[block].vcpus)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Blocks that were asked for and found no place."""

    phase: Phase
    block: int
    count: int
    reason: Reason


@dataclass(slots=True)
class Account:
    """What came of a zone: everything that a report says of it comes from here."""

    # By phase, for each block how many were placed.
    placed: dict[Phase, list[int]]
    # Of all that was placed, how many are on nodes that take pooled flavors.
    on_general: list[int]
    refused: list[Refusal] = field(default_factory=list)
    # What was kept free for pooled flavors in each phase.
    blocked: dict[Phase, Size] = field(default_factory=dict)
    capacity: Size = ZERO
    free: Size = ZERO
    # Why no more of each block were placed in the end.
    ends: Sequence[Reason] = ()
    # How many blocks the demand asks for beyond existing ones, and how many of those anybody could place at most.
    demand: int = 0
    bound: int = 0

    @property
    def unplaced(self) -> int:
        """How many blocks that the demand asks for found no place."""
        return sum(refusal.count for refusal in self.refused)

    @property
    def gap(self) -> int:
        """How many more of them could at most be placed by somebody who packs better."""
        return self.bound - (self.demand - self.unplaced)

    def total(self, block: int) -> int:
        """How many of a block were placed in all."""
        return sum(counts[block] for counts in self.placed.values())

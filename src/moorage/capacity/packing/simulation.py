"""The simulation of a zone: existing instances, then demand by priority, then the rest in fair shares.

Before each phase the liquid of that phase is poured in: pooled demand of equal or higher priority is blocked. Then the
blocks of the phase are placed, large ones first, as long as the liquid does not overflow. Zones know nothing of each
other, and the same zone always gives the same account.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import heapify, heappop, heapreplace

from moorage.capacity.model.configuration import Strategy
from moorage.capacity.packing.bound import upper_bound
from moorage.capacity.packing.existing import place_existing
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.vessels import Vessels
from moorage.capacity.packing.zone import DEMAND_PHASES, Account, Phase, Reason, Refusal, Zone

RARE = 0.1
"""What a flavor without any instance counts in the fair division, so that it gets something in the end."""


def simulate(zone: Zone) -> Account:
    """Place everything that a zone is asked for, and as much more as fits."""
    return complete(zone).finish()


def complete(zone: Zone) -> Run:
    """The same, with all that is known of who was placed where."""
    run = Run(zone)
    run.place_all_demand()
    if zone.behavior.strategy is Strategy.OPTIMIZED and run.may_be_repaired:
        from moorage.capacity.packing.repair import repair

        without = Run(zone)
        without.place_all_demand()
        without.fill()
        repair(run)
        # What fills the rest gets what is left, but first as much as it would have had without the repair.
        run.fill(at_most=[without.account.total(block) for block in range(len(zone.blocks))])
    run.fill()
    return run


class Run:
    """A simulation under way."""

    def __init__(self, zone: Zone) -> None:
        self.zone = zone
        self._blocks = range(len(zone.blocks))
        existing = place_existing(
            zone.clusters, zone.blocks, zone.behavior, {block: zone.demand[block].existing for block in self._blocks}
        )
        self.existing_free: Sequence[Size] = existing.free
        self.vessels = Vessels(zone.clusters, existing.free, zone.blocks, zone.behavior)
        # Which block was placed on which node, in order; existing ones are not here, for they don't move.
        self.log: list[tuple[int, int]] = []
        self.blocked = ZERO
        self.account = Account({phase: [0] * len(zone.blocks) for phase in Phase}, [0] * len(zone.blocks))
        self.account.capacity = _sum(cluster.size.times(cluster.nodes) for cluster in zone.clusters)
        for (block, cluster), count in existing.placed.items():
            self.account.placed[Phase.EXISTING][block] += count
            if not zone.clusters[cluster].is_special:
                self.account.on_general[block] += count
        self._existing_on_general = tuple(self.account.on_general)
        self._full = [False] * len(zone.blocks)

    def place_all_demand(self) -> None:
        """All phases of demand in their order, and how much of it could have been placed at most."""
        for phase in DEMAND_PHASES:
            self.place_demand(phase)
        wanted = [sum(self.wanted(phase, block) for phase in DEMAND_PHASES) for block in self._blocks]
        self.account.demand = sum(wanted)
        self.account.bound = (
            upper_bound(self.zone, self.existing_free, wanted) if self.account.refused else self.account.demand
        )

    @property
    def may_be_repaired(self) -> bool:
        """Whether something found no place that might find one."""
        return self.account.gap > 0 and any(refusal.reason is not Reason.NO_HOST for refusal in self.account.refused)

    def rearrange(self, log: list[tuple[int, int]], more: Sequence[int]) -> None:
        """Replace what was placed, by block and node; of each block so many more of the demand have a place now."""
        free = list(self.existing_free)
        self.account.on_general = list(self._existing_on_general)
        for block, node in log:
            free[node] = free[node].minus(self.zone.blocks[block].size)
            self.account.on_general[block] += not self.vessels.is_special(node)
        self.log = log
        self.vessels = Vessels(self.zone.clusters, free, self.zone.blocks, self.zone.behavior)
        still_refused = []
        left = list(more)
        for refusal in self.account.refused:
            # The demand of higher priority is first.
            found = min(left[refusal.block], refusal.count)
            left[refusal.block] -= found
            self.account.placed[refusal.phase][refusal.block] += found
            if found < refusal.count:
                still_refused.append(replace(refusal, count=refusal.count - found))
        self.account.refused = still_refused
        refused = {refusal.block for refusal in still_refused}
        self._full = [block in refused for block in self._blocks]

    def place_demand(self, phase: Phase) -> None:
        """Pour in the liquid of a phase, then place its blocks."""
        self.blocked = self.blocked.plus(self.zone.pooled[DEMAND_PHASES.index(phase)])
        self.account.blocked[phase] = self.blocked
        for block in self._blocks:
            wanted = self.wanted(phase, block)
            missing = wanted - self._place(phase, block, wanted)
            if missing:
                self._full[block] = True
                self.account.refused.append(Refusal(phase, block, missing, self._reason(block)))

    def wanted(self, phase: Phase, block: int) -> int:
        """How many of a block a phase asks for. Instances that exist or are elsewhere already need no place."""
        demand = self.zone.demand[block]
        if phase is Phase.USAGE:
            return max(0, demand.usage - self.account.placed[Phase.EXISTING][block] - demand.shadowed)
        return demand.unused_commitments if phase is Phase.UNUSED_COMMITMENTS else demand.pending_commitments

    def fill(self, at_most: Sequence[int] | None = None) -> None:
        """Fill what is left of the split flavors' fair share, following their present proportions (Sainte-Laguë).

        With `at_most`, each block is filled up to that total only, and may be filled further by another call.
        """
        placed = [self.account.total(block) for block in self._blocks]
        if Phase.FILL not in self.account.blocked:
            # A copy: what is filled up now must not count as demand when the rest is filled.
            self._base = list(placed)
            self.blocked = self._fair_share(placed)
            self.account.blocked[Phase.FILL] = self.blocked
        weights = [max(float(count), RARE) for count in self._base]
        queue = [
            (-(weights[block] / (2.0 * placed[block] + 1.0)), block) for block in self._blocks if not self._full[block]
        ]
        heapify(queue)
        while queue:
            _, block = queue[0]
            if at_most is not None and placed[block] >= at_most[block]:
                heappop(queue)
            elif self._place(Phase.FILL, block, 1):
                placed[block] += 1
                heapreplace(queue, (-(weights[block] / (2.0 * placed[block] + 1.0)), block))
            else:
                self._full[block] = True
                heappop(queue)

    def finish(self) -> Account:
        """The account, with the room that is left."""
        self.account.free = self.vessels.free
        return self.account

    def _place(self, phase: Phase, block: int, wanted: int) -> int:
        """Place up to so many; after the first that finds no place, no other would."""
        nodes = self.vessels.place_many(block, wanted, self.blocked)
        self.log.extend((block, node) for node in nodes)
        self.account.placed[phase][block] += len(nodes)
        self.account.on_general[block] += sum(not self.vessels.is_special(node) for node in nodes)
        return len(nodes)

    def _reason(self, block: int) -> Reason:
        if self.vessels.suits_somewhere(block):
            return Reason.POOLED_DEMAND
        return Reason.NO_ROOM if self.vessels.suits_when_empty(block) else Reason.NO_HOST

    def _fair_share(self, placed: Sequence[int]) -> Size:
        """What stays blocked for pooled flavors: the share of all capacity that they have of present demand."""
        split = _sum(
            Size(self.zone.cores_of(block, placed[block]), size.ram * placed[block], size.disk * placed[block])
            for block in self._blocks
            for size in [self.zone.blocks[block].size]
        )
        both = self.blocked.plus(split)
        # Without any demand in a dimension there is no ratio; then what is promised stays blocked, and no more.
        if not all(both):
            return self.blocked
        return Size(
            *(
                int(float(capacity) * (float(pooled) / float(all_demand)))
                for capacity, pooled, all_demand in zip(self.account.capacity, self.blocked, both, strict=True)
            )
        )


def _sum(sizes: Iterable[Size]) -> Size:
    total = ZERO
    for size in sizes:
        total = total.plus(size)
    return total

"""A second chance for demand that found no place: it gets one by moving what was placed before.

Nodes are packed anew (`repacking`) within the rules that hold for all: existing instances stay where they are, traits
hold, and pooled demand keeps its room. So of no block is less of the demand placed than before.
"""

from __future__ import annotations

from collections.abc import Sequence

from moorage.capacity.packing.repacking import Node, Repacking
from moorage.capacity.packing.simulation import Run
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.zone import Reason
from moorage.capacity.selection.flavors import traits_match


def repair(run: Run) -> None:
    """Find places for what was refused: on all nodes as far as pooled demand allows, then on special ones alone."""
    waiting = [0] * len(run.zone.blocks)
    for refusal in run.account.refused:
        if refusal.reason is not Reason.NO_HOST:
            waiting[refusal.block] += refusal.count
    nodes, special = _nodes(run)
    allowed = _beside_pooled(run, waiting)
    everywhere = Repacking(nodes, [block.size for block in run.zone.blocks], allowed)
    if any(allowed):
        everywhere.run()
    rest = [count - may + left for count, may, left in zip(waiting, allowed, everywhere.waiting, strict=True)]
    apart = Repacking(
        [node for node, is_special in zip(nodes, special, strict=True) if is_special],
        [block.size for block in run.zone.blocks],
        rest,
    )
    if apart.nodes and any(rest):
        apart.run()
        rest = apart.waiting
    run.rearrange(
        [
            (block, number)
            for number, node in enumerate(nodes)
            for block, count in node.contents.items()
            for _ in range(count)
        ],
        [count - left for count, left in zip(waiting, rest, strict=True)],
    )


def _nodes(run: Run) -> tuple[list[Node], list[bool]]:
    zone = run.zone
    nodes: list[Node] = []
    special: list[bool] = []
    for cluster in zone.clusters:
        allowed = [traits_match(block.traits, cluster.traits) for block in zone.blocks]
        for _ in range(cluster.nodes):
            room = run.existing_free[len(nodes)]
            nodes.append(Node(room, allowed, {}, room))
            special.append(cluster.is_special)
    for block, number in run.log:
        node = nodes[number]
        node.contents[block] = node.contents.get(block, 0) + 1
        node.free = node.free.minus(zone.blocks[block].size)
    return nodes, special


def _beside_pooled(run: Run, waiting: Sequence[int]) -> list[int]:
    """How many of those that wait have room beside all pooled demand; large blocks come first, as always."""
    room = run.vessels.free.minus(run.blocked)
    taken = ZERO
    result = []
    for block, count in enumerate(waiting):
        size: Size = run.zone.blocks[block].size
        most = count
        for amount, has, used in zip(size, room, taken, strict=True):
            if amount:
                most = min(most, max(0, has - used) // amount)
        taken = taken.plus(size.times(most))
        result.append(most)
    return result

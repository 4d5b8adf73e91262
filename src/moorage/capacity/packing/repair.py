"""A second chance for demand that found no place: it gets one by moving what was placed before.

Nodes are packed anew (`repacking`) within the rules that hold for all: existing instances stay where they are, traits
hold, and pooled demand of equal or higher priority keeps its room. So of no block is less of the demand placed than
before.
"""

from __future__ import annotations

from collections.abc import Sequence

from moorage.capacity.packing.repacking import Node, Repacking
from moorage.capacity.packing.simulation import Run
from moorage.capacity.packing.size import ZERO, Size
from moorage.capacity.packing.zone import DEMAND_PHASES, Reason
from moorage.capacity.selection.flavors import traits_match


def repair(run: Run) -> None:
    """Find places for what was refused, one phase of demand after the other: what is in use comes first."""
    refused = [refusal for refusal in run.account.refused if refusal.reason is not Reason.NO_HOST]
    phases = [phase for phase in DEMAND_PHASES if any(refusal.phase is phase for refusal in refused)]
    asked = [0] * len(run.zone.blocks)
    waiting = list(asked)
    nodes = _nodes(run)
    for phase in phases:
        for refusal in refused:
            if refusal.phase is phase:
                asked[refusal.block] += refusal.count
                waiting[refusal.block] += refusal.count
        waiting = _packed_anew(run, nodes, waiting, run.account.blocked[phase], len(phases))
    run.rearrange(
        [
            (block, number)
            for number, node in enumerate(nodes)
            for block, count in node.contents.items()
            for _ in range(count)
        ],
        [count - left for count, left in zip(asked, waiting, strict=True)],
    )


def _packed_anew(run: Run, nodes: Sequence[Node], waiting: Sequence[int], blocked: Size, shared_by: int) -> list[int]:
    """Pack all nodes anew as far as what is blocked for pooled demand allows, then special ones; what still waits."""
    sizes = [block.size for block in run.zone.blocks]
    allowed = _beside_pooled(sizes, nodes, waiting, blocked)
    everywhere = Repacking(nodes, sizes, allowed, shared_by)
    if any(allowed):
        everywhere.run()
    rest = [count - may + left for count, may, left in zip(waiting, allowed, everywhere.waiting, strict=True)]
    apart = Repacking([node for node in nodes if node.is_special], sizes, rest, shared_by)
    if apart.nodes and any(rest):
        apart.run()
        return apart.waiting
    return rest


def _nodes(run: Run) -> list[Node]:
    zone = run.zone
    nodes: list[Node] = []
    for cluster in zone.clusters:
        allowed = [traits_match(block.traits, cluster.traits) for block in zone.blocks]
        for _ in range(cluster.nodes):
            room = run.existing_free[len(nodes)]
            nodes.append(Node(room, allowed, {}, room, cluster.is_special))
    for block, number in run.log:
        node = nodes[number]
        node.contents[block] = node.contents.get(block, 0) + 1
        node.free = node.free.minus(zone.blocks[block].size)
    return nodes


def _beside_pooled(sizes: Sequence[Size], nodes: Sequence[Node], waiting: Sequence[int], blocked: Size) -> list[int]:
    """How many of those that wait have room beside what is blocked; large blocks come first, as always."""
    free = ZERO
    for node in nodes:
        free = free.plus(node.free)
    room = free.minus(blocked)
    taken = ZERO
    result = []
    for size, count in zip(sizes, waiting, strict=True):
        most = count
        for amount, has, used in zip(size, room, taken, strict=True):
            if amount:
                most = min(most, max(0, has - used) // amount)
        taken = taken.plus(size.times(most))
        result.append(most)
    return result

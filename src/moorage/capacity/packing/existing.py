"""Instances that exist already are put where they are, before anything is simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from moorage.capacity.model.configuration import BinpackBehavior
from moorage.capacity.packing.block import Block, Cluster
from moorage.capacity.packing.score import SPECIAL, direction, score
from moorage.capacity.packing.size import Size


@dataclass(slots=True)
class Existing:
    """The free space of each node beside existing instances, and how many there are on nodes of which cluster."""

    free: list[Size]
    # (block, cluster) -> how many found a node. Whoever finds none is left out: Nova knows better than the inventory.
    placed: dict[tuple[int, int], int] = field(default_factory=dict)


def place_existing(
    clusters: Sequence[Cluster],
    blocks: Sequence[Block],
    behavior: BinpackBehavior,
    instances: Mapping[int, Sequence[str]],
) -> Existing:
    """Place instances, by block their hostnames, on the node of their hypervisor that suits best.

    Traits do not matter here: the instance is there, whatever its flavor says today.
    """
    result = Existing([cluster.size for cluster in clusters for _ in range(cluster.nodes)])
    cluster_of: dict[str, int] = {}
    first_node: list[int] = []
    count = 0
    for number, cluster in enumerate(clusters):
        cluster_of.setdefault(cluster.hostname, number)
        first_node.append(count)
        count += cluster.nodes
    for block, hostnames in sorted(instances.items()):
        for hostname in hostnames:
            home = cluster_of.get(hostname)
            if home is None:
                continue
            cluster = clusters[home]
            nodes = range(first_node[home], first_node[home] + cluster.nodes)
            node = _best_node(cluster, nodes, result.free, blocks[block].size, behavior)
            if node is not None:
                result.free[node] = result.free[node].minus(blocks[block].size)
                result.placed[block, home] = result.placed.get((block, home), 0) + 1
    return result


def _best_node(
    cluster: Cluster, nodes: range, free: Sequence[Size], size: Size, behavior: BinpackBehavior
) -> int | None:
    pointing = direction(size, cluster.size, behavior)
    best, best_score = None, 0.0
    for node in nodes:
        if size.fits_in(free[node]):
            value = score(pointing, direction(free[node], cluster.size, behavior))
            # The rounding of this sum is part of the order.
            value = value + SPECIAL if value and cluster.is_special else value
            if value > best_score:
                best, best_score = node, value
    return best

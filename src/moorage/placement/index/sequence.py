"""In which order providers are chosen for the parts of a request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from moorage.placement.index.matching import Part


def sequence_of(
    parts: Sequence[Part], contended: Sequence[Mapping[str, int]], subtrees: Sequence[Sequence[int]]
) -> list[int]:
    """The parts, those first for whom it is hardest to find a place beside others: so it shows early what cannot be.

    What is to be in one subtree stays together, else it would be found out late that there is too little in one.
    """
    asked: Counter[str] = Counter()
    for amounts in contended:
        asked.update(amounts)
    # The part's share of what all parts ask for, of the class of which it is largest.
    shares = [max((amount / asked[name] for name, amount in each.items()), default=0.0) for each in contended]
    clusters = _clusters(len(parts), subtrees)
    clusters.sort(key=lambda cluster: -max(shares[part] for part in cluster))
    # Groups without resources are there to be above others.
    return [
        part
        for cluster in clusters
        for part in sorted(cluster, key=lambda part: (bool(parts[part].resources), -shares[part]))
    ]


def _clusters(count: int, subtrees: Sequence[Sequence[int]]) -> list[list[int]]:
    """Parts that are bound to each other, directly or through others; in the order of the first of each."""
    cluster_of = {part: [part] for part in range(count)}
    for bound in subtrees:
        for part in bound[1:]:
            one, other = cluster_of[bound[0]], cluster_of[part]
            if one is not other:
                one += other
                cluster_of.update(dict.fromkeys(other, one))
    return [sorted(cluster) for part, cluster in cluster_of.items() if min(cluster) == part]

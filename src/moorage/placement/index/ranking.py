"""Which trees to try first: the emptiest (spread) or the fullest (pack), by chance among those about as full."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Slots

# Trees whose fullness differs by less than this count as equally full, so that schedulers that choose at the same time
# do not all choose the same one.
_GRAIN = 0.02


class Strategy(Enum):
    """How to choose among trees."""

    SPREAD = "spread"
    PACK = "pack"


def ranked(
    cloud: Cloud, anchors: Slots, classes: Iterable[str], strategy: Strategy, chance: np.random.Generator
) -> Slots:
    """The anchors in the order to try them."""
    fullness = _fullness(cloud, classes)[anchors]
    steps = np.floor(fullness / _GRAIN)
    order = np.lexsort((chance.random(len(anchors)), steps if strategy is Strategy.SPREAD else -steps))
    return anchors[order]


def _fullness(cloud: Cloud, classes: Iterable[str]) -> NDArray[np.float64]:
    """For each root: the used part of its tree's capacity, of the class that is scarcest there."""
    topology = cloud.topology
    fullness = np.zeros(topology.size)
    for name in classes:
        columns = cloud.columns_of(name)
        roots = topology.roots[columns.slots]
        used = np.bincount(roots, weights=columns.used, minlength=topology.size)
        capacity = np.bincount(roots, weights=columns.capacity, minlength=topology.size)
        fullness = np.maximum(fullness, np.divide(used, capacity, out=np.zeros(topology.size), where=capacity > 0))
    return fullness

"""What the last trees lacked for the condition that none of them met, with numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.columns import Mask
from moorage.placement.index.matching import Part

_EXAMPLES = 3
# Providers of one tree that are named; of the others it is told how many there are.
_NAMED = 3


def too_little(cloud: Cloud, resource_class: str, amount: int, roots: Mask) -> Iterator[str]:
    """Of those who could have served these trees, who has most of a class, and why it does not do."""
    columns = cloud.columns_of(resource_class)
    topology = cloud.topology
    within_reach = roots[topology.roots] | topology.sharing.reaching(roots)
    near = np.flatnonzero(within_reach[columns.slots])
    if not len(near):
        yield f"{resource_class}: asked {amount}, but none of the trees left has any inventory of it"
        return
    free = (columns.capacity - columns.used)[near]
    for row in near[np.argsort(-free, kind="stable")][:_EXAMPLES].tolist():
        name = cloud.record(int(columns.slots[row])).provider.name
        most = int(columns.capacity[row] - columns.used[row])
        text = f"{resource_class}: asked {amount}, free {most} on {name}"
        if most >= amount:
            text += (
                f", but one allocation there must be {columns.min_unit[row]} to {columns.max_unit[row]}"
                f" in steps of {columns.step_size[row]}"
            )
        yield text


def too_little_together(
    cloud: Cloud, parts: Sequence[Part], contended: Sequence[Iterable[str]], roots: Mask
) -> Iterator[str]:
    """What several groups ask of each class, and what there is of it in the trees that could serve each by itself."""
    asked: defaultdict[str, list[Part]] = defaultdict(list)
    for part, names in zip(parts, contended, strict=True):
        for name in names:
            asked[name].append(part)
    for root in _first(roots):
        for name, askers in asked.items():
            sum_asked = " + ".join(str(part.resources[name]) for part in askers)
            serving = _serving(cloud, askers, root)
            free = [(_free(cloud, slot, name), cloud.record(slot).provider.name) for slot in serving]
            told = [f"{amount} on {provider}" for amount, provider in sorted(free, key=lambda pair: -pair[0])]
            yield f"{name}: asked {sum_asked}, free {_some(told, 'less or as much on {} more')}"


def too_few(cloud: Cloud, parts: Sequence[Part], roots: Mask) -> Iterator[str]:
    """How many groups must be apart, and who there is to serve them."""
    for root in _first(roots):
        names = _some([cloud.record(slot).provider.name for slot in _serving(cloud, parts, root)], "{} more")
        yield f"{len(parts)} groups must not share a provider; those that can serve any of them: {names}"


def unmet(cloud: Cloud, condition: str, roots: Mask) -> Iterator[str]:
    """Trees that meet all before a condition of which there is nothing to count."""
    for root in _first(roots):
        yield f"{cloud.record(root).provider.name} meets everything before {condition}"


def _first(roots: Mask) -> list[int]:
    found: list[int] = np.flatnonzero(roots)[:_EXAMPLES].tolist()
    return found


def _serving(cloud: Cloud, parts: Sequence[Part], root: int) -> list[int]:
    """Who can serve any of these parts about a root."""
    anchor = cloud.topology.mask(np.array([root]))
    found: list[int] = np.flatnonzero(
        np.logical_or.reduce([part.serving(cloud.topology, anchor) for part in parts])
    ).tolist()
    return found


def _free(cloud: Cloud, slot: int, name: str) -> int:
    """How much of a class groups can take from a provider together."""
    stock = cloud.record(slot).stocks[name]
    return min(stock.inventory.capacity - stock.used, stock.inventory.max_unit)


def _some(texts: Sequence[str], others: str) -> str:
    more = len(texts) - _NAMED
    return ", ".join([*islice(texts, _NAMED), *([others.format(more)] if more > 0 else [])])

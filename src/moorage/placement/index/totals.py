"""How much there is of everything and how much is used, by zone: sums over columns, no provider is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from moorage.placement.index.cloud import Cloud
from moorage.placement.index.topology import NOBODY

NO_ZONE = ""


@dataclass(frozen=True, slots=True)
class Total:
    """What all providers of a zone have of a resource class."""

    resource_class: str
    zone: str
    providers: int
    capacity: int
    used: int


def totals(cloud: Cloud, zones: Mapping[str, Iterable[str]]) -> Iterator[Total]:
    """The sums by class and zone; `zones` has the aggregates that make up each zone. A tree is where its root is."""
    names = [NO_ZONE, *sorted(zones)]
    zone_of = np.zeros(cloud.topology.size, dtype=np.int64)
    for number, name in enumerate(names[1:], 1):
        for uuid in zones[name]:
            zone_of[cloud.topology.aggregate_members.get(uuid, NOBODY)] = number
    for resource_class in sorted(cloud.columns):
        columns = cloud.columns[resource_class]
        of_row = zone_of[cloud.topology.roots[columns.slots]]
        for number in np.unique(of_row).tolist():
            here = of_row == number
            yield Total(
                resource_class,
                names[number],
                int(here.sum()),
                int(np.maximum(columns.capacity[here], 0).sum()),
                int(columns.used[here].sum()),
            )

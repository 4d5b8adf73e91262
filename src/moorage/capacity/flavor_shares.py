"""What is in use, promised, waited for and free of each pooled flavor, as tables show it.

Pooled flavors share what there is, so what is free is told for each as if no other were made: how many more of it fit
now, by what Placement would say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from moorage.capacity.fit import fit, offered, room_of
from moorage.capacity.model.cloud import Snapshot
from moorage.capacity.model.demand import NO_DEMAND
from moorage.capacity.model.flavor import is_pooled


@dataclass(frozen=True, slots=True)
class FlavorShare:
    """Servers of a pooled flavor in a zone, slots of its leases, and how many more of it alone would fit."""

    name: str
    zone: str
    used: int
    committed: int
    pending: int
    free: int

    @property
    def parts(self) -> tuple[int, int, int, int]:
        """What a plot shows."""
        return self.used, self.committed, self.pending, self.free


def flavor_shares(snapshot: Snapshot) -> Iterator[FlavorShare]:
    """Every pooled flavor in every zone; nothing if nobody has looked at the servers.

    Of a flavor that is no longer offered none can be made, however much is free.
    """
    if snapshot.of_flavors is None:
        return
    room = room_of(snapshot)
    known = {each.name: each for each in snapshot.cloud.flavors if is_pooled(each.extra_specs)}
    asked = {(each.flavor, each.zone): each.demand for each in snapshot.of_flavors}
    for name in sorted({*known.keys() & set(offered(snapshot)), *(flavor for flavor, _ in asked)}):
        fitting = fit(known[name], room).by_zone if name in known else {}
        for zone in snapshot.request.zones:
            demand = asked.get((name, zone), NO_DEMAND)
            yield FlavorShare(
                name,
                zone,
                demand.usage,
                demand.unused_commitments,
                demand.pending_commitments,
                fitting.get(zone, 0),
            )


def that_say_something(shares: Iterable[FlavorShare]) -> Iterator[FlavorShare]:
    """Without those of flavors that a zone neither has nor takes."""
    return (each for each in shares if any(each.parts))

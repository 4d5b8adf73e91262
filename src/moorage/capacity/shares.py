"""What tables and pages show of a report: what is in use, promised, waited for and free, and what found no place.

What is pooled has one use per unit, so all that is asked for is taken off the capacity, in units of the hardware. What
is in use is what servers use, wherever they run: who loses a hypervisor still has its servers. Of a split flavor it is
the simulation that says what was placed for whom.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from moorage.capacity.model.demand import POOLED_RESOURCES, CapacityRequest
from moorage.capacity.model.overcommit import raw
from moorage.capacity.packing.zone import Phase, Reason
from moorage.capacity.report import CapacityAccount


@dataclass(frozen=True, slots=True)
class Share:
    """The parts of the capacity of a resource in a zone; `free` is negative if more is asked for than there is."""

    resource: str
    # What people call it: a split flavor goes by its own name.
    name: str
    zone: str
    used: int
    committed: int
    pending: int
    free: int
    # Why no more of a split flavor were placed; empty for what is pooled.
    limit: str = ""

    @property
    def parts(self) -> tuple[int, int, int, int]:
        """What the capacity is made of."""
        return self.used, self.committed, self.pending, self.free

    @property
    def capacity(self) -> int:
        """All of it, as the report says."""
        return sum(self.parts)


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Demand that found no place in a zone, and why; at most `gap` more could be placed there by anybody."""

    flavor: str
    zone: str
    demand: str
    count: int
    reason: str
    gap: int


@dataclass(frozen=True, slots=True)
class Difference:
    """The capacity of a zone in one account and in another, and what of it is free."""

    resource: str
    zone: str
    before: int
    after: int
    free_before: int
    free_after: int


def pooled_shares(account: CapacityAccount, request: CapacityRequest) -> Iterator[Share]:
    """Cores, instances and RAM in each zone."""
    for resource in POOLED_RESOURCES:
        demand = request.of(resource)
        for zone, each in account.report.resources[resource].items():
            asked = demand.in_zone(zone)
            used, committed, pending = (
                raw(demand.overcommit_factor, amount)
                for amount in (asked.usage, asked.unused_commitments, asked.pending_commitments)
            )
            free = each.capacity - used - committed - pending
            yield Share(resource, resource, zone, used, committed, pending, free)


def split_shares(account: CapacityAccount, request: CapacityRequest) -> Iterator[Share]:
    """The instances of split flavors in each zone; what runs on shadowed hypervisors is in use."""
    placed: Counter[tuple[str, int, Phase]] = Counter()
    ends: defaultdict[tuple[str, int], set[Reason]] = defaultdict(set)
    for name, result in account.accounts.items():
        zone = request.known_zone(name)
        for block, reason in enumerate(result.ends):
            ends[zone, block].add(reason)
        for phase, counts in result.placed.items():
            placed.update({(zone, block, phase): count for block, count in enumerate(counts)})
    for block, flavor in enumerate(account.flavors):
        resource = flavor.resource_name
        shadowed = account.shadowed.get(resource, {})
        for zone in account.report.resources[resource]:
            yield Share(
                resource,
                flavor.name,
                zone,
                used=shadowed.get(zone, 0) + placed[zone, block, Phase.EXISTING] + placed[zone, block, Phase.USAGE],
                committed=placed[zone, block, Phase.UNUSED_COMMITMENTS],
                pending=placed[zone, block, Phase.PENDING_COMMITMENTS],
                free=placed[zone, block, Phase.FILL],
                limit=_nearest(ends[zone, block]),
            )


def _nearest(reasons: AbstractSet[Reason]) -> str:
    """Of several zones that are told as one, the reason of the one that came nearest; no zone, no host."""
    return next((str(each) for each in (Reason.POOLED_DEMAND, Reason.NO_ROOM) if each in reasons), str(Reason.NO_HOST))


def unplaced(account: CapacityAccount) -> Iterator[Unplaced]:
    """Demand that found no place."""
    for zone, result in account.accounts.items():
        for each in result.refused:
            yield Unplaced(account.flavors[each.block].name, zone, str(each.phase), each.count, each.reason, result.gap)


def left_out(account: CapacityAccount) -> Iterator[str]:
    """Hypervisors that have no part in the figures, a sentence for each kind and for each that was skipped."""
    if account.homeless:
        yield f"Without aggregate or zone, and so not counted: {', '.join(account.homeless)}"
    for failure in account.skipped:
        yield f"Left out: {failure}"


def differences(before: Iterable[Share], after: Iterable[Share]) -> Iterator[Difference]:
    """What is there in one account and in another, for each resource and zone.

    What is only there before comes last: a zone that nobody asked for is gone with its hypervisors.
    """
    old, new = ({(each.resource, each.zone): each for each in shares} for shares in (before, after))
    for resource, zone in new | old:
        (had, was_free), (has, is_free) = (
            (share.capacity, share.free) if share else (0, 0)
            for share in (old.get((resource, zone)), new.get((resource, zone)))
        )
        yield Difference(resource, zone, had, has, was_free, is_free)

"""A condition on the aggregates of a host, with the reason for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from moorage.compute.model.aggregate import HostAggregate


@dataclass(frozen=True, slots=True)
class Condition:
    """The host must be in one of the aggregates or, where they are forbidden, in none of them."""

    aggregates: tuple[HostAggregate, ...]
    # Completes "because …".
    reason: str
    forbidden: bool = False

    @property
    def uuids(self) -> frozenset[str]:
        """The aggregates by their UUIDs."""
        return frozenset(aggregate.uuid for aggregate in self.aggregates)

    def is_met_by(self, host: str) -> bool:
        """Whether a host is where it must be."""
        is_member = any(host in aggregate.hosts for aggregate in self.aggregates)
        return is_member is not self.forbidden

    def as_of(self, now: Mapping[str, HostAggregate]) -> Condition:
        """The same condition with the aggregates as they are now, by their UUIDs; one that is gone has no hosts."""
        current = (now.get(each.uuid, replace(each, hosts=frozenset())) for each in self.aggregates)
        return replace(self, aggregates=tuple(current))

    def names(self, host: str | None = None) -> str:
        """The aggregates by their names, or only those of a host."""
        named = (each.name for each in self.aggregates if host is None or host in each.hosts)
        return ", ".join(f'"{name}"' for name in sorted(named))


def one_of(aggregates: Iterable[HostAggregate], reason: str) -> Condition:
    """The host must be in one of the aggregates."""
    return Condition(tuple(aggregates), reason)


def none_of(aggregates: Iterable[HostAggregate], reason: str) -> list[Condition]:
    """The host must be in none of the aggregates: no condition at all if there are none."""
    listed = tuple(aggregates)
    return [Condition(listed, reason, forbidden=True)] if listed else []

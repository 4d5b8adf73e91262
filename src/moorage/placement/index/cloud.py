"""The whole cloud in memory at one moment: what answers are read from and searches run over.

A version is immutable. `advanced` makes the next one and copies only what a change touches, so that threads that
still use the old version never see half a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeVar, cast

import numpy as np

from moorage.placement.index.columns import ClassColumns, Slots
from moorage.placement.index.pages import Pages
from moorage.placement.index.records import Record
from moorage.placement.index.topology import NOBODY, ROOT, Topology
from moorage.placement.model.errors import ProviderNotFound, ResourceClassNotFound, TraitNotFound
from moorage.placement.model.inventory import Stock
from moorage.placement.model.provider import Name

Key = TypeVar("Key")

_NO_COLUMNS = ClassColumns.of({})


@dataclass(frozen=True, slots=True)
class UsageChange:
    """What a claim changes of a provider."""

    generation: int
    revision: int
    updated_at: datetime
    used: Mapping[str, int]


@dataclass(slots=True)
class Directory:
    """Where providers are found by number, UUID and name; shared by all versions.

    It runs ahead of older versions, so a find counts only if the version's record confirms it.
    """

    by_id: dict[int, int] = field(default_factory=dict)
    by_uuid: dict[str, int] = field(default_factory=dict)
    by_name: dict[str, int] = field(default_factory=dict)

    def enter(self, record: Record, slot: int) -> None:
        """Note a provider."""
        self.by_id[record.provider.id] = slot
        self.by_uuid[record.provider.uuid] = slot
        self.by_name[record.provider.name] = slot

    def leave(self, record: Record, slot: int, successor: Record | None) -> None:
        """Forget where a provider was found, as far as the one that is there now is not found by the same."""
        old, new = record.provider, None if successor is None else successor.provider
        if new is None or new.id != old.id:
            _forget(self.by_id, old.id, slot)
        if new is None or new.uuid != old.uuid:
            _forget(self.by_uuid, old.uuid, slot)
        if new is None or new.name != old.name:
            _forget(self.by_name, old.name, slot)


@dataclass(frozen=True, slots=True)
class Cloud:
    """One version of the cloud."""

    records: Pages[Record]
    columns: Mapping[str, ClassColumns]
    topology: Topology
    # By name, in the order they were made.
    traits: Mapping[str, Name]
    classes: Mapping[str, Name]
    directory: Directory
    # Slots of providers that are gone, to be used again.
    free: tuple[int, ...] = ()

    # --- asking

    def record(self, slot: int) -> Record:
        """The provider in a slot that is known to be used."""
        record = self.records[slot]
        if record is None:
            raise AssertionError(f"slot {slot} is empty")
        return record

    def records_at(self, slots: Iterable[int]) -> list[Record]:
        """The providers in slots that are known to be used."""
        return cast("list[Record]", self.records.many(slots))

    def find(self, uuid: str) -> Record:
        """The provider with this UUID."""
        slot = self.slot_of(uuid)
        if slot is None:
            raise ProviderNotFound(uuid)
        return self.record(slot)

    def slot_of(self, uuid: str) -> int | None:
        """Where the provider with this UUID is, if there is one."""
        slot = self.directory.by_uuid.get(uuid)
        if slot is None or slot >= len(self.records):
            return None
        record = self.records[slot]
        return slot if record is not None and record.provider.uuid == uuid else None

    def slot_named(self, name: str) -> int | None:
        """Where the provider of this name is, if there is one."""
        slot = self.directory.by_name.get(name)
        if slot is None or slot >= len(self.records):
            return None
        record = self.records[slot]
        return slot if record is not None and record.provider.name == name else None

    def slots_numbered(self, ids: Iterable[int]) -> Slots:
        """Where the providers with these numbers are, as far as they are there."""
        slots = ((number, self.directory.by_id.get(number)) for number in ids)
        there = [slot for number, slot in slots if slot is not None and self._has(slot, number)]
        return np.array(there, dtype=np.int64)

    def _has(self, slot: int, number: int) -> bool:
        record = self.records[slot] if slot < len(self.records) else None
        return record is not None and record.provider.id == number

    def columns_of(self, resource_class: str) -> ClassColumns:
        """The inventories of a class, which may be none."""
        return self.columns.get(resource_class, _NO_COLUMNS)

    def all_records(self) -> Iterator[Record]:
        """Every provider."""
        return (record for record in self.records if record is not None)

    def check_classes(self, names: Iterable[str]) -> None:
        """Refuse resource classes that nobody knows."""
        for name in names:
            if name not in self.classes:
                raise ResourceClassNotFound(name)

    def check_traits(self, names: Iterable[str]) -> None:
        """Refuse traits that nobody knows."""
        if unknown := [name for name in names if name not in self.traits]:
            raise TraitNotFound(unknown)

    # --- moving on

    def with_names(self, classes: Iterable[Name], traits: Iterable[Name]) -> Cloud:
        """The same providers, with other resource classes and traits to choose from."""
        return replace(
            self,
            classes={item.name: item for item in classes},
            traits={item.name: item for item in traits},
        )

    def knows_names(self, classes: Iterable[Name], traits: Iterable[Name]) -> bool:
        """Whether these are the resource classes and traits to choose from."""
        return [*self.classes.values()] == [*classes] and [*self.traits.values()] == [*traits]

    def with_usage(self, changes: Mapping[int, UsageChange]) -> Cloud:
        """After claims on these providers, by their numbers. Only what is used changes, so only that is copied."""
        records: dict[int, Record | None] = {}
        used: dict[str, dict[int, int]] = {}
        for provider_id, change in changes.items():
            slot = self.directory.by_id[provider_id]
            record = self.record(slot)
            records[slot] = _used_differently(record, change)
            for resource_class, amount in change.used.items():
                if record.stocks[resource_class].used != amount:
                    used.setdefault(resource_class, {})[slot] = amount
        columns = dict(self.columns)
        for resource_class, by_slot in used.items():
            columns[resource_class] = columns[resource_class].with_usage(by_slot)
        roots = self._renewed(self.topology.roots[list(records)].tolist())
        return replace(self, records=self.records.replaced(roots | records), columns=columns)

    def with_providers(self, changes: Mapping[int, Record | None]) -> Cloud:
        """After any change of these providers, by their numbers; None for one that is gone."""
        slots, free = self._placed(changes)
        old = {slot: self.records[slot] if slot < len(self.records) else None for slot in slots.values()}
        new = {slots[provider_id]: record for provider_id, record in changes.items() if provider_id in slots}
        # First in, then out: other threads must find at every moment who is there before and after.
        for slot, record in new.items():
            if record is not None:
                self.directory.enter(record, slot)
        for slot, record in old.items():
            if record is not None:
                self.directory.leave(record, slot, new[slot])
        topology = self._changed_topology(old, new)
        were_under = self.topology.roots[[slot for slot, record in old.items() if record is not None]]
        are_under = topology.roots[[slot for slot, record in new.items() if record is not None]]
        return replace(
            self,
            records=self.records.replaced(self._renewed({*were_under.tolist(), *are_under.tolist()}) | new),
            columns=self._changed_columns(old, new),
            topology=topology,
            free=free,
        )

    def _renewed(self, roots: Iterable[int]) -> dict[int, Record | None]:
        """New records of roots under which something changes, as far as they are there yet."""
        here = len(self.records)
        found = {slot: self.records[slot] for slot in roots if slot < here}
        return {slot: record.renewed() for slot, record in found.items() if record is not None}

    def _placed(self, changes: Mapping[int, Record | None]) -> tuple[dict[int, int], tuple[int, ...]]:
        """A slot for every changed provider, and the slots that are free afterwards."""
        slots: dict[int, int] = {}
        free = list(self.free)
        end = len(self.records)
        freed = []
        for provider_id, record in changes.items():
            known = self.directory.by_id.get(provider_id)
            if known is not None:
                slots[provider_id] = known
                if record is None:
                    freed.append(known)
            elif record is not None:
                if free:
                    slots[provider_id] = free.pop()
                else:
                    slots[provider_id] = end
                    end += 1
        return slots, (*free, *freed)

    def _changed_columns(
        self, old: Mapping[int, Record | None], new: Mapping[int, Record | None]
    ) -> dict[str, ClassColumns]:
        changes: dict[str, dict[int, Stock | None]] = {}
        for slot, record in old.items():
            for resource_class in record.stocks if record else ():
                changes.setdefault(resource_class, {})[slot] = None
        for slot, record in new.items():
            for resource_class, stock in record.stocks.items() if record else ():
                changes.setdefault(resource_class, {})[slot] = stock
        columns = dict(self.columns)
        for resource_class, stocks in changes.items():
            columns[resource_class] = self.columns_of(resource_class).with_stocks(stocks)
            if not len(columns[resource_class]):
                del columns[resource_class]
        return columns

    def _changed_topology(self, old: Mapping[int, Record | None], new: Mapping[int, Record | None]) -> Topology:
        before = self.topology
        if all(_is_placed_alike(old[slot], record) for slot, record in new.items()):
            return before  # and all that was derived from it
        size = max(before.size, *(slot + 1 for slot in new)) if new else before.size
        added = size - before.size
        alive = np.concatenate([before.alive, np.zeros(added, dtype=np.bool_)])
        parents = np.concatenate([before.parents, np.full(added, ROOT, dtype=np.int64)])
        roots = np.concatenate([before.roots, np.arange(before.size, size, dtype=np.int64)])
        for slot, record in new.items():
            alive[slot] = record is not None
            parents[slot], roots[slot] = ROOT, slot
            if record is not None:
                if record.parent_id is not None:
                    parents[slot] = self.directory.by_id[record.parent_id]
                roots[slot] = self.directory.by_id[record.root_id]
        return Topology(
            alive,
            parents,
            roots,
            _changed_members(
                before.trait_members,
                {slot: record.traits if record else () for slot, record in old.items()},
                {slot: record.traits if record else () for slot, record in new.items()},
            ),
            _changed_members(
                before.aggregate_members,
                {slot: record.aggregates if record else () for slot, record in old.items()},
                {slot: record.aggregates if record else () for slot, record in new.items()},
            ),
        )


def empty_cloud() -> Cloud:
    """A cloud with nothing in it."""
    nothing = np.empty(0, dtype=np.int64)
    topology = Topology(np.empty(0, dtype=np.bool_), nothing, nothing, {}, {})
    return Cloud(Pages(), {}, topology, {}, {}, Directory())


def _forget(entries: dict[Key, int], key: Key, slot: int) -> None:
    if entries.get(key) == slot:
        del entries[key]


def _is_placed_alike(old: Record | None, new: Record | None) -> bool:
    """Whether a provider is where it was, with the same traits and aggregates."""
    if old is None or new is None:
        return False
    return (old.parent_id, old.root_id, old.traits, old.aggregates) == (
        new.parent_id,
        new.root_id,
        new.traits,
        new.aggregates,
    )


def _used_differently(record: Record, change: UsageChange) -> Record:
    provider = replace(record.provider, generation=change.generation, updated_at=change.updated_at)
    stocks = {
        name: stock if stock.used == change.used.get(name, stock.used) else replace(stock, used=change.used[name])
        for name, stock in record.stocks.items()
    }
    return Record(provider, change.revision, record.parent_id, record.root_id, stocks, record.traits, record.aggregates)


def _changed_members(
    members: Mapping[str, Slots], old: Mapping[int, Iterable[str]], new: Mapping[int, Iterable[str]]
) -> dict[str, Slots]:
    """Who has what, after some providers have something else."""
    lost: dict[str, set[int]] = {}
    won: dict[str, set[int]] = {}
    for slot, names in old.items():
        for name in names:
            lost.setdefault(name, set()).add(slot)
    for slot, names in new.items():
        for name in names:
            if slot in lost.get(name, ()):
                lost[name].remove(slot)
            else:
                won.setdefault(name, set()).add(slot)
    changed = dict(members)
    for name, slots in lost.items():
        if slots:
            changed[name] = np.setdiff1d(changed[name], np.array(sorted(slots), dtype=np.int64), assume_unique=True)
            if not len(changed[name]):
                del changed[name]
    for name, slots in won.items():
        changed[name] = np.union1d(changed.get(name, NOBODY), np.array(sorted(slots), dtype=np.int64))
    return changed

"""The order in which a request about many providers is carried out.

Names come first, then all locks at once in everybody's order, then what may not be. After that known providers leave
their places and names to those that come there, surplus ones go, new ones come, and all get what they shall have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from moorage.db.database import Transaction
from moorage.placement.index.records import Record
from moorage.placement.model.errors import (
    GenerationConflict,
    InventoryInUse,
    LedgerError,
    ProvidersRefused,
    ResourceClassNotFound,
    TraitNotFound,
)
from moorage.placement.store import names, provider_locks, provider_trees, view
from moorage.placement.store.bulk import contents, removals, trees
from moorage.placement.store.bulk.contents import Numbers, Target
from moorage.placement.store.bulk.wanted import Absent, BulkWrite, Removal, WholeProvider, Written


def write(tx: Transaction, wanted: BulkWrite) -> Written:
    """Create, change and remove providers: all of it, or nothing."""
    numbers = _look_up_names(tx, wanted)
    places = provider_trees.lock_trees(tx, _everybody(wanted))
    mentioned = {item.uuid for item in wanted.subjects}
    found = view.some_records(tx.connection, [place.id for uuid, place in places.items() if uuid in mentioned])
    present = {record.provider.uuid: record for record in found}
    _check_conflicts(wanted, present)
    known = [item for item in wanted.providers if item.uuid in present]
    trees.make_way(tx, wanted.providers, present)
    removed = removals.remove(tx, [present[item.uuid] for item in wanted.removals if item.uuid in present])
    ids = trees.create(tx, [item for item in wanted.providers if item.uuid not in present])
    trees.settle(tx, known, present)
    ids |= {item.uuid: present[item.uuid].provider.id for item in known}
    targets = [Target(ids[item.uuid], item, present.get(item.uuid)) for item in wanted.providers]
    changed = contents.write(tx, targets, numbers)
    provider_locks.mark_changed(tx, changed.difference(target.id for target in targets if target.record is None))
    return Written({target.wanted.uuid: _generation(target, changed) for target in targets}, removed)


def _generation(target: Target, changed: Collection[int]) -> int:
    """The generation of a provider afterwards; a new one begins with 0, whatever it has."""
    return 0 if target.record is None else target.record.provider.generation + (target.id in changed)


def _everybody(wanted: BulkWrite) -> set[str]:
    """Whoever is written or removed, and the parents they shall have."""
    parents = {item.first_parent for item in wanted.providers if item.first_parent is not None}
    return parents.union(item.uuid for item in wanted.subjects)


def _look_up_names(tx: Transaction, wanted: BulkWrite) -> Numbers:
    """The numbers of all resource classes and traits in the request."""
    class_names = {name for item in wanted.providers for name in item.inventories or ()}
    trait_names = {name for item in wanted.providers for name in item.traits or ()}
    if wanted.create_names:
        names.ensure_custom_names(tx, class_names, trait_names)
    class_ids = names.known_resource_classes(tx, class_names)
    trait_ids = names.known_traits(tx.connection, trait_names)
    refusals: dict[str, LedgerError] = {}
    for item in wanted.providers:
        if missing := sorted((item.inventories or {}).keys() - class_ids.keys()):
            refusals[item.uuid] = ResourceClassNotFound(missing[0])
        elif unknown := (item.traits or frozenset()) - trait_ids.keys():
            refusals[item.uuid] = TraitNotFound(unknown)
    if refusals:
        raise ProvidersRefused(refusals)
    return Numbers(class_ids, trait_ids)


def _check_conflicts(wanted: BulkWrite, present: Mapping[str, Record]) -> None:
    """Tell of all providers at once that somebody else changed, or whose inventories are in use."""
    refusals: dict[str, LedgerError] = {}
    for item in wanted.subjects:
        record = present.get(item.uuid)
        refusal = _unseen(item) if record is None else _conflict(item, record)
        if refusal is not None:
            refusals[item.uuid] = refusal
    if refusals:
        raise ProvidersRefused(refusals)


def _unseen(item: WholeProvider | Removal) -> LedgerError | None:
    """Why a provider that is not there cannot be written: the client has seen one. Whom to remove may have gone."""
    if isinstance(item, Removal) or not isinstance(item.generation, int):
        return None
    return GenerationConflict(item.uuid, actual=None, given=item.generation)


def _conflict(item: WholeProvider | Removal, record: Record) -> LedgerError | None:
    actual = record.provider.generation
    if item.generation is Absent.PROVIDER:
        return GenerationConflict(item.uuid, actual=actual, given=None)
    if item.generation is not None and item.generation != actual:
        return GenerationConflict(item.uuid, actual=actual, given=item.generation)
    if isinstance(item, Removal) or item.inventories is None:
        return None
    wanted = item.inventories
    in_use = [name for name, stock in record.stocks.items() if name not in wanted and stock.used]
    return InventoryInUse(in_use, item.uuid) if in_use else None

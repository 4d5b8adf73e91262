"""Steps and troubles in words, for logs and for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from moorage.hosts.agent.dividing import Postponed
from moorage.hosts.agent.holding import Kept
from moorage.hosts.difference import (
    CreateProvider,
    DeleteProvider,
    MoveProvider,
    RenameProvider,
    SetAggregates,
    SetInventories,
    SetTraits,
    Step,
)
from moorage.hosts.provider_tree import Provider, ProviderTree
from moorage.placement.model.inventory import Inventory

# More consumers than these are counted, not named.
_NAMED_CONSUMERS = 5

_FIELDS = ("reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")

_COUNTED: dict[type[Step], str] = {
    CreateProvider: "created",
    RenameProvider: "renamed",
    MoveProvider: "moved",
    SetInventories: "given other inventories",
    SetTraits: "given other traits",
    SetAggregates: "given other aggregates",
    DeleteProvider: "deleted",
}


def summary(steps: Iterable[Step]) -> str:
    """How many providers had what done to them."""
    counts = Counter(type(step) for step in steps)
    parts = [f"{counts[kind]} {words}" for kind, words in _COUNTED.items() if counts[kind]]
    return f"providers: {', '.join(parts)}" if parts else "nothing to change"


def described(step: Step, old: ProviderTree, new: ProviderTree) -> Iterator[str]:
    """What a step changes, a line for each thing."""
    present = old.get(step.uuid)
    name = (present or new[step.uuid]).name
    known = present or Provider(step.uuid, name)
    match step:
        case CreateProvider():
            below = f" below {_name(step.parent_uuid, new)}" if step.parent_uuid else ""
            yield f"create the provider {name} ({step.uuid}){below}"
        case RenameProvider():
            yield f"rename {name} to {step.name}"
        case MoveProvider():
            yield f"move {name} below {_name(step.parent_uuid, new)}" if step.parent_uuid else f"make {name} a root"
        case SetInventories():
            yield from _inventories(name, known.inventories, step.inventories)
        case SetTraits():
            yield from _members(name, "trait", known.traits, step.traits)
        case SetAggregates():
            yield from _members(name, "aggregate", known.aggregates, step.aggregates)
        case DeleteProvider():
            yield f"delete the provider {name} ({step.uuid})"


def in_use(kept: Kept, holders: Mapping[str, frozenset[str]]) -> str:
    """Why something is still there, and who has to let go of it."""
    what = "the provider itself" if kept.whole else "it"
    return (
        f"{kept.provider.name}: {_held(kept.resource_classes, holders)}; {what} should be taken away, and will be once"
        " nobody holds it any more. Until then nobody else gets any of it."
    )


def postponed(each: Postponed, holders: Mapping[str, frozenset[str]]) -> str:
    """Why something does not go over to other providers yet, and who has to let go of it."""
    move = each.move
    return (
        f"{move.provider.name}: {_held(each.held, holders)}; {_listed(move.resource_classes)} should go over to"
        f" {_listed(taker.name for taker in move.takers)}, and will once nobody holds any of it. Until then it is"
        " offered where it is, as before."
    )


def refused(uuids: Sequence[str], reason: str, old: ProviderTree, new: ProviderTree) -> str:
    """What Placement does not let the agent do."""
    providers = (old.get(uuid) or new.get(uuid) for uuid in uuids)
    names = ", ".join(provider.name for provider in providers if provider)
    return f"{names}: Placement refuses the change: {reason}."


def amount(inventory: Inventory) -> str:
    """An inventory in one line: its total, and what is not as usual."""
    usual = Inventory(total=inventory.total)
    values = {
        field: getattr(inventory, field) for field in _FIELDS if getattr(inventory, field) != getattr(usual, field)
    }
    special = ", ".join(f"{field} {value}" for field, value in values.items())
    return f"{inventory.total} ({special})" if special else str(inventory.total)


def _inventories(name: str, old: Mapping[str, Inventory], new: Mapping[str, Inventory]) -> Iterator[str]:
    for resource_class in sorted({*old, *new}):
        before, after = old.get(resource_class), new.get(resource_class)
        if after is None:
            yield f"{name}: remove inventory {resource_class}"
        elif before is None:
            yield f"{name}: add inventory {resource_class} {amount(after)}"
        elif before != after:
            yield f"{name}: change inventory {resource_class} {amount(before)} to {amount(after)}"


def _members(name: str, kind: str, old: frozenset[str], new: frozenset[str]) -> Iterator[str]:
    yield from (f"{name}: remove {kind} {member}" for member in sorted(old - new))
    yield from (f"{name}: add {kind} {member}" for member in sorted(new - old))


def _held(resource_classes: Iterable[str], holders: Mapping[str, frozenset[str]]) -> str:
    return "; ".join(
        f"{name} is held by {_consumers(holders.get(name, frozenset()))}" for name in sorted(resource_classes)
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _consumers(consumers: frozenset[str]) -> str:
    named = sorted(consumers)[:_NAMED_CONSUMERS]
    more = f" and {len(consumers) - len(named)} more" if len(consumers) > len(named) else ""
    return f"{'consumer' if len(consumers) == 1 else 'consumers'} {', '.join(named)}{more}" if named else "somebody"


def _name(uuid: str, tree: ProviderTree) -> str:
    provider = tree.get(uuid)
    return provider.name if provider else uuid

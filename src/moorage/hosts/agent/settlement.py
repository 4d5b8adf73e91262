"""What is the agent's own after a plan was carried out in part, where only the agent itself remembers that.

What was written is its own, and what was taken away is not any more. What was refused, or not even tried, is as it was:
somebody else may have made just that meanwhile, and it is theirs. What got no answer may be either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from moorage.hosts.difference import CreateProvider, DeleteProvider, SetAggregates, SetInventories, SetTraits, Step
from moorage.placement.model.origin import Origin

Origins = Mapping[str, Origin]
"""By the UUIDs of their providers."""

Kinds = Collection[type[Step]]

_Part = TypeVar("_Part")


def either(old: Origins, new: Origins) -> dict[str, Origin]:
    """What may be the agent's own while old things are being replaced by new ones."""
    return {
        uuid: _joined(old[uuid], new[uuid]) if uuid in old and uuid in new else (old.get(uuid) or new[uuid])
        for uuid in {**old, **new}
    }


def settled(old: Origins, new: Origins, missed: Iterable[Step], doubtful: Iterable[Step]) -> dict[str, Origin]:
    """What is the agent's own when all steps from old to new were taken but these.

    `missed` were certainly not taken; of `doubtful` ones nobody knows.
    """
    not_taken: dict[str, set[type[Step]]] = {}
    unknown: dict[str, set[type[Step]]] = {}
    for steps, kinds in ((missed, not_taken), (doubtful, unknown)):
        for step in steps:
            kinds.setdefault(step.uuid, set()).add(type(step))
    result = dict(new)
    for uuid in not_taken.keys() | unknown.keys():
        origin = _settled(old.get(uuid), new.get(uuid), not_taken.get(uuid, ()), unknown.get(uuid, ()))
        if origin is None:
            result.pop(uuid, None)
        else:
            result[uuid] = origin
    return result


def _settled(old: Origin | None, new: Origin | None, missed: Kinds, doubtful: Kinds) -> Origin | None:
    known = old or new
    if known is None or DeleteProvider in missed or DeleteProvider in doubtful:
        return old
    before, after = old or Origin(known.host), new or Origin(known.host)
    joined = _joined(before, after)

    def part(kind: type[Step], old_part: _Part, new_part: _Part, joined_part: _Part) -> _Part:
        return joined_part if kind in doubtful else old_part if kind in missed else new_part

    origin = Origin(
        after.host,
        part(CreateProvider, before.made, after.made, joined.made),
        part(SetInventories, before.inventories, after.inventories, joined.inventories),
        part(SetTraits, before.traits, after.traits, joined.traits),
        part(SetAggregates, before.aggregates, after.aggregates, joined.aggregates),
    )
    return None if old is None and origin == Origin(after.host) else origin


def _joined(old: Origin, new: Origin) -> Origin:
    return Origin(
        host=new.host,
        made=old.made or new.made,
        inventories={**old.inventories, **new.inventories},
        traits={**old.traits, **new.traits},
        aggregates={**old.aggregates, **new.aggregates},
    )

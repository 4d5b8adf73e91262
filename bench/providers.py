"""The providers of a cloud, one by one: shapes multiplied out, with names and identifiers that never change."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.load import Shape

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "bench.moorage")


@dataclass(frozen=True, slots=True)
class Provider:
    """A resource provider; `number` counts from 1, parents before their children. `holds` is one consumer's."""

    number: int
    name: str
    root: int
    parent: int | None
    inventories: Mapping[str, Mapping[str, float]]
    traits: Sequence[str]
    aggregates: Sequence[str]
    holds: Mapping[str, int] | None

    @property
    def uuid(self) -> str:
        """Made from the name."""
        return identifier(self.name)


def identifier(name: str) -> str:
    """The UUID of whatever has this name."""
    return str(uuid.uuid5(_NAMESPACE, name))


def providers(trees: Mapping[str, int], shapes: Mapping[str, Shape], prefix: str = "") -> list[Provider]:
    """All providers of so many trees of each shape."""
    made: list[Provider] = []
    for name, count in trees.items():
        for turn in range(count):
            made.extend(_tree(shapes[name], f"{prefix}{name}-{turn}", turn, len(made) + 1))
    return made


def _tree(
    shape: Shape, name: str, turn: int, number: int, root: int | None = None, parent: int | None = None
) -> Iterator[Provider]:
    yield Provider(
        number,
        name,
        root or number,
        parent,
        shape.inventories,
        shape.traits[turn % len(shape.traits)],
        shape.aggregates[turn // len(shape.traits) % len(shape.aggregates)],
        shape.holds,
    )
    after = number + 1
    for child in shape.children:
        for copy in range(child.count):
            below = list(_tree(child.shape, f"{name}-{child.name}{copy}", turn, after, root or number, number))
            yield from below
            after += len(below)

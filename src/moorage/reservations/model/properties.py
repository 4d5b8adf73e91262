"""Conditions on the properties of hosts, as clients write them: JSON such as ["and", [">=", "$gpus", "2"], …].

Comparisons are ==, =, !=, <, <=, > and >=, of a property, which has a dollar sign before its name, with a value; `and`
and `or` join any number of conditions, nested as one likes, and `not` turns one around. Where both sides are numbers
they compare as numbers, else as texts. A host without the property meets no comparison with it but !=.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from moorage.reservations.model.refusals import Invalid

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Comparison:
    """A property compared with a value."""

    operator: str
    name: str
    value: str

    def names(self) -> Iterator[str]:
        """The properties that it looks at."""
        yield self.name

    def met_by(self, properties: Mapping[str, str]) -> bool:
        """Whether a host with these properties meets it."""
        found = properties.get(self.name)
        if found is None:
            return self.operator == "!="
        numbers = (_number(found), _number(self.value))
        sides = (found, self.value) if None in numbers else numbers
        return _COMPARISONS[self.operator](*sides)


@dataclass(frozen=True, slots=True)
class Combination:
    """Conditions joined by `and`, `or` or `not`."""

    operator: str
    parts: tuple[Condition, ...]

    def names(self) -> Iterator[str]:
        """The properties that it looks at."""
        for part in self.parts:
            yield from part.names()

    def met_by(self, properties: Mapping[str, str]) -> bool:
        """Whether a host with these properties meets it."""
        met = (part.met_by(properties) for part in self.parts)
        if self.operator == "or":
            return any(met)
        return not any(met) if self.operator == "not" else all(met)


Condition = Comparison | Combination

ANYTHING = Combination("and", ())


def read_condition(text: str) -> Condition:
    """What a text asks for; an empty one asks for nothing."""
    if not text.strip():
        return ANYTHING
    try:
        return _condition(msgspec.json.decode(text), _DEEPEST)
    except (msgspec.DecodeError, RecursionError, _Malformed) as error:
        raise Invalid(f"Malformed requirements {text}") from error


class _Malformed(Exception):
    """Not a condition."""


def _condition(content: Any, depth: int) -> Condition:
    if content == [] and depth == _DEEPEST:
        return ANYTHING
    if not isinstance(content, list) or len(content) < 2 or depth <= 0:  # noqa: PLR2004 - an operator and something
        raise _Malformed
    name = content[0]
    if name in ("and", "or") or (name == "not" and len(content) == 2):  # noqa: PLR2004
        return Combination(name, tuple(_condition(part, depth - 1) for part in content[1:]))
    match content:
        case [str() as comparison, str() as key, str() | int() | float() | bool() as value] if (
            comparison in _COMPARISONS and key.startswith("$") and len(key) > 1
        ):
            return Comparison(
                comparison, key[1:], value if isinstance(value, str) else msgspec.json.encode(value).decode()
            )
    raise _Malformed


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None  # noqa: PLR0124 - not NaN

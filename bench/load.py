"""What to measure: the files in `loads/`, read into values.

A load is a list of clouds; each has trees of providers, made from shapes, and rows, each naming some work and what is
expected of it. Everything is checked here, so that a mistake in a file shows before anything is started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml

LOADS = Path(__file__).with_name("loads")
UPSTREAM, MOORAGE = "upstream", "Moorage"
SIDES = {"upstream": UPSTREAM, "moorage": MOORAGE}
"""What the sides are called in files and options, and what readers see."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A provider and what is below it. `traits` and `aggregates` are sets that the trees of a cloud get in turn."""

    inventories: Mapping[str, Mapping[str, float]]
    traits: Sequence[Sequence[str]] = ((),)
    aggregates: Sequence[Sequence[str]] = ((),)
    holds: Mapping[str, int] | None = None
    children: Sequence[Child] = ()


@dataclass(frozen=True, slots=True)
class Child:
    """A shape that occurs so many times below another."""

    name: str
    count: int
    shape: Shape


@dataclass(frozen=True, slots=True)
class Get:
    """One request."""

    path: str


@dataclass(frozen=True, slots=True)
class ChangeAndGet:
    """The inventories of any root provider are written anew, then one request."""

    path: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A new consumer takes these amounts from any provider."""

    amounts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class FindAndClaim:
    """A request for candidates, then a claim of one of them."""

    path: str


@dataclass(frozen=True, slots=True)
class ReadOrClaim:
    """A claim or a read, at random; `claim_share` of all are claims."""

    claim_share: float
    claim: Claim
    reads: Sequence[Get]


@dataclass(frozen=True, slots=True)
class LoadProvider:
    """One provider of a shape without children, written the way Nova does: in four requests."""

    shape: Shape


@dataclass(frozen=True, slots=True)
class BulkLoad:
    """So many trees of each shape in one request."""

    trees: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Start:
    """From starting the server to the first answer to a request."""

    path: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What the largest worker holds."""


Step = Get | ChangeAndGet | Claim | FindAndClaim | ReadOrClaim | LoadProvider
Action = Step | BulkLoad | Start | Memory


@dataclass(frozen=True, slots=True)
class Work:
    """Something to measure: with `clients`, as the rate of that many at once; without, as the time that one takes."""

    name: str
    title: str
    action: Action
    clients: int | None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a row must show.

    `at_least` is a ratio to upstream, for each database. `at_most` is a ratio to Moorage's own result in the row `of`
    (a cloud and some work), or an amount in the row's unit if there is none.
    """

    at_least: Mapping[str, float]
    at_most: float | None = None
    of: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Some work in a cloud, on which sides, and what is expected."""

    work: Work
    sides: Sequence[str]
    expectation: Expectation


@dataclass(frozen=True, slots=True)
class Cloud:
    """How many trees of which shape, and what is measured there."""

    name: str
    trees: Mapping[str, int]
    rows: Sequence[Row]

    @property
    def sides(self) -> list[str]:
        """The sides that any of the rows needs."""
        return [side for side in SIDES.values() if any(side in row.sides for row in self.rows)]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long measuring may take: samples and seconds for each side of a row, whichever ends first."""

    samples: int
    seconds: float
    timeout: float
    parallel_seconds: float


@dataclass(frozen=True, slots=True)
class Load:
    """All that is measured in one run."""

    name: str
    bounds: Bounds
    clouds: Sequence[Cloud]
    shapes: Mapping[str, Shape]

    def only(self, sides: Sequence[str], patterns: Sequence[str]) -> Load:
        """The same load with these sides alone, and with the rows whose names match one of the patterns."""
        clouds = []
        for cloud in self.clouds:
            rows = [
                Row(row.work, [side for side in row.sides if side in sides], row.expectation)
                for row in cloud.rows
                if any(fnmatchcase(row.work.name, pattern) for pattern in patterns)
            ]
            clouds.append(Cloud(cloud.name, cloud.trees, [row for row in rows if row.sides]))
        return Load(self.name, self.bounds, [cloud for cloud in clouds if cloud.rows], self.shapes)


def load_names() -> list[str]:
    """The loads there are."""
    return sorted(path.stem for path in LOADS.glob("*.yaml") if path.stem not in ("shapes", "work"))


def read_load(name: str) -> Load:
    """Read a load and what it refers to."""
    shapes = {key: _shape(value) for key, value in _read("shapes").items()}
    work = {key: _work(key, value, shapes) for key, value in _read("work").items()}
    content = _read(name)
    clouds = []
    for cloud in content["clouds"]:
        sides = cloud.get("sides", list(SIDES))
        rows = [_row(work[key], value or {}, sides) for key, value in cloud["work"].items()]
        clouds.append(Cloud(cloud["name"], cloud["trees"], rows))
    return Load(name, Bounds(**content["bounds"]), clouds, shapes)


def _read(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((LOADS / f"{name}.yaml").read_text("utf-8"))
    return content


def _shape(content: Mapping[str, Any]) -> Shape:
    children = [
        Child(
            child["name"],
            child.get("count", 1),
            _shape({key: value for key, value in child.items() if key not in ("name", "count")}),
        )
        for child in content.get("children", ())
    ]
    return Shape(**{**content, "children": children})


def _work(name: str, content: Mapping[str, Any], shapes: Mapping[str, Shape]) -> Work:
    kinds = content.keys() - {"title", "clients"}
    if len(kinds) != 1:
        raise ValueError(f"{name} in work.yaml must say what is done in one way, not in these: {sorted(kinds)}")
    (kind,) = kinds
    return Work(name, content["title"], _action(kind, content[kind], shapes), content.get("clients"))


def _action(kind: str, value: Any, shapes: Mapping[str, Shape]) -> Action:
    readers: dict[str, Callable[[], Action]] = {
        "get": lambda: Get(value),
        "change_and_get": lambda: ChangeAndGet(value),
        "claim": lambda: Claim(value),
        "find_and_claim": lambda: FindAndClaim(value),
        "read_or_claim": lambda: ReadOrClaim(
            value["claim_share"], Claim(value["claim"]), [Get(path) for path in value["get"]]
        ),
        "load_provider": lambda: LoadProvider(shapes[value]),
        "bulk_load": lambda: BulkLoad(value),
        "start": lambda: Start(value),
        "memory": Memory,
    }
    return readers[kind]()


def _row(work: Work, content: Mapping[str, Any], sides: Sequence[str]) -> Row:
    at_least = content.get("at_least", {})
    if not isinstance(at_least, Mapping):
        at_least = dict.fromkeys(("postgresql", "mariadb", "sqlite"), at_least)
    of = tuple(content["of"]) if "of" in content else None
    chosen = [SIDES[side] for side in content.get("sides", sides)]
    return Row(work, chosen, Expectation(at_least, content.get("at_most"), of))

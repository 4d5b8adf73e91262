"""Small random clouds and requests in which everything competes for the same few things."""

from __future__ import annotations

from hypothesis import strategies as st

from moorage.placement.model.query import AggregateFilter, CandidateQuery, RequestGroup, TraitFilter
from tests.placement.index.clouds import SHARING, Provider, stock

CLASSES = ("VCPU", "GPU")
TRAITS = ("FAST", "SAFE")
AGGREGATES = ("rack", "row")

_AMOUNTS = st.integers(1, 3)
_LARGE_AMOUNTS = st.integers(1, 14)
_STOCKS = st.builds(
    stock,
    st.integers(1, 4),
    st.sampled_from([0, 0, 1]),
    min_unit=st.sampled_from([1, 1, 1, 2]),
    max_unit=st.integers(1, 4),
    step_size=st.sampled_from([1, 1, 1, 2]),
)
# Of which several groups may take some, but often not all that is there.
_LARGE_STOCKS = st.builds(
    stock,
    st.integers(1, 12),
    st.sampled_from([0, 0, 1, 3]),
    max_unit=st.integers(1, 12),
    step_size=st.sampled_from([1, 1, 2]),
)


def _some(names: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), max_size=1).map(tuple)


@st.composite
def forests(draw: st.DrawFn, *, sharing: bool = True, large: bool = False) -> list[Provider]:
    """A few providers in one to three trees; some of them may share."""
    stocks = _LARGE_STOCKS if large else _STOCKS
    count = draw(st.integers(1, 6))
    roots = draw(st.integers(1, min(3, count)))
    parents = [None if number < roots else draw(st.integers(0, number - 1)) for number in range(count)]
    made: dict[int, Provider] = {}
    for number in reversed(range(count)):
        made[number] = Provider(
            f"p{number}",
            draw(st.dictionaries(st.sampled_from(CLASSES), stocks, max_size=2)),
            draw(_some((*TRAITS, SHARING) if sharing else TRAITS)),
            draw(_some(AGGREGATES)),
            [made[child] for child in range(number + 1, count) if parents[child] == number],
        )
    return [made[number] for number in range(roots)]


@st.composite
def _groups(draw: st.DrawFn, suffix: str, amounts: st.SearchStrategy[int]) -> RequestGroup:
    some_traits = draw(st.lists(st.sampled_from(TRAITS), max_size=2, unique=True))
    some_aggregates = draw(_some(AGGREGATES))
    forbids = draw(st.booleans())
    return RequestGroup(
        suffix,
        draw(st.dictionaries(st.sampled_from(CLASSES), amounts, min_size=1, max_size=2)),
        TraitFilter((), frozenset(some_traits)) if forbids else TraitFilter(tuple(frozenset({t}) for t in some_traits)),
        AggregateFilter((), frozenset(some_aggregates))
        if draw(st.integers(0, 3)) == 0
        else AggregateFilter(tuple(frozenset({uuid}) for uuid in some_aggregates if draw(st.booleans()))),
        draw(st.sampled_from([None, None, None, "p0", "p1"])),
    )


@st.composite
def queries(draw: st.DrawFn, *, large: bool = False) -> CandidateQuery:
    """One to three groups under any rules."""
    amounts = _LARGE_AMOUNTS if large else _AMOUNTS
    suffixes = draw(st.sampled_from([("",), ("1",), ("", "1"), ("1", "2"), ("", "1", "2"), ("1", "2", "3")]))
    named = [suffix for suffix in suffixes if suffix]
    together = draw(st.sets(st.sampled_from(named), min_size=2)) if len(named) > 1 and draw(st.booleans()) else set()
    return CandidateQuery(
        tuple(draw(_groups(suffix, amounts)) for suffix in suffixes),
        isolate=draw(st.booleans()),
        root_traits=TraitFilter(tuple(frozenset({name}) for name in draw(st.sampled_from([(), (), (), ("FAST",)])))),
        same_subtrees=(frozenset(together),) if together else (),
        nested=draw(st.sampled_from([True, True, True, False])),
    )

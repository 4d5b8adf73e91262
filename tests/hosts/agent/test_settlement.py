"""What is the agent's own after a part of a plan."""

from __future__ import annotations

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.agent.settlement import either, settled
from moorage.hosts.difference import CreateProvider, DeleteProvider, SetAggregates, SetInventories, SetTraits, Step
from moorage.placement.model.origin import Origin
from tests.properties import effort

FILE, LINUX = "file:a.yaml", "driver:linux"
OLD = {"a": Origin("host", made=True, inventories={"CUSTOM_OLD": FILE}, traits={"CUSTOM_OLD": FILE})}
NEW = {"a": Origin("host", made=True, inventories={"CUSTOM_NEW": FILE}, traits={"CUSTOM_NEW": FILE})}
INVENTORIES, TRAITS = SetInventories("a", {}), SetTraits("a", frozenset())


def test_while_things_change_both_old_and_new_are_ours() -> None:
    old = {
        "a": Origin("host", made=True, inventories={"CUSTOM_A": FILE}, traits={"CUSTOM_T": FILE}),
        "b": Origin("host"),
    }
    new = {
        "a": Origin("host", inventories={"CUSTOM_B": FILE}, traits={"CUSTOM_T": LINUX}, aggregates={"x": LINUX}),
        "c": Origin("host", made=True),
    }
    assert either(old, new) == {
        "a": Origin(
            "host",
            made=True,
            inventories={"CUSTOM_A": FILE, "CUSTOM_B": FILE},
            traits={"CUSTOM_T": LINUX},
            aggregates={"x": LINUX},
        ),
        "b": Origin("host"),
        "c": Origin("host", made=True),
    }


def test_what_was_refused_is_not_ours() -> None:
    assert settled(OLD, NEW, [INVENTORIES], []) == {
        "a": Origin("host", made=True, inventories={"CUSTOM_OLD": FILE}, traits={"CUSTOM_NEW": FILE})
    }


def test_what_got_no_answer_may_be_ours() -> None:
    assert settled(OLD, NEW, [INVENTORIES], [TRAITS]) == {
        "a": Origin(
            "host",
            made=True,
            inventories={"CUSTOM_OLD": FILE},
            traits={"CUSTOM_OLD": FILE, "CUSTOM_NEW": FILE},
        )
    }


def test_a_provider_that_could_not_be_made_is_not_ours() -> None:
    created = CreateProvider("a", "node", None)
    assert settled({}, NEW, [created, TRAITS, INVENTORIES], []) == {}
    assert settled({}, NEW, [TRAITS, INVENTORIES], [created]) == {"a": Origin("host", made=True)}


def test_a_provider_that_could_not_be_deleted_is_still_ours() -> None:
    assert settled(OLD, {}, [DeleteProvider("a")], []) == OLD
    assert settled(OLD, {}, [], [DeleteProvider("a")]) == OLD
    assert settled(OLD, {}, [], []) == {}


names = st.dictionaries(st.sampled_from("XYZ"), st.just(FILE))
origins = st.builds(Origin, st.just("host"), st.booleans(), names, names, names)
many_origins = st.dictionaries(st.sampled_from("abc"), origins)
ALL_KINDS: list[Step] = list(
    chain.from_iterable(
        (SetInventories(uuid, {}), SetTraits(uuid, frozenset()), SetAggregates(uuid, frozenset())) for uuid in "abc"
    )
)


@effort(300)
@given(many_origins, many_origins, st.sets(st.integers(0, len(ALL_KINDS) - 1)), st.data())
def test_ours_is_never_more_than_old_and_new_and_never_less_than_what_both_have(
    old: dict[str, Origin], new: dict[str, Origin], missed: set[int], data: st.DataObject
) -> None:
    doubtful = data.draw(st.sets(st.sampled_from(sorted(missed)))) if missed else set()
    result = settled(
        old, new, [ALL_KINDS[number] for number in missed - doubtful], [ALL_KINDS[number] for number in doubtful]
    )
    most = either(old, new)
    for uuid in most:
        origin, empty = result.get(uuid, Origin("host")), Origin("host")
        for part in ("inventories", "traits", "aggregates"):
            ours = getattr(origin, part).keys()
            assert ours <= getattr(most[uuid], part).keys()
            assert ours >= getattr(old.get(uuid, empty), part).keys() & getattr(new.get(uuid, empty), part).keys()
    assert settled(old, new, [], []) == new

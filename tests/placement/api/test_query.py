from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.placement.api import query
from moorage.placement.api.errors import ApiError
from moorage.placement.api.microversion import NEWEST
from moorage.placement.api.query import (
    parse_candidate_query,
    parse_in_tree,
    parse_member_of,
    parse_provider_filter,
    parse_required,
    parse_resources,
)
from moorage.placement.api.request import Parameters
from moorage.placement.model.query import AggregateFilter, TraitFilter
from moorage.web.versions import Version
from tests.properties import effort

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

versions = st.tuples(st.just(1), st.integers(18, NEWEST[1]))
class_names = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", min_size=1, max_size=20)
amounts = st.integers(1, 10**30)
# Texts made of what the parameters are made of, so that they are often nearly right.
pieces = st.sampled_from(["VCPU", "MEMORY_MB", "in:", "!", ",", ":", "1", "0", "-1", "9" * 5000, " ", "CUSTOM_A"])
uuid_texts = st.uuids().map(str)
nearly_right = st.lists(pieces | uuid_texts | st.text(max_size=3), max_size=6).map("".join)


def refused(error: ApiError) -> bool:
    return error.status == 400 and bool(error.detail)


def unless_refused(
    parse: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result | None:
    """What was read, or None if that was refused as a bad request."""
    try:
        return parse(*args, **kwargs)
    except ApiError as error:
        if not refused(error):
            raise
        return None


# --- resources


def test_resources_are_read() -> None:
    assert parse_resources("VCPU:2,MEMORY_MB:1024") == {"VCPU": 2, "MEMORY_MB": 1024}


@pytest.mark.parametrize(
    "text",
    ["", " ", ",", "VCPU", "VCPU:", "VCPU:1,", "VCPU:1:2", "VCPU:0", "VCPU:-1", "VCPU:1.5", "VCPU:1e3", "VCPU:x"],
)
def test_resources_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(ApiError) as error:
        parse_resources(text)
    assert refused(error.value)


def test_a_number_with_more_digits_than_python_converts_is_refused() -> None:
    with pytest.raises(ApiError) as error:
        parse_resources(f"VCPU:{'9' * 5000}")
    assert refused(error.value)


@effort(200)
@given(st.dictionaries(class_names, amounts, min_size=1))
def test_resources_are_what_was_written(resources: dict[str, int]) -> None:
    assert parse_resources(",".join(f"{name}:{amount}" for name, amount in resources.items())) == resources


@effort(500)
@given(nearly_right)
def test_any_resources_are_positive_or_refused(text: str) -> None:
    resources = unless_refused(parse_resources, text)
    assert resources is None or (resources and all(amount >= 1 for amount in resources.values()))


# --- UUIDs


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, str]:
    """A UUID and another way to write it."""
    uuid: UUID = draw(st.uuids())
    written = draw(st.sampled_from([str(uuid), uuid.hex, uuid.urn, f"{{{uuid}}}"]))
    return str(uuid), draw(st.sampled_from([written, written.upper() if "urn" not in written else written]))


@effort(200)
@given(spellings())
def test_every_spelling_names_the_same_tree(spelling: tuple[str, str]) -> None:
    uuid, written = spelling
    assert parse_in_tree(written) == uuid


@effort(200)
@given(spellings(), spellings())
def test_every_spelling_names_the_same_aggregate(one: tuple[str, str], other: tuple[str, str]) -> None:
    both = frozenset({one[0], other[0]})
    listed = f"in:{one[1]},{other[1]}"
    assert parse_member_of([listed], NEWEST) == AggregateFilter(required=(both,))
    assert parse_member_of([f"!{listed}"], NEWEST) == AggregateFilter(forbidden=both)


@effort(500)
@given(st.text("0123456789abcdefABCDEF-{}urn:_ ٠１", max_size=40) | nearly_right)
def test_what_is_taken_for_a_uuid_is_one(text: str) -> None:
    uuid = unless_refused(parse_in_tree, text)
    assert uuid is None or str(UUID(uuid)) == uuid


# --- traits


@pytest.mark.parametrize(
    ("values", "version", "traits"),
    [
        (["A,B"], (1, 18), TraitFilter((frozenset("A"), frozenset("B")))),
        (["A", "B"], (1, 38), TraitFilter((frozenset("B"),))),
        (["A", "B"], (1, 39), TraitFilter((frozenset("A"), frozenset("B")))),
        (["A,!B"], (1, 22), TraitFilter((frozenset("A"),), frozenset("B"))),
        (["in:A,B", "!C"], (1, 39), TraitFilter((frozenset("AB"),), frozenset("C"))),
    ],
)
def test_traits_are_read(values: list[str], version: Version, traits: TraitFilter) -> None:
    assert parse_required(values, version) == traits


@pytest.mark.parametrize(
    ("value", "version"),
    [
        ("", (1, 39)),
        ("A,", (1, 39)),
        ("!", (1, 39)),
        ("!A", (1, 21)),
        ("in:A,B", (1, 38)),
        ("in:A,!B", (1, 39)),
        ("in:", (1, 39)),
    ],
)
def test_traits_that_make_no_sense_are_refused(value: str, version: Version) -> None:
    with pytest.raises(ApiError) as error:
        parse_required([value], version)
    assert refused(error.value)


# --- whole query strings

suffixes = st.sampled_from(["", "1", "2", "_A"])
group_keys = st.builds("{}{}".format, st.sampled_from(["resources", "required", "member_of", "in_tree"]), suffixes)
other_keys = st.sampled_from(["limit", "group_policy", "root_required", "same_subtree", "name", "uuid"])
likely = st.sampled_from(["VCPU:1", "CUSTOM_A,!CUSTOM_B", "in:CUSTOM_A,CUSTOM_B", "1", "10", "isolate", "_A,1", "!"])
pairs = st.lists(st.tuples(group_keys | other_keys, likely | uuid_texts | nearly_right), max_size=8).map(tuple)


@effort(500)
@given(pairs, versions)
def test_any_request_for_candidates_is_read_or_refused(pairs: tuple[tuple[str, str], ...], version: Version) -> None:
    query = unless_refused(parse_candidate_query, Parameters(pairs), version)
    assert query is None or any(group.resources for group in query.groups)
    assert query is None or query.limit is None or query.limit >= 1


@effort(300)
@given(pairs, versions)
def test_any_filter_of_providers_is_read_or_refused(pairs: tuple[tuple[str, str], ...], version: Version) -> None:
    wanted = unless_refused(parse_provider_filter, Parameters(pairs), version)
    assert wanted is None or all(amount >= 1 for amount in wanted.resources.values())


def test_a_value_is_read_once_however_often_its_parameter_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(value: str, **_: bool) -> tuple[list[str], set[str]]:
        read.append(value)
        return [value], set()

    monkeypatch.setattr(query, "_plain_traits", reading)
    values = [f"CUSTOM_{number}" for number in range(10)]
    pairs = (("resources", "VCPU:1"), *(("required", value) for value in values))
    (group,) = parse_candidate_query(Parameters(pairs), NEWEST).groups
    assert group.traits.required == tuple(frozenset({value}) for value in values)
    assert read == values


def classes(count: int) -> str:
    return ",".join(f"CUSTOM_C{number}:1" for number in range(count))


@pytest.mark.parametrize(
    "pairs",
    [
        (("resources", classes(201)),),
        (("resources", classes(200)), ("resources1", "VCPU:1")),
        (*((f"resources{number}", "VCPU:1") for number in range(1, 202)), ("group_policy", "none")),
    ],
)
def test_more_than_can_be_combined_is_refused(pairs: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(ApiError) as error:
        parse_candidate_query(Parameters(pairs), NEWEST)
    assert refused(error.value)
    assert error.value.detail == (
        "At most 200 request groups are allowed in one query, of which the one without a suffix counts once for each "
        "of its resource classes. Got: 201"
    )


@pytest.mark.parametrize(
    "pairs",
    [
        (("resources", classes(199)), ("resources1", classes(300))),
        (*((f"resources{number}", "VCPU:1") for number in range(1, 201)), ("group_policy", "none")),
    ],
)
def test_what_can_be_combined_is_read(pairs: tuple[tuple[str, str], ...]) -> None:
    assert parse_candidate_query(Parameters(pairs), NEWEST).groups

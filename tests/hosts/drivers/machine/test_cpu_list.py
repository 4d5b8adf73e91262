"""Lists of processors: what is read from the kernel and from settings, and what is refused."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.hosts.drivers.machine.cpu_list import MAX_CPU, format_cpu_list, parse_cpu_list
from tests.properties import effort


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("0", {0}),
        ("0-3,8", {0, 1, 2, 3, 8}),
        (" 0 , 2-3 ", {0, 2, 3}),
        ("3,1-2,2", {1, 2, 3}),
        ("4-12,^8,15", {4, 5, 6, 7, 9, 10, 11, 12, 15}),
        ("^8,4-12", {4, 5, 6, 7, 9, 10, 11, 12}),
        ("007", {7}),
        ("", set()),
        (" \n", set()),
    ],
)
def test_lists(text: str, numbers: set[int]) -> None:
    assert parse_cpu_list(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "1,",
        ",1",
        "-3",
        "3-",
        "3-1",
        "1--2",
        "^",
        "^1-2",
        "1;2",
        "0x3",
        "1.5",
        "٣",
        "65536",
        "0-99999999999",
        "9" * 5000,
    ],
)
def test_what_is_no_list(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parse_cpu_list(text)


cpus = st.frozensets(st.integers(0, MAX_CPU) | st.integers(0, 64))


@given(cpus)
@effort(200)
def test_what_is_written_is_read_again(numbers: frozenset[int]) -> None:
    assert parse_cpu_list(format_cpu_list(numbers)) == numbers


@given(cpus)
@effort(100)
def test_what_is_written_has_no_shorter_ranges(numbers: frozenset[int]) -> None:
    text = format_cpu_list(numbers)
    begins = [number for number in numbers if number - 1 not in numbers]
    assert len([item for item in text.split(",") if item]) == len(begins)


@given(cpus, cpus)
@effort(100)
def test_exclusions_are_taken_away(numbers: frozenset[int], excluded: frozenset[int]) -> None:
    items = [format_cpu_list(numbers), *(f"^{number}" for number in excluded)]
    assert parse_cpu_list(",".join(item for item in items if item)) == numbers - excluded


@given(st.text(alphabet="0123456789,-^ x") | st.text())
@effort(500)
def test_any_text_is_a_list_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert all(0 <= number <= MAX_CPU for number in parse_cpu_list(text))

"""Names in descriptions, with places for numbers and for the name of the parent."""

from __future__ import annotations

import pytest

from moorage.hosts.drivers.static.names import complaint, fill_in


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("node-{}", "node-7"),
        ("node-{:04}", "node-0007"),
        ("{:02}.rack.example.org", "07.rack.example.org"),
        ("{parent}_numa{}", "host_numa7"),
        ("{parent}_{:03}_{}", "host_007_7"),
        ("plain", "plain"),
    ],
)
def test_filling_in(pattern: str, name: str) -> None:
    assert complaint(pattern, is_child=True, is_many="{}" in pattern or "{:" in pattern) is None
    assert fill_in(pattern, 7, "host") == name


def test_a_number_may_have_more_digits_than_there_is_room_for() -> None:
    assert fill_in("node-{:02}", 1234, "") == "node-1234"


@pytest.mark.parametrize("parent", ["host{}", "{parent}", r"a\1b"])
def test_the_name_of_the_parent_is_taken_as_it_is(parent: str) -> None:
    assert fill_in("{parent}_{}", 3, parent) == f"{parent}_3"


@pytest.mark.parametrize(
    ("pattern", "is_child", "is_many", "wrong"),
    [
        ("", False, False, "is empty"),
        ("  ", True, False, "is empty"),
        ("node-{", False, True, "has a brace"),
        ("node-{}}", False, True, "has a brace"),
        ("node-{:4}", False, True, "has a brace"),
        ("node-{:04d}", False, True, "has a brace"),
        ("node-{0}", False, True, "has a brace"),
        ("{parent.name}", True, False, "has a brace"),
        ("{parent}_x", False, False, "there is no parent"),
        ("node", False, True, "the name of several"),
        ("{parent}", True, True, "the name of several"),
        ("node-{}", False, False, "no count"),
    ],
)
def test_what_cannot_be_a_name(pattern: str, *, is_child: bool, is_many: bool, wrong: str) -> None:
    assert wrong in (complaint(pattern, is_child=is_child, is_many=is_many) or "")

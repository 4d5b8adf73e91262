from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moorage.compute.model.names import complaint_about_name
from tests.properties import effort


@pytest.mark.parametrize("name", ["a", "m1.small", "Größe L", "two words", "名前", "a" * 255, "a\u00a0b", "🛥"])
def test_what_can_be_read_is_a_name(name: str) -> None:
    assert complaint_about_name(name) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "at least one character"),
        ("   ", "at least one character"),
        ("a" * 256, "255 characters; this one has 256"),
        (" a", "begin or end with a space"),
        ("a ", "begin or end with a space"),
        ("a\tb", "cannot be printed"),
        ("a\nb", "cannot be printed"),
        ("a\x00b", r"'\x00'"),
        ("a\u200bb", r"'\u200b'"),
        ("a\u2028b", r"'\u2028'"),
    ],
)
def test_what_cannot_is_none_and_the_reason_is_told(name: str, reason: str) -> None:
    assert reason in (complaint_about_name(name) or "")


@effort(200)
@given(st.text())
def test_a_name_survives_a_line_of_text(name: str) -> None:
    if complaint_about_name(name) is None:
        assert f"  {name}  ".splitlines() == [f"  {name}  "]
        assert f"  {name}  ".strip() == name

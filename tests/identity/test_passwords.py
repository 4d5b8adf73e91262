"""Secrets as they are kept."""

from __future__ import annotations

import pytest

from moorage.identity.passwords import Cost, Hasher
from tests.identity.cloud import CHEAP


def test_a_text_matches_the_secret_that_it_was_made_from_alone() -> None:
    text = CHEAP.hashed("secret")
    assert CHEAP.matches("secret", text)
    for wrong in ("", "Secret", "secret ", "secre"):
        assert not CHEAP.matches(wrong, text)


def test_the_same_secret_is_never_kept_as_the_same_text() -> None:
    assert len({CHEAP.hashed("secret") for _ in range(20)}) == 20


def test_the_cost_stands_in_the_text_and_counts_for_it() -> None:
    text = Hasher(Cost(ln=2, r=3, p=4)).hashed("secret")
    assert text.startswith("$scrypt$ln=2,r=3,p=4$")
    assert CHEAP.matches("secret", text)
    assert not CHEAP.matches("secret", text.replace("ln=2", "ln=3"))


def test_the_usual_cost_is_high() -> None:
    cost = Hasher().cost
    assert 128 * 2**cost.ln * cost.r >= 32 * 2**20
    text = Hasher().hashed("secret")
    assert len(text) < 255
    assert Hasher().matches("secret", text)


@pytest.mark.parametrize("text", [None, "", "secret", "$scrypt$", "$scrypt$ln=1,r=1,p=1$$", "$2b$12$abc"])
def test_what_is_no_such_text_matches_nothing(text: str | None) -> None:
    assert not CHEAP.matches("secret", text)
    assert not CHEAP.matches("", text)

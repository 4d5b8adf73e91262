"""Questions for candidates are parsed once, as long as they are as short as those that are asked again and again."""

from __future__ import annotations

from moorage.placement.api.candidates import parse_index
from moorage.placement.api.microversion import NEWEST
from moorage.placement.api.request import Parameters, Request
from moorage.placement.model.query import CandidateQuery


def parsed(*names: str) -> CandidateQuery:
    """A query for a VCPU on a provider with these traits."""
    pairs = (("resources", "VCPU:1"), *(("required", name) for name in names))
    return parse_index(Request(NEWEST, Parameters(pairs), {}, b"", "/placement"))


def test_a_question_that_was_asked_before_is_not_parsed_again() -> None:
    assert parsed("CUSTOM_FAST") is parsed("CUSTOM_FAST")


def test_a_long_one_is_not_kept() -> None:
    names = [f"CUSTOM_{number}" for number in range(1000)]
    assert parsed(*names) == parsed(*names)
    assert parsed(*names) is not parsed(*names)

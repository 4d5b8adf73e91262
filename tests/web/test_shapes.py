"""Schemas that are made from the words of all APIs allow what they say."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, TEXT, by_name, listed, one_of, open_record, or_null, record

BERTH = record({"name": TEXT}, {"depth": COUNT})


@pytest.mark.parametrize(
    ("definition", "allowed", "refused"),
    [
        (BERTH, [{"name": "a"}, {"name": "a", "depth": 3}], [{}, {"depth": 3}, {"name": "a", "colour": 1}]),
        (open_record({"name": TEXT}), [{"name": "a", "colour": 1}], [{"colour": 1}, {"name": 1}]),
        (one_of({"open": TEXT, "close": TEXT}), [{"open": "a"}], [{}, {"open": "a", "close": "a"}, {"paint": "a"}]),
        (listed(BERTH), [[], [{"name": "a"}]], [[{}], {}]),
        (by_name(COUNT), [{}, {"a": 1}], [{"a": -1}]),
        (or_null(TEXT), ["a", None], [1]),
        (or_null({"enum": ["a"]}), ["a", None], ["b"]),
    ],
)
def test_a_shape_allows_what_it_says(definition: Definition, allowed: list[Any], refused: list[Any]) -> None:
    validator = jsonschema_rs.validator_for(definition)
    assert all(validator.is_valid(content) for content in allowed)
    assert not any(validator.is_valid(content) for content in refused)

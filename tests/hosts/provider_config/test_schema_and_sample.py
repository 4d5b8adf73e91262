"""The JSON Schema and the sample file that ship with the package."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from moorage.hosts.provider_config.sample import sample_text
from moorage.hosts.provider_config.validation import schema
from moorage.placement.api.schemas import inventories as placement_inventories
from moorage.placement.api.schemas import names as placement_names
from moorage.placement.model.inventory import Inventory
from tests.hosts.provider_config.examples import EXAMPLE_OF_THE_DOCUMENT, problems, read, warnings


def fields_of(definition: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = definition["properties"]
    return fields


INVENTORY = schema()["definitions"]["inventory"]
CUSTOM_NAME = schema()["definitions"]["custom_name"]


def parts(definition: Any, path: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Every part of the schema that describes a value."""
    found = []
    if isinstance(definition, dict):
        if "type" in definition:
            found.append((path, definition))
        for key, part in definition.items():
            found += parts(part, f"{path}/{key}")
    return found


def test_the_schema_is_a_valid_schema() -> None:
    Draft7Validator.check_schema(schema())


@pytest.mark.parametrize(("path", "part"), parts(dict(schema())))
def test_every_part_of_the_schema_says_what_is_allowed(path: str, part: dict[str, Any]) -> None:
    assert part["title"], path


@pytest.mark.parametrize(("path", "part"), parts(dict(schema())))
def test_no_part_of_the_schema_forbids_unknown_fields(path: str, part: dict[str, Any]) -> None:
    assert part.get("additionalProperties", True) is not False, path


@pytest.mark.parametrize("field", ["total", "reserved", "min_unit", "max_unit", "step_size", "allocation_ratio"])
def test_numbers_have_the_ranges_of_placement(field: str) -> None:
    ours, theirs = fields_of(INVENTORY)[field], placement_inventories.INVENTORY[field]
    assert {key: ours[key] for key in theirs} == theirs


def test_inventories_have_the_defaults_and_the_fields_of_placement() -> None:
    assert {name: field["default"] for name, field in fields_of(INVENTORY).items() if name != "total"} == {
        name: getattr(Inventory(1), name)
        for name in ("reserved", "min_unit", "max_unit", "step_size", "allocation_ratio")
    }
    assert {*fields_of(INVENTORY), "resource_provider_generation"} == set(placement_inventories.INVENTORY)


def test_names_have_the_form_of_placement() -> None:
    trait = placement_names.CUSTOM_TRAIT.definition
    resource_class = placement_names.RESOURCE_CLASS.definition["properties"]["name"]
    for name in (trait, resource_class):
        assert (CUSTOM_NAME["pattern"], CUSTOM_NAME["maxLength"]) == (name["pattern"], name["maxLength"])


@pytest.mark.parametrize("text", [EXAMPLE_OF_THE_DOCUMENT, sample_text()])
def test_other_programs_can_use_the_schema(text: str) -> None:
    validator = Draft7Validator(schema())
    document = yaml.safe_load(text)
    assert list(validator.iter_errors(document)) == []
    document["providers"][0]["identification"]["name"] = "too"
    assert len(list(validator.iter_errors(document))) == 1


def test_the_sample_is_right_as_it_stands(tmp_path: Path) -> None:
    reading = read(tmp_path, sample_text())
    assert problems(reading) == warnings(reading) == []
    assert [record.identification for record in reading.records] == [
        "$COMPUTE_NODE",
        "gpu-host-17.example.org",
        "5f3b0b5c-6d0e-4d6b-9f0a-0d0f4f1f7c11",
    ]


def test_the_sample_shows_and_explains_every_field() -> None:
    """Every field stands in it, and the lines before its first appearance are a comment (one may serve neighbours)."""
    lines = sample_text().splitlines()
    fields = [key for _, part in parts(dict(schema())) for key in part.get("properties", ())]
    assert len(fields) == 16
    for field in fields:
        first = next(number for number, line in enumerate(lines) if re.match(rf"\s*(- )?{field}:", line))
        before = [line.strip() for line in lines[max(0, first - 2) : first]]
        assert any(line.startswith("#") for line in before), field

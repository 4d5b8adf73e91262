"""The file with what to count: every field of the document is understood, every mistake is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from moorage.capacity.configuration_file import load_configuration, parse_configuration
from moorage.capacity.model.configuration import Configuration, Strategy
from moorage.service.errors import OperatorError
from moorage.service.liquid_configuration import CONFIGURATION_VARIABLE, liquid_configuration
from moorage.service.settings import load_settings

EVERYTHING = {
    "binpack_behavior": {
        "score_ignores_cores": True,
        "score_ignores_disk": True,
        "score_ignores_ram": False,
        "strategy": "optimized",
    },
    "flavor_selection": {"excluded_extra_specs": {"a": "b"}, "required_extra_specs": {"c": ""}},
    "hypervisor_selection": {
        "aggregate_name_pattern": "^vc-",
        "hypervisor_type_pattern": "VMware",
        "required_traits": ["A", "!B"],
        "shadowing_traits": ["!C"],
        "skip_failing": True,
    },
    "ignored_traits": ["CUSTOM_X"],
    "with_subcapacities": True,
    "with_subresources": True,
    "with_hw_version_resources": True,
    "category_for_split_flavor": [{"key": "instances_.*", "value": {"name": "vms", "display_name": "VMs"}}],
}


def test_every_field_is_understood() -> None:
    configuration = parse_configuration(json.dumps(EVERYTHING).encode(), "here")
    assert configuration.binpack_behavior.strategy is Strategy.OPTIMIZED
    assert configuration.flavor_selection.excluded_extra_specs == {"a": "b"}
    assert configuration.hypervisor_selection.required_traits == ("A", "!B")
    assert configuration.category_for_split_flavor[0].value.display_name == "VMs"
    assert configuration.with_hw_version_resources


def test_nothing_is_needed() -> None:
    assert load_configuration(None) == parse_configuration(b"{}", "here") == Configuration()


RULE: Any = {"key": ".*", "value": {"name": "vms", "display_name": "VMs"}}
WRONG: list[tuple[Any, str]] = [
    (
        {"category_for_split_flavor": [RULE, {**RULE, "keys": "x"}]},
        "there is no field category_for_split_flavor[1].keys; there is category_for_split_flavor[1].key, ",
    ),
    (
        {"category_for_split_flavor": [{**RULE, "value": {**RULE["value"], "color": "x"}}]},
        "there is no field category_for_split_flavor[0].value.color",
    ),
    ({"with_subcapacities": []}, "Expected `bool`, got `array`"),
    ([], "Expected `object`, got `array`"),
    ({"with_subcapacity": True}, "there is no field with_subcapacity; there is binpack_behavior, "),
    ({"hypervisor_selection": {"traits": []}}, "no field hypervisor_selection.traits; there is hypervisor_selection."),
    ({"with_subcapacities": "yes"}, "Expected `bool`, got `str` - at `$.with_subcapacities`"),
    ({"binpack_behavior": {"strategy": "best"}}, "Invalid enum value 'best'"),
    ({"hypervisor_selection": {"aggregate_name_pattern": "("}}, "aggregate_name_pattern is '(', which is no regular"),
    ({"hypervisor_selection": {"required_traits": ["a trait"]}}, "required_traits has 'a trait'"),
    ({"delegation_endpoint": "http://x"}, "delegation_endpoint: nothing is delegated"),
    (
        {"category_for_split_flavor": [{"key": ".*", "value": {"name": "a b", "display_name": "x"}}]},
        "category_for_split_flavor[0].value.name is 'a b'",
    ),
    (
        {"category_for_split_flavor": [{"key": "[", "value": {"name": "a", "display_name": "x"}}]},
        "category_for_split_flavor[0].key is '['",
    ),
]


@pytest.mark.parametrize(("content", "told"), WRONG)
def test_mistakes_are_told_with_their_place(content: Any, told: str) -> None:
    with pytest.raises(OperatorError) as refused:
        parse_configuration(json.dumps(content).encode(), "liquid.json")
    assert str(refused.value).startswith("liquid.json")
    assert told in str(refused.value)


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"ignored_traits": ["\xff"]}', b"[" * 100_000])
def test_what_is_no_json_is_told(content: bytes) -> None:
    with pytest.raises(OperatorError, match="here is not valid JSON"):
        parse_configuration(content, "here")


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("^vc-[[:alpha:]]-", "know no [:alpha:]: name the characters, as in [A-Za-z]."),
        ("^vc-[^-[:digit:]]+$", "know no [:digit:]: name the characters"),
        ("[[:^space:]]", "know no [:^space:]"),
        ("^[[]node", "which is no clear regular expression: Possible nested set at position 2."),
        (r"\pL+", r"which is no regular expression: bad escape \p at position 0."),
    ],
)
@pytest.mark.parametrize("field", ["aggregate_name_pattern", "hypervisor_type_pattern"])
def test_a_pattern_that_means_something_else_to_others_is_refused(field: str, pattern: str, told: str) -> None:
    for _ in range(2):  # also when it has been looked at before
        with pytest.raises(OperatorError) as refused:
            parse_configuration(json.dumps({"hypervisor_selection": {field: pattern}}).encode(), "liquid.json")
        assert str(refused.value).startswith(f"liquid.json: hypervisor_selection.{field} is {pattern!r}, ")
        assert told in str(refused.value)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(OperatorError, match="/nowhere of \\[liquid\\] config_file cannot be read"):
        load_configuration("/nowhere")


def test_the_variable_of_other_liquids_is_understood(
    installation: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, shown in (("one.json", True), ("two.json", False)):
        (tmp_path / name).write_text(json.dumps({"with_subresources": shown}))
    monkeypatch.setenv(CONFIGURATION_VARIABLE, str(tmp_path / "one.json"))
    assert liquid_configuration(load_settings()).with_subresources
    named = load_settings({"liquid.config_file": str(tmp_path / "two.json")})
    assert not liquid_configuration(named).with_subresources

"""Schemas of the query string of allocation candidates."""

from __future__ import annotations

from moorage.placement.api.schemas.common import NUMBER_SUFFIX, TEXT, WORD_SUFFIX, Versioned, object_of
from moorage.web.schema import Definition, Schema

_LIMIT: Definition = {
    "limit": {"type": ["integer", "string"], "pattern": "^[1-9][0-9]*$", "minimum": 1, "minLength": 1}
}
_GROUP_POLICY: Definition = {"group_policy": {"type": "string", "enum": ["none", "isolate"]}}
_ROOT_REQUIRED: Definition = {"root_required": TEXT}
_SAME_SUBTREE: Definition = {"same_subtree": TEXT}


def _ungrouped(*names: str) -> Schema:
    """Until 1.24: one group, without suffixes."""
    properties = {name: TEXT for name in names if name != "limit"}
    return Schema(object_of(properties | (_LIMIT if "limit" in names else {}), required=("resources",)))


def _grouped(suffix: str, names: tuple[str, ...], *properties: Definition) -> Schema:
    """Since 1.25: any number of groups, told apart by suffixes."""
    definition = object_of({name: rule for item in (_LIMIT, _GROUP_POLICY, *properties) for name, rule in item.items()})
    definition["patternProperties"] = {f"^{name}({suffix})?$": TEXT for name in names}
    return Schema(definition)


_GROUP_1_25 = ("resources", "required", "member_of")
_GROUP_1_31 = (*_GROUP_1_25, "in_tree")

LIST: Versioned = (
    ((1, 36), _grouped(WORD_SUFFIX, _GROUP_1_31, _ROOT_REQUIRED, _SAME_SUBTREE)),
    ((1, 35), _grouped(WORD_SUFFIX, _GROUP_1_31, _ROOT_REQUIRED)),
    ((1, 33), _grouped(WORD_SUFFIX, _GROUP_1_31)),
    ((1, 31), _grouped(NUMBER_SUFFIX, _GROUP_1_31)),
    ((1, 25), _grouped(NUMBER_SUFFIX, _GROUP_1_25)),
    ((1, 21), _ungrouped("resources", "limit", "required", "member_of")),
    ((1, 17), _ungrouped("resources", "limit", "required")),
    ((1, 16), _ungrouped("resources", "limit")),
    ((1, 10), _ungrouped("resources")),
)

"""Words for JSON schemas: the kinds of values that requests and answers of all APIs are made of.

What belongs to one API, such as how it writes times or what it calls a name, is with that API.
"""

from __future__ import annotations

from collections.abc import Mapping

from moorage.web.schema import Definition

TEXT: Definition = {"type": "string"}
TRUTH: Definition = {"type": "boolean"}
NULL: Definition = {"type": "null"}
# Of anything, how many.
COUNT: Definition = {"type": "integer", "minimum": 0}
POSITIVE: Definition = {"type": "integer", "minimum": 1}
UUID: Definition = {"type": "string", "format": "uuid"}
# Of a refusal.
STATUS: Definition = {"type": "integer", "minimum": 400, "maximum": 599}

EMPTY_TEXT: Definition = {"const": ""}
EMPTY_LIST: Definition = {"type": "array", "maxItems": 0}
EMPTY_RECORD: Definition = {"type": "object", "maxProperties": 0}


def record(required: Mapping[str, Definition], optional: Mapping[str, Definition] | None = None) -> Definition:
    """An object that has these keys, or may have them, and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def open_record(required: Mapping[str, Definition], optional: Mapping[str, Definition] | None = None) -> Definition:
    """An object that may have other keys, too."""
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


def one_of(choices: Mapping[str, Definition]) -> Definition:
    """An object with exactly one of these keys."""
    return {**record({}, choices), "minProperties": 1, "maxProperties": 1}


def listed(items: Definition) -> Definition:
    """Any number of such things."""
    return {"type": "array", "items": items}


def by_name(values: Definition) -> Definition:
    """An object whose keys are names that somebody chose."""
    return {"type": "object", "additionalProperties": values}


def or_null(definition: Definition) -> Definition:
    """What may be missing, and is null then."""
    if isinstance(definition.get("type"), str) and not {"enum", "const"} & definition.keys():
        return {**definition, "type": [definition["type"], "null"]}
    return {"anyOf": [definition, NULL]}


TEXTS = listed(TEXT)
TEXTS_BY_NAME = by_name(TEXT)
TEXT_OR_NULL = or_null(TEXT)

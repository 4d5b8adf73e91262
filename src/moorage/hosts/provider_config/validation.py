"""Compares a document with the JSON Schema that ships beside this module, and words what does not fit.

What a finding calls allowed is the `title` of the part of the schema that refused the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from moorage.hosts.provider_config import nodes
from moorage.hosts.provider_config.findings import Path
from moorage.hosts.provider_config.nodes import Node, Place, Scalar
from moorage.hosts.provider_config.remarks import Remarks, shown

_WORDS = {
    "minimum": "{value} is less than {limit}",
    "maximum": "{value} is more than {limit}",
    "exclusiveMinimum": "{value} is not more than {limit}",
    "minLength": "{value} is empty",
    "maxLength": "{value} has {length} characters",
    # Every part of the schema requires at most one field.
    "required": "{limit[0]} is missing",
}
_KINDS = {str: "text", bool: "a boolean", int: "a number", float: "a number"}


def schema_text() -> str:
    """The schema, as the file that it is."""
    return (resources.files(__package__) / "schema" / "provider_config_v1.json").read_text("utf-8")


@cache
def schema() -> Mapping[str, Any]:
    """The schema of a file."""
    definition: Mapping[str, Any] = json.loads(schema_text())
    return definition


def validate(document: Node, version: str | None, remarks: Remarks) -> list[Path]:
    """Note everything that the schema refuses; the paths of those values."""
    instance = nodes.plain(document)
    if version is not None:
        # To the schema a version is text: the number 1.10 would be 1.1.
        instance["meta"]["schema_version"] = version
    noted: set[tuple[Path, Place]] = set()
    for error in _validator().iter_errors(instance):
        path, node = _subject(document, error)
        # Of several complaints about one value the first is enough: the schema begins with the type.
        if (path, node.place) not in noted:
            noted.add((path, node.place))
            allowed = error.schema.get("title", "") if isinstance(error.schema, Mapping) else ""
            remarks.problem(node.place, path, _worded(error, node), shown(node), allowed)
    return [path for path, _ in noted]


def warn_of_unknown_fields(document: Node, remarks: Remarks) -> None:
    """Note every field that the schema does not know, and that is ignored."""
    for path, place, known in _unknown_fields(document, schema(), ()):
        close = get_close_matches(str(path[-1]), known, n=1)
        hint = f"; do you mean {close[0]}?" if close else ""
        remarks.warning(place, path, f"the field is not known, and ignored{hint}")


def _unknown_fields(
    node: Node, definition: Mapping[str, Any], path: Path
) -> Iterator[tuple[Path, Place, Iterable[str]]]:
    if "$ref" in definition:
        definition = schema()["definitions"][definition["$ref"].rpartition("/")[2]]
    if isinstance(node, nodes.Sequence) and "items" in definition:
        for position, item in enumerate(node.items):
            yield from _unknown_fields(item, definition["items"], (*path, position))
    elif isinstance(node, nodes.Mapping):
        known = definition.get("properties")
        for key, entry in node.entries.items():
            further = definition.get("additionalProperties") if known is None else known.get(key)
            if further is not None:
                yield from _unknown_fields(entry.node, further, (*path, key))
            elif known is not None:
                yield (*path, key), entry.place, known


# --- wording


def _subject(document: Node, error: ValidationError) -> tuple[Path, Node]:
    """What an error is about: a value, or a key."""
    path: Path = tuple(error.absolute_path)
    node = nodes.follow(document, path)
    if "propertyNames" in error.absolute_schema_path and isinstance(node, nodes.Mapping):
        key = str(error.instance)
        return (*path, key), Scalar(node.entries[key].place, key, key)
    return path, node


def _worded(error: ValidationError, node: Node) -> str:
    """What is wrong with a value, in a few words."""
    if error.validator == "type":
        return _mistaken(node)
    if error.validator == "oneOf":
        there = isinstance(node, nodes.Mapping) and "uuid" in node.entries
        return "uuid and name are both there" if there else "neither uuid nor name is there"
    words = _WORDS.get(str(error.validator), "{value} is not of the right form")
    return words.format(value=shown(node), limit=error.validator_value, length=len(str(error.instance)))


def _mistaken(node: Node) -> str:
    """That a value is of the wrong kind."""
    if not isinstance(node, Scalar):
        return f"this is {shown(node)}"
    if node.value is None:
        return "there is no value"
    return f"{shown(node)} is {_KINDS.get(type(node.value), 'a date')}"


# --- the validator


def _pattern(_validator: Validator, pattern: str, instance: object, _schema: object) -> Iterator[ValidationError]:
    """JSON Schema's own meaning of `$`: the very end. To Python it is also the place before a last line break."""
    if isinstance(instance, str) and not re.search(pattern.removesuffix("$") + r"\Z", instance):
        yield ValidationError(f"{instance!r} does not match")


@cache
def _validator() -> Validator:
    words = {"pattern": _pattern}
    strict: type[Validator] = extend(Draft7Validator, words)  # type: ignore[no-untyped-call]  # jsonschema's own
    return strict(schema())

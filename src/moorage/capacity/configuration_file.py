"""Reads the settings of the room from a JSON file: the fields of the document, by its names, and no others.

A field that nobody knows is most likely misspelt, and a report made without it would be wrong without a word; so it is
refused, with the place and what there is instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from moorage.capacity.model.configuration import Configuration
from moorage.capacity.model.configuration_rules import wrong_values
from moorage.service.errors import OperatorError


def load_configuration(path: str | None) -> Configuration:
    """What the file says; the defaults without a file. OperatorError if it cannot be used."""
    if not path:
        return Configuration()
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise OperatorError(f"The file {path} of [liquid] config_file cannot be read: {error.strerror}.") from error
    return parse_configuration(content, path)


def parse_configuration(content: bytes, source: str) -> Configuration:
    """The settings in a text; `source` is how messages name it."""
    try:
        decoded = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OperatorError(f"{source} is not valid JSON: {error}.") from error
    for complaint in _unknown_fields(decoded, Configuration, ""):
        raise OperatorError(f"{source}: {complaint}")
    try:
        configuration = msgspec.convert(decoded, Configuration)
    except msgspec.ValidationError as error:
        raise OperatorError(f"{source}: {error}.") from error
    for complaint in wrong_values(configuration):
        raise OperatorError(f"{source}: {complaint}")
    return configuration


def _unknown_fields(content: Any, kind: Any, where: str) -> Iterator[str]:
    """Names that the values have no fields for; what has no fields of its own is looked at by msgspec."""
    if not isinstance(content, dict):
        return
    known = get_type_hints(kind)
    for name, value in content.items():
        if name == "delegation_endpoint" and not where:
            yield "delegation_endpoint: nothing is delegated to other services here; remove the field."
        elif name not in known:
            yield f"there is no field {where}{name}; there is {', '.join(f'{where}{each}' for each in known)}."
        elif is_dataclass(known[name]):
            yield from _unknown_fields(value, known[name], f"{where}{name}.")
        elif isinstance(value, list):
            for kind_of_item in filter(is_dataclass, get_args(known[name])):
                for number, item in enumerate(value):
                    yield from _unknown_fields(item, kind_of_item, f"{where}{name}[{number}].")

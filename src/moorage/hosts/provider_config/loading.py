"""Loads YAML safely: nothing is executed, and whatever the bytes are, they give a document or what is wrong with it."""

from __future__ import annotations

import re

import yaml
from yaml.reader import Reader

from moorage.hosts.provider_config.building import Fault, Loaded, build
from moorage.hosts.provider_config.nodes import Place

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_NOT_PRINTABLE: re.Pattern[str] = Reader.NON_PRINTABLE


def load(content: bytes) -> Loaded:
    """The one document in a file."""
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        return Loaded(None, (Fault(_end_of(before), f"the byte 0x{content[error.start]:02x} is not UTF-8"),))
    if control := _NOT_PRINTABLE.search(text):
        place = _end_of(text[: control.start()])
        return Loaded(None, (Fault(place, f"the control character {control[0]!r} is not allowed in YAML"),))
    return _build(text)


def _end_of(text: str) -> Place:
    """The place after a text."""
    lines = _BREAK.split(text)
    return Place(len(lines), len(lines[-1]) + 1)


def _build(text: str) -> Loaded:
    """Parse with libyaml, which is twenty times as fast; where that refuses, PyYAML's own parser has the last word."""
    # PyYAML's own parser raises this as an error of Python: "\\UFFFFFFFF".
    refused = yaml.YAMLError("an escape names no character")
    if yaml.__with_libyaml__:
        try:
            return build(yaml.parse(text, Loader=yaml.CSafeLoader))
        except yaml.YAMLError as error:
            refused = error
    try:
        return build(yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.YAMLError as error:
        refused = error
    except (ValueError, OverflowError):
        pass
    return Loaded(None, (_worded(refused),))


def _worded(error: yaml.YAMLError) -> Fault:
    if not isinstance(error, yaml.MarkedYAMLError):
        return Fault(Place(1, 1), f"this is not YAML: {error}")
    mark = error.problem_mark or error.context_mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
    return Fault(place, f"this is not YAML: {', '.join(filter(None, (error.problem, error.context)))}")

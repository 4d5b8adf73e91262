"""What the scalars of YAML mean: which are numbers, dates, true, false or null, and which are text.

The rules are those of PyYAML's safe loader, so that a value means the same here as to other readers of these files.
"""

from __future__ import annotations

from typing import Any

import yaml
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

_YAML = "tag:yaml.org,2002:"
MERGE = f"{_YAML}merge"
MAPPING = f"{_YAML}map"
SEQUENCE = f"{_YAML}seq"

_TEXT = f"{_YAML}str"
# A lone "=" once had a meaning of its own; as a key it is text to everybody.
_EQUALS_SIGN = f"{_YAML}value"
_KINDS = {
    _TEXT: "text",
    f"{_YAML}int": "a whole number",
    f"{_YAML}float": "a number",
    f"{_YAML}bool": "a boolean",
    f"{_YAML}null": "null",
    f"{_YAML}timestamp": "a date",
}

# What PyYAML raises, depending on the kind, for a text that a tag or a first glance took for something it is not.
_MISREAD = (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, OverflowError)

_resolver = Resolver()
_constructor = SafeConstructor()


class Misread(ValueError):
    """A scalar that means nothing."""


def tag_of(event: yaml.ScalarEvent) -> str:
    """The tag that a scalar has, or the one that its text implies."""
    if event.tag is None or event.tag == "!":
        tag = _resolver.resolve(yaml.ScalarNode, event.value, event.implicit)  # type: ignore[no-untyped-call]  # PyYAML's
        return str(tag)
    return str(event.tag)


def value_of(text: str, tag: str) -> Any:
    """The value of a scalar."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Misread("has half of a character in it (a surrogate), which is no text") from error
    if tag in {_TEXT, _EQUALS_SIGN}:
        return text
    if tag not in _KINDS:
        raise Misread(f"has the tag {tag}, which has no meaning in these files")
    try:
        value = _constructor.construct_object(yaml.ScalarNode(tag, text))
        # Python refuses to write out numbers of more than 4300 digits; let it do so here, and not in the next message.
        repr(value)
    except _MISREAD as error:
        raise Misread(f"cannot be read as {_KINDS[tag]}; to mean the text, write it in quotes") from error
    return value

"""Checking JSON against schemas: jsonschema-rs decides, in microseconds; python-jsonschema finds the words.

The words name the field, its value and what is allowed, as clients of OpenStack's APIs are used to.
"""

from __future__ import annotations

import uuid
from functools import cached_property
from typing import Any

import jsonschema
import jsonschema_rs
import msgspec

from moorage.web.errors import bad_request

Definition = dict[str, Any]

# So much of what a client sent is repeated when it is refused.
_MOST_REPEATED = 400


def is_uuid_like(text: object) -> bool:
    """Whether a text names a UUID in any of the usual spellings: with or without dashes, in either case."""
    if not isinstance(text, str):
        return False
    bare = text.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "").lower()
    try:
        return uuid.UUID(text).hex == bare
    except ValueError:
        return False


_FORMATS = jsonschema.FormatChecker(formats=())
_FORMATS.checks("uuid")(is_uuid_like)


class Schema:
    """A JSON schema, compiled when it is first needed. Schemas are constants: each is equal to itself alone."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition

    @cached_property
    def validator(self) -> jsonschema_rs.Validator:
        """What decides; Placement, whose refusals have words of their own, asks it directly."""
        return jsonschema_rs.validator_for(self.definition, validate_formats=True, formats={"uuid": is_uuid_like})

    def check(self, content: Any) -> None:
        """Refuse content that the schema does not allow."""
        try:
            if not self.validator.is_valid(content):
                raise bad_request(self._reason(content))
            text = text_with_nul(content)
        except RecursionError as error:
            raise bad_request("The body is nested too deeply.") from error
        if text is not None:
            raise bad_request("A text of the body contains a NUL character, which is allowed nowhere.")

    def _reason(self, content: Any) -> str:
        worded = jsonschema.validators.validator_for(self.definition)
        found = jsonschema.exceptions.best_match(worded(self.definition, format_checker=_FORMATS).iter_errors(content))
        if found is None:  # the two libraries disagree in corners; the stricter one is right
            first = next(iter(self.validator.iter_errors(content)), None)
            return f"Invalid input: {shortened(str(first))}"
        field = ".".join(map(str, found.absolute_path))
        message = shortened(found.message)
        if not field:
            return f"Invalid input: {message}"
        return (
            f"Invalid input for field/attribute {shortened(field)}. Value: {shortened(str(found.instance))}. {message}"
        )


def shortened(text: str) -> str:
    """A text that a refusal repeats: its beginning and its end, which is where the reason stands."""
    return text if len(text) <= _MOST_REPEATED else f"{text[: _MOST_REPEATED // 2]}…{text[-_MOST_REPEATED // 2 :]}"


def decoded(body: bytes) -> Any:
    """A body as JSON."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise bad_request(f"Malformed request body: {error}") from error


def text_with_nul(content: Any) -> str | None:
    """A text that holds a NUL character, which not every database can keep."""
    if isinstance(content, str):
        return content if "\0" in content else None
    if isinstance(content, dict):
        parts: Any = (part for item in content.items() for part in item)
    elif isinstance(content, list):
        parts = content
    else:
        return None
    return next((found for part in parts if (found := text_with_nul(part)) is not None), None)

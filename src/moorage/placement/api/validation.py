"""Checking bodies and query strings against JSON schemas.

jsonschema-rs decides, in microseconds; python-jsonschema is asked only to word the refusal, because its texts are
what clients of this API have always been shown.
"""

from __future__ import annotations

import uuid
from functools import cache
from typing import Any

import jsonschema
import jsonschema_rs
import msgspec

from moorage.placement.api.errors import bad_request
from moorage.placement.api.request import Parameters, Request
from moorage.web.schema import Schema, is_uuid_like, text_with_nul

__all__ = ["body_of", "canonical_uuid", "check_query", "is_uuid_like", "validated"]

_DASHES_AT = (8, 13, 18, 23)


def canonical_uuid(text: str) -> str:
    """The one spelling under which a UUID is kept."""
    return str(uuid.UUID(text))


def _is_dashed_uuid(text: object) -> bool:
    return is_uuid_like(text) and isinstance(text, str) and all(text[at : at + 1] == "-" for at in _DASHES_AT)


_BODY_FORMATS = jsonschema.FormatChecker(formats=())
_BODY_FORMATS.checks("uuid")(is_uuid_like)
_QUERY_FORMATS = jsonschema.FormatChecker(formats=())
_QUERY_FORMATS.checks("uuid")(_is_dashed_uuid)


@cache
def _query_validator(schema: Schema) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema.definition, validate_formats=True, formats={"uuid": _is_dashed_uuid})


def body_of(request: Request) -> Any:
    """The request's body, if it is JSON and what the route table's schema for it allows."""
    if request.schema is None:
        raise AssertionError("the route table names no schema for the body of this operation")
    try:
        content = msgspec.json.decode(request.body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise bad_request(f"Malformed JSON: {error}") from error
    return validated(content, request.schema)


def validated(content: Any, schema: Schema) -> Any:
    """The content, if it is what the schema allows."""
    if not schema.validator.is_valid(content):
        raise bad_request(f"JSON does not validate: {_reason(content, schema, _BODY_FORMATS)}")
    if (text := text_with_nul(content)) is not None:
        raise bad_request(f"JSON does not validate: {text!r} contains a NUL character, which no name may have")
    return content


def check_query(parameters: Parameters, schema: Schema) -> None:
    """Refuse parameters that the schema does not allow."""
    given = parameters.as_dict()
    if not _query_validator(schema).is_valid(given):
        raise bad_request(f"Invalid query string parameters: {_reason(given, schema, _QUERY_FORMATS)}")


def _reason(content: Any, schema: Schema, formats: jsonschema.FormatChecker) -> str:
    validator = jsonschema.validators.validator_for(schema.definition)
    try:
        worded = jsonschema.exceptions.best_match(
            validator(schema.definition, format_checker=formats).iter_errors(content)
        )
        if worded is not None:
            return str(worded)
    except RecursionError:
        return "it is nested too deeply"
    # The two libraries disagree in corners such as a line break at the end of a name; the stricter one is right.
    found = next(iter(schema.validator.iter_errors(content)), None)
    return str(found) if found is not None else "it is not what the schema allows"

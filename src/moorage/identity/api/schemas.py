"""What the bodies of requests must be like.

A refusal names the field and what is wrong with it, but never repeats what was sent: it may be a password.
"""

from __future__ import annotations

from typing import Any

import jsonschema

from moorage.identity.model import DOMAIN_ID, MAX_PASSWORD_LENGTH
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import EMPTY_LIST, EMPTY_RECORD, TRUTH, listed, open_record, or_null


class ConfidentialSchema(Schema):
    """A schema whose refusals do not show values."""

    def _reason(self, content: Any) -> str:
        worded = jsonschema.validators.validator_for(self.definition)(self.definition)
        found = jsonschema.exceptions.best_match(worded.iter_errors(content))
        if found is None:
            return "Invalid input."
        field = ".".join(map(str, found.absolute_path)) or "the body"
        if found.validator == "required":
            return f"Invalid input for {field}: {', '.join(found.validator_value)} must be there."
        if found.validator == "enum":
            allowed = " or ".join("null" if value is None else str(value) for value in found.validator_value)
            return f"Invalid input for {field}: it must be {allowed}."
        return f"Invalid input for {field}: it must have {found.validator} {_shown(found.validator_value)}."


def _shown(rule: Any) -> str:
    return "one of the forms that are documented" if isinstance(rule, dict | list) else str(rule)


def _wrapped(key: str, inside: Definition) -> ConfidentialSchema:
    return ConfidentialSchema(open_record({key: inside}))


_ID: Definition = {"type": "string", "minLength": 1, "maxLength": 64}
_NAME: Definition = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"\S"}
_TEXT: Definition = {"type": ["string", "null"], "maxLength": 4096}
_SECRET: Definition = {"type": "string", "maxLength": MAX_PASSWORD_LENGTH}
_OPTIONAL_ID: Definition = {"type": ["string", "null"], "maxLength": 64}
_TAGS: Definition = {
    "type": "array",
    "maxItems": 80,
    "uniqueItems": True,
    "items": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^,/]*$"},
}

# --- tokens

_NAMED: Definition = {
    **open_record({}, {"id": _ID, "name": _NAME}),
    "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
}
_NAMED_IN_DOMAIN: Definition = {
    **open_record({}, {"id": _ID, "name": _NAME, "domain": _NAMED}),
    "anyOf": [{"required": ["id"]}, {"required": ["name", "domain"]}],
}
_USER_WITH_PASSWORD: Definition = {
    **open_record({"password": _SECRET}, {"id": _ID, "name": _NAME, "domain": _NAMED}),
    "anyOf": _NAMED_IN_DOMAIN["anyOf"],
}
_APPLICATION_CREDENTIAL_PROOF: Definition = {
    **open_record({"secret": _SECRET}, {"id": _ID, "name": _NAME, "user": _NAMED_IN_DOMAIN}),
    "anyOf": [{"required": ["id"]}, {"required": ["name", "user"]}],
}
_SCOPE: Definition = {
    "anyOf": [
        {"const": "unscoped"},
        {
            **open_record(
                {}, {"project": _NAMED_IN_DOMAIN, "domain": _NAMED, "system": open_record({"all": {"const": True}})}
            ),
            "minProperties": 1,
            "maxProperties": 1,
        },
    ]
}
TOKEN_CREATE = _wrapped(
    "auth",
    open_record(
        {
            "identity": open_record(
                {"methods": {**listed({"type": "string", "maxLength": 64}), "minItems": 1, "maxItems": 8}},
                {
                    "password": open_record({"user": _USER_WITH_PASSWORD}),
                    "token": open_record({"id": {"type": "string", "minLength": 1}}),
                    "application_credential": _APPLICATION_CREDENTIAL_PROOF,
                },
            )
        },
        {"scope": _SCOPE},
    ),
)

# --- projects, users and roles


def _with_name(fields: dict[str, Definition]) -> Definition:
    """Something new: of its fields, it needs a name."""
    return {**open_record({}, fields), "required": ["name"]}


def _some_of(fields: dict[str, Definition]) -> Definition:
    """A change: at least one of the fields."""
    return {**open_record({}, fields), "minProperties": 1}


_PROJECT: dict[str, Definition] = {
    "name": {**_NAME, "maxLength": 64},
    "description": _TEXT,
    "enabled": TRUTH,
    "domain_id": _OPTIONAL_ID,
    # Projects below other projects are not offered.
    "parent_id": {"enum": [None, DOMAIN_ID]},
    "is_domain": {"const": False},
    "tags": _TAGS,
    "options": EMPTY_RECORD,
}
PROJECT_CREATE = _wrapped("project", _with_name(_PROJECT))
PROJECT_UPDATE = _wrapped("project", _some_of(_PROJECT))

_USER: dict[str, Definition] = {
    "name": _NAME,
    "description": _TEXT,
    "enabled": TRUTH,
    "domain_id": _OPTIONAL_ID,
    "default_project_id": _OPTIONAL_ID,
    "password": or_null(_SECRET),
    "options": EMPTY_RECORD,
}
USER_CREATE = _wrapped("user", _with_name(_USER))
USER_UPDATE = _wrapped("user", _some_of(_USER))
PASSWORD_CHANGE = _wrapped("user", open_record({"original_password": _SECRET, "password": _SECRET}))

_ROLE: dict[str, Definition] = {
    "name": _NAME,
    "description": _TEXT,
    "domain_id": {"const": None},
    "options": EMPTY_RECORD,
}
ROLE_CREATE = _wrapped("role", _with_name(_ROLE))
ROLE_UPDATE = _wrapped("role", _some_of(_ROLE))

# --- application credentials

APPLICATION_CREDENTIAL_CREATE = _wrapped(
    "application_credential",
    open_record(
        {"name": _NAME},
        {
            "description": _TEXT,
            "secret": or_null(_SECRET),
            "expires_at": {"type": ["string", "null"], "maxLength": 64},
            "roles": {**listed(_NAMED), "maxItems": 100},
            "unrestricted": TRUTH,
            # Rules that were not enforced would be worse than none.
            "access_rules": or_null(EMPTY_LIST),
        },
    ),
)

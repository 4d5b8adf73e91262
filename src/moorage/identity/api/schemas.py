"""What the bodies of requests must be like.

A refusal names the field and what is wrong with it, but never repeats what was sent: it may be a password.
"""

from __future__ import annotations

from typing import Any

import jsonschema

from moorage.identity.model import MAX_PASSWORD_LENGTH
from moorage.web.schema import Definition, Schema


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
        return f"Invalid input for {field}: it must have {found.validator} {_shown(found.validator_value)}."


def _shown(rule: Any) -> str:
    return "one of the forms that are documented" if isinstance(rule, dict | list) else str(rule)


def _object(required: tuple[str, ...] = (), **properties: Definition) -> Definition:
    return {"type": "object", "required": list(required), "properties": properties}


def _wrapped(key: str, inside: Definition) -> ConfidentialSchema:
    return ConfidentialSchema(_object((key,), **{key: inside}))


_ID: Definition = {"type": "string", "minLength": 1, "maxLength": 64}
_NAME: Definition = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"\S"}
_TEXT: Definition = {"type": ["string", "null"], "maxLength": 4096}
_BOOLEAN: Definition = {"type": "boolean"}
_SECRET: Definition = {"type": "string", "maxLength": MAX_PASSWORD_LENGTH}
_NO_OPTIONS: Definition = {"type": "object", "maxProperties": 0}
_OPTIONAL_ID: Definition = {"type": ["string", "null"], "maxLength": 64}
_TAGS: Definition = {
    "type": "array",
    "maxItems": 80,
    "uniqueItems": True,
    "items": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^,/]*$"},
}

# --- tokens

_NAMED: Definition = {**_object(id=_ID, name=_NAME), "anyOf": [{"required": ["id"]}, {"required": ["name"]}]}
_NAMED_IN_DOMAIN: Definition = {
    **_object(id=_ID, name=_NAME, domain=_NAMED),
    "anyOf": [{"required": ["id"]}, {"required": ["name", "domain"]}],
}
_USER_WITH_PASSWORD: Definition = {
    **_object(("password",), id=_ID, name=_NAME, domain=_NAMED, password=_SECRET),
    "anyOf": _NAMED_IN_DOMAIN["anyOf"],
}
_APPLICATION_CREDENTIAL_PROOF: Definition = {
    **_object(("secret",), id=_ID, name=_NAME, user=_NAMED_IN_DOMAIN, secret=_SECRET),
    "anyOf": [{"required": ["id"]}, {"required": ["name", "user"]}],
}
_SCOPE: Definition = {
    "anyOf": [
        {"const": "unscoped"},
        {
            **_object(project=_NAMED_IN_DOMAIN, domain=_NAMED, system=_object(("all",), all={"const": True})),
            "minProperties": 1,
            "maxProperties": 1,
        },
    ]
}
TOKEN_CREATE = _wrapped(
    "auth",
    _object(
        ("identity",),
        identity=_object(
            ("methods",),
            methods={"type": "array", "minItems": 1, "maxItems": 8, "items": {"type": "string", "maxLength": 64}},
            password=_object(("user",), user=_USER_WITH_PASSWORD),
            token=_object(("id",), id={"type": "string", "minLength": 1}),
            application_credential=_APPLICATION_CREDENTIAL_PROOF,
        ),
        scope=_SCOPE,
    ),
)

# --- projects, users and roles

_PROJECT: dict[str, Definition] = {
    "name": {**_NAME, "maxLength": 64},
    "description": _TEXT,
    "enabled": _BOOLEAN,
    "domain_id": _OPTIONAL_ID,
    "parent_id": _OPTIONAL_ID,
    "is_domain": {"const": False},
    "tags": _TAGS,
    "options": _NO_OPTIONS,
}
PROJECT_CREATE = _wrapped("project", _object(("name",), **_PROJECT))
PROJECT_UPDATE = _wrapped("project", {**_object((), **_PROJECT), "minProperties": 1})

_USER: dict[str, Definition] = {
    "name": _NAME,
    "description": _TEXT,
    "enabled": _BOOLEAN,
    "domain_id": _OPTIONAL_ID,
    "default_project_id": _OPTIONAL_ID,
    "password": {**_SECRET, "type": ["string", "null"]},
    "options": _NO_OPTIONS,
}
USER_CREATE = _wrapped("user", _object(("name",), **_USER))
USER_UPDATE = _wrapped("user", {**_object((), **_USER), "minProperties": 1})
PASSWORD_CHANGE = _wrapped(
    "user", _object(("original_password", "password"), original_password=_SECRET, password=_SECRET)
)

_ROLE: dict[str, Definition] = {
    "name": _NAME,
    "description": _TEXT,
    "domain_id": {"const": None},
    "options": _NO_OPTIONS,
}
ROLE_CREATE = _wrapped("role", _object(("name",), **_ROLE))
ROLE_UPDATE = _wrapped("role", {**_object((), **_ROLE), "minProperties": 1})

# --- application credentials

APPLICATION_CREDENTIAL_CREATE = _wrapped(
    "application_credential",
    _object(
        ("name",),
        name=_NAME,
        description=_TEXT,
        secret={**_SECRET, "type": ["string", "null"]},
        expires_at={"type": ["string", "null"], "maxLength": 64},
        roles={"type": "array", "maxItems": 100, "items": _NAMED},
        unrestricted=_BOOLEAN,
        # Rules that were not enforced would be worse than none.
        access_rules={"type": ["array", "null"], "maxItems": 0},
    ),
)

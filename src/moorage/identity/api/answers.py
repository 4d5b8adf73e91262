"""What the Identity API answers with, as schemas. Projects, users and roles also have whatever clients said of them."""

from __future__ import annotations

from moorage.identity.catalog import INTERFACES
from moorage.identity.model import DOMAIN_ID, DOMAIN_NAME
from moorage.web.description import reference
from moorage.web.schema import Definition
from moorage.web.shapes import (
    EMPTY_LIST,
    EMPTY_RECORD,
    NULL,
    STATUS,
    TEXT,
    TEXT_OR_NULL,
    TEXTS,
    TRUTH,
    listed,
    open_record,
    or_null,
    record,
)


def one(key: str, schema: str) -> Definition:
    """An answer with one thing."""
    return record({key: reference(schema)})


def several(key: str, schema: str) -> Definition:
    """An answer with a list of things, or a page of it."""
    return record(
        {
            key: listed(reference(schema)),
            "links": record({"self": _URL, "previous": NULL, "next": or_null(_URL)}),
        }
    )


_ID: Definition = {"type": "string", "minLength": 1, "maxLength": 64}
_NAME: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
_URL: Definition = {"type": "string", "pattern": "^https?://"}
_TIME: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$"}
_LINKS = record({"self": _URL})
_IN_DOMAIN = record({"id": {"const": DOMAIN_ID}, "name": {"const": DOMAIN_NAME}})
_NAMED = record({"id": _ID, "name": _NAME})
_NAMED_IN_DOMAIN = record({"id": _ID, "name": _NAME, "domain": _IN_DOMAIN})

_PROJECT = open_record(
    {
        "id": _ID,
        "name": _NAME,
        "domain_id": {"const": DOMAIN_ID},
        "parent_id": {"const": DOMAIN_ID},
        "description": TEXT,
        "enabled": TRUTH,
        "is_domain": {"const": False},
        "tags": TEXTS,
        "options": EMPTY_RECORD,
        "links": _LINKS,
    }
)
_USER = open_record(
    {
        "id": _ID,
        "name": _NAME,
        "domain_id": {"const": DOMAIN_ID},
        "description": TEXT,
        "enabled": TRUTH,
        "password_expires_at": NULL,
        "options": EMPTY_RECORD,
        "links": _LINKS,
    },
    {"default_project_id": {"type": "string", "maxLength": 64}},
)
_ROLE = open_record(
    {
        "id": _ID,
        "name": _NAME,
        "domain_id": NULL,
        "description": TEXT_OR_NULL,
        "options": EMPTY_RECORD,
        "links": _LINKS,
    }
)
_DOMAIN = record(
    {
        "id": {"const": DOMAIN_ID},
        "name": {"const": DOMAIN_NAME},
        "description": TEXT,
        "enabled": {"const": True},
        "tags": EMPTY_LIST,
        "options": EMPTY_RECORD,
        "links": _LINKS,
    }
)

_CREDENTIAL_FIELDS: dict[str, Definition] = {
    "id": _ID,
    "name": _NAME,
    "description": TEXT_OR_NULL,
    "project_id": _ID,
    "user_id": _ID,
    "roles": listed(record({"id": _ID, "name": _NAME, "domain_id": NULL})),
    "unrestricted": TRUTH,
    "expires_at": or_null(_TIME),
    "access_rules": EMPTY_LIST,
    "links": _LINKS,
}
_CREDENTIAL = record(_CREDENTIAL_FIELDS)
# The secret is shown once.
NEW_CREDENTIAL = record({"application_credential": record({**_CREDENTIAL_FIELDS, "secret": TEXT})})

_INTERFACE: Definition = {"enum": list(INTERFACES)}
_SERVICE = record({"id": _ID, "type": TEXT, "name": TEXT, "enabled": {"const": True}, "links": _LINKS})
_ENDPOINT = record(
    {
        "id": _ID,
        "service_id": _ID,
        "interface": _INTERFACE,
        "region": TEXT,
        "region_id": TEXT,
        "url": _URL,
        "enabled": {"const": True},
        "links": _LINKS,
    }
)
_REGION = record({"id": TEXT, "description": TEXT, "parent_region_id": NULL, "links": _LINKS})
_CATALOG = listed(
    record(
        {
            "id": _ID,
            "type": TEXT,
            "name": TEXT,
            "endpoints": listed(
                record({"id": _ID, "interface": _INTERFACE, "region": TEXT, "region_id": TEXT, "url": _URL})
            ),
        }
    )
)
CATALOG = record({"catalog": reference("Catalog"), "links": _LINKS})

# For a project, for the system, or for nothing; the catalog is there if there are roles and nobody asked for less.
_TOKEN = record(
    {
        "methods": {**TEXTS, "minItems": 1},
        "user": record({"id": _ID, "name": _NAME, "domain": _IN_DOMAIN, "password_expires_at": NULL}),
        "audit_ids": {**TEXTS, "minItems": 1, "maxItems": 2},
        "issued_at": _TIME,
        "expires_at": _TIME,
    },
    {
        "project": _NAMED_IN_DOMAIN,
        "is_domain": {"const": False},
        "system": record({"all": {"const": True}}),
        "roles": listed(_NAMED),
        "catalog": reference("Catalog"),
        "application_credential": record({"id": _ID, "name": _NAME, "restricted": TRUTH}),
    },
)

# Names are there if they were asked for.
_ASSIGNMENT = record(
    {
        "scope": {
            "oneOf": [
                record({"system": record({"all": {"const": True}})}),
                record({"project": record({"id": _ID}, {"name": _NAME, "domain": _IN_DOMAIN})}),
            ]
        },
        "user": record({"id": _ID}, {"name": _NAME, "domain": _IN_DOMAIN}),
        "role": record({"id": _ID}, {"name": _NAME}),
        "links": record({"assignment": _URL}, {"prior_role": _URL}),
    }
)
_INFERRED = record({"id": _ID, "name": _NAME, "description": TEXT_OR_NULL, "links": _LINKS})
INFERENCES = record(
    {
        "role_inferences": listed(record({"prior_role": _INFERRED, "implies": listed(_INFERRED)})),
        "links": record({"self": _URL, "next": NULL}),
    }
)

_VERSION: Definition = record(
    {
        "id": TEXT,
        "status": {"const": "stable"},
        "updated": TEXT,
        "links": listed(record({"rel": TEXT, "href": _URL})),
        "media-types": listed(record({"base": TEXT, "type": TEXT})),
    }
)
VERSIONS = record({"versions": record({"values": listed(_VERSION)})})
VERSION = record({"version": _VERSION})

ERROR = record({"error": record({"code": STATUS, "message": TEXT, "title": TEXT})})

SCHEMAS: dict[str, Definition] = {
    "Project": _PROJECT,
    "User": _USER,
    "Role": _ROLE,
    "RoleAssignment": _ASSIGNMENT,
    "ApplicationCredential": _CREDENTIAL,
    "Token": _TOKEN,
    "Catalog": _CATALOG,
    "Domain": _DOMAIN,
    "Service": _SERVICE,
    "Endpoint": _ENDPOINT,
    "Region": _REGION,
}

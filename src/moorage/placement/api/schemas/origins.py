"""Schemas of the origins of providers."""

from __future__ import annotations

from moorage.placement.api.schemas.common import INTEGER, RESOURCE_CLASS, UUID, object_of
from moorage.web.schema import Definition, Schema

# More than any provider has, and few enough to be kept in one row whatever their names are: MariaDB's ends at 16 MiB.
_MOST = 5000


def _sources_by(name: Definition) -> Definition:
    """Where each of the things of these names comes from."""
    return {
        "type": "object",
        "propertyNames": name,
        "additionalProperties": {"type": "string", "pattern": "^(driver|file):.{1,200}$"},
        "maxProperties": _MOST,
    }


_NAME: Definition = {"type": "string", "pattern": RESOURCE_CLASS, "maxLength": 255}
HOST: Definition = {"type": "string", "minLength": 1, "maxLength": 255}

ORIGIN: Definition = object_of(
    {
        "host": HOST,
        "made": {"type": "boolean"},
        "inventories": _sources_by(_NAME),
        "traits": _sources_by(_NAME),
        "aggregates": _sources_by(UUID),
    },
    required=("host",),
)
REPLACE = Schema(
    object_of(
        ORIGIN["properties"] | {"resource_provider_generation": INTEGER},
        required=("host", "resource_provider_generation"),
    )
)

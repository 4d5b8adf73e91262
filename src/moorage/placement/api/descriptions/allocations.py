"""What consumers hold, what projects use, and the reshaper, which moves inventories together with what is held."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions.common import GENERATION, RESOURCES, Operations, by_uuid
from moorage.placement.api.microversion import NEWEST, for_version
from moorage.placement.api.schemas import usages
from moorage.placement.api.schemas.common import RESOURCE_CLASS, TEXT, object_of
from moorage.web.description import Described
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, record

SCHEMAS: dict[str, Definition] = {}

_USAGES_OF = for_version(usages.LIST, NEWEST).definition

_OF_CONSUMER: Definition = {
    "anyOf": [
        record(
            {
                "allocations": by_uuid(record({"resources": RESOURCES, "generation": GENERATION})),
                "project_id": TEXT,
                "user_id": TEXT,
                "consumer_generation": GENERATION,
                "consumer_type": TEXT,
            }
        ),
        # Nobody holds nothing.
        record({"allocations": {"type": "object", "maxProperties": 0}}),
    ]
}
_OF_PROVIDER = record(
    {
        "allocations": by_uuid(record({"resources": RESOURCES, "consumer_generation": GENERATION})),
        "resource_provider_generation": GENERATION,
    }
)
# By type of consumer.
_USAGE = object_of({"consumer_count": COUNT}, ("consumer_count",), patternProperties={RESOURCE_CLASS: COUNT})
_USAGES = record({"usages": {"type": "object", "additionalProperties": _USAGE}})
_WRITTEN = {HTTPStatus.NO_CONTENT: None}

OPERATIONS: Operations = {
    ("GET", "/resource_providers/{uuid}/allocations"): Described(
        summary="List what consumers hold of a provider", answers={HTTPStatus.OK: _OF_PROVIDER}
    ),
    ("POST", "/allocations"): Described(
        summary="Replace what several consumers hold, all or nothing",
        answers=_WRITTEN,
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/allocations/{consumer_uuid}"): Described(
        summary="Show what a consumer holds", answers={HTTPStatus.OK: _OF_CONSUMER}
    ),
    ("PUT", "/allocations/{consumer_uuid}"): Described(
        summary="Replace what a consumer holds", answers=_WRITTEN, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("DELETE", "/allocations/{consumer_uuid}"): Described(
        summary="Give back all that a consumer holds", answers=_WRITTEN, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/usages"): Described(
        summary="Show what a project uses, or one of its users",
        query=_USAGES_OF["properties"],
        required=tuple(_USAGES_OF["required"]),
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: _USAGES},
    ),
    ("POST", "/reshaper"): Described(
        summary="Move inventories between providers together with the allocations on them",
        answers=_WRITTEN,
        refusals=(HTTPStatus.CONFLICT,),
    ),
}

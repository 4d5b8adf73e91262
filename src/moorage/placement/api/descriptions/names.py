"""Resource classes and traits."""

from __future__ import annotations

from http import HTTPStatus

from moorage.placement.api.descriptions.common import LINKS, NAME, Operations
from moorage.web.description import Described, reference
from moorage.web.schema import Definition
from moorage.web.shapes import listed, record

SCHEMAS: dict[str, Definition] = {"ResourceClass": record({"name": NAME, "links": LINKS})}

_CLASS = reference("ResourceClass")
_MADE_OR_THERE = {HTTPStatus.CREATED: None, HTTPStatus.NO_CONTENT: None}
_GONE = {HTTPStatus.NO_CONTENT: None}

_TRAIT_FILTERS: dict[str, Definition] = {
    "name": {
        "type": "string",
        "pattern": ":",
        "description": "in:A,B for those of these names, startswith:CUSTOM_ for those that begin so.",
        "examples": ["startswith:CUSTOM_", "in:HW_CPU_X86_AVX2,HW_CPU_X86_VMX"],
    },
    "associated": {
        "type": "string",
        "pattern": "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$",
        "description": "true for traits that some provider has, false for those that none has.",
        "examples": ["true", "false"],
    },
}

OPERATIONS: Operations = {
    ("GET", "/resource_classes"): Described(
        summary="List the resource classes", answers={HTTPStatus.OK: record({"resource_classes": listed(_CLASS)})}
    ),
    ("POST", "/resource_classes"): Described(
        summary="Make a resource class", answers={HTTPStatus.CREATED: None}, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/resource_classes/{name}"): Described(summary="Show a resource class", answers={HTTPStatus.OK: _CLASS}),
    ("PUT", "/resource_classes/{name}"): Described(
        summary="Make a resource class (201) unless it is there already (204)", answers=_MADE_OR_THERE
    ),
    ("DELETE", "/resource_classes/{name}"): Described(
        summary="Delete a resource class of one's own that nobody uses",
        answers=_GONE,
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/traits"): Described(
        summary="List the traits",
        query=_TRAIT_FILTERS,
        ignores_other_parameters=False,
        answers={HTTPStatus.OK: record({"traits": listed(NAME)})},
    ),
    ("GET", "/traits/{name}"): Described(summary="Ask whether there is a trait", answers=_GONE),
    ("PUT", "/traits/{name}"): Described(
        summary="Make a trait (201) unless it is there already (204)", answers=_MADE_OR_THERE
    ),
    ("DELETE", "/traits/{name}"): Described(
        summary="Delete a trait of one's own that no provider has", answers=_GONE, refusals=(HTTPStatus.CONFLICT,)
    ),
}

"""Flavors, their extra specs, and who may use them."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions.common import LINKS, NUMBER, PAGE, YES_OR_NO
from moorage.compute.api.flavors import SORT_KEYS
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, TEXT, TEXT_OR_NULL, TEXTS_BY_NAME, TRUTH, listed, record

_BRIEF = {"id": TEXT, "name": TEXT, "links": LINKS, "description": TEXT_OR_NULL}
_FULL = {
    **_BRIEF,
    "ram": COUNT,
    "disk": COUNT,
    "vcpus": COUNT,
    "swap": COUNT,
    "OS-FLV-EXT-DATA:ephemeral": COUNT,
    "OS-FLV-DISABLED:disabled": TRUTH,
    "os-flavor-access:is_public": TRUTH,
    "rxtx_factor": {"type": "number", "exclusiveMinimum": 0},
}
_ACCESS = record({"flavor_access": listed(record({"flavor_id": TEXT, "tenant_id": TEXT}))})
_EXTRA_SPECS = record({"extra_specs": TEXTS_BY_NAME})
_EXTRA_SPEC: Definition = {**TEXTS_BY_NAME, "minProperties": 1, "maxProperties": 1}

SCHEMAS: dict[str, Definition] = {
    "FlavorInBrief": record(_BRIEF),
    # Who may not see extra specs is shown none.
    "Flavor": record(_FULL, {"extra_specs": TEXTS_BY_NAME}),
}

_ONE = record({"flavor": reference("Flavor")})
_FILTERS: dict[str, Definition] = {
    **PAGE,
    "is_public": {"type": "string", "enum": [*YES_OR_NO["enum"], "none", "None"]},
    "minRam": NUMBER,
    "minDisk": NUMBER,
    "sort_key": {"type": "string", "enum": sorted(SORT_KEYS)},
    "sort_dir": {"type": "string", "enum": ["asc", "desc"]},
}


def _list(summary: str, shown: str) -> Described:
    page = record({"flavors": listed(reference(shown))}, {"flavors_links": LINKS})
    return Described(summary=summary, query=_FILTERS, ignores_other_parameters=False, answers={HTTPStatus.OK: page})


OPERATIONS: Operations = {
    ("GET", "/v2.1/flavors"): _list("List the flavors that a project may use", "FlavorInBrief"),
    ("GET", "/v2.1/flavors/detail"): _list("List the flavors that a project may use, with details", "Flavor"),
    ("POST", "/v2.1/flavors"): Described(
        summary="Make a flavor", answers={HTTPStatus.OK: _ONE}, refusals=(HTTPStatus.CONFLICT,)
    ),
    ("GET", "/v2.1/flavors/{flavor_id}"): Described(summary="Show a flavor", answers={HTTPStatus.OK: _ONE}),
    ("PUT", "/v2.1/flavors/{flavor_id}"): Described(
        summary="Change the description of a flavor", answers={HTTPStatus.OK: _ONE}
    ),
    ("DELETE", "/v2.1/flavors/{flavor_id}"): Described(
        summary="Delete a flavor; servers stay what they are", answers={HTTPStatus.ACCEPTED: None}
    ),
    ("POST", "/v2.1/flavors/{flavor_id}/action"): Described(
        summary="Let a project use a flavor, or no longer",
        answers={HTTPStatus.OK: _ACCESS},
        refusals=(HTTPStatus.CONFLICT,),
    ),
    ("GET", "/v2.1/flavors/{flavor_id}/os-flavor-access"): Described(
        summary="List the projects that may use a flavor that is not public", answers={HTTPStatus.OK: _ACCESS}
    ),
    ("GET", "/v2.1/flavors/{flavor_id}/os-extra_specs"): Described(
        summary="List the extra specs of a flavor", answers={HTTPStatus.OK: _EXTRA_SPECS}
    ),
    ("POST", "/v2.1/flavors/{flavor_id}/os-extra_specs"): Described(
        summary="Set some extra specs of a flavor", answers={HTTPStatus.OK: _EXTRA_SPECS}
    ),
    ("GET", "/v2.1/flavors/{flavor_id}/os-extra_specs/{key}"): Described(
        summary="Show an extra spec", answers={HTTPStatus.OK: _EXTRA_SPEC}
    ),
    ("PUT", "/v2.1/flavors/{flavor_id}/os-extra_specs/{key}"): Described(
        summary="Set an extra spec, which the body names too", answers={HTTPStatus.OK: _EXTRA_SPEC}
    ),
    ("DELETE", "/v2.1/flavors/{flavor_id}/os-extra_specs/{key}"): Described(
        summary="Remove an extra spec", answers={HTTPStatus.OK: None}
    ),
}

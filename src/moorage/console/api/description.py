"""The console's own API, described."""

from __future__ import annotations

from http import HTTPStatus

from moorage.console.api.capacity import MOST_FLAVORS
from moorage.console.api.routes import ROUTES
from moorage.console.api.session import ABILITIES
from moorage.web.description import Described, Description, Operations, newest_routes, reference
from moorage.web.schema import Definition
from moorage.web.shapes import COUNT, TEXT, TEXT_OR_NULL, TEXTS, TEXTS_BY_NAME, TRUTH, by_name, listed, record

# Of a resource in a zone: what is in use, promised, waited for, and left, which is negative if too much is asked for.
_SHARE = record(
    {
        "resource": TEXT,
        "name": TEXT,
        "zone": TEXT,
        "used": COUNT,
        "committed": COUNT,
        "pending": COUNT,
        "free": {"type": "integer"},
    }
)
# Servers of hosts that are drained, and how many of them find no other place.
_DISPLACED = record({"flavor": TEXT, "zone": TEXT, "count": COUNT, "unplaced": COUNT})
_UNPLACED = record({"flavor": TEXT, "zone": TEXT, "demand": TEXT, "count": COUNT, "reason": TEXT, "gap": COUNT})
_PICTURE: dict[str, Definition] = {
    "hypervisors": COUNT,
    "pooled": listed(reference("Share")),
    "split": listed(reference("Share")),
    "unplaced": listed(reference("Unplaced")),
    "left_out": TEXTS,
}
# How many more of a flavor fit, and on how many hypervisors what is the limit.
_FIT = record({"flavor": TEXT, "total": COUNT, "by_zone": by_name(COUNT), "hosts": COUNT, "limits": by_name(COUNT)})
_STATE = record({**_PICTURE, "fit": listed(reference("Fit"))})

_WELCOME = record({"services": TEXTS, "authentication": TEXT, "takes_passwords": TRUTH})
_MAY = record(dict.fromkeys([*ABILITIES, "ask_for_compute", "see_capacity", "see_findings"], TRUTH))
_SESSION = record(
    {"user_id": TEXT, "project_id": TEXT_OR_NULL, "roles": TEXTS, "may": _MAY},
)
_CAPACITY = record(
    {"taken_at": {"type": "string", "format": "date-time"}, "zones": TEXTS, "flavors": TEXTS, **_PICTURE}
)
# What the pages need of a compute service, by its own names.
_AGGREGATE = record({"uuid": TEXT, "name": TEXT, "availability_zone": TEXT_OR_NULL, "hosts": TEXTS})
_FLAVOR = record({"id": TEXT, "name": TEXT, "vcpus": COUNT, "ram": COUNT, "disk": COUNT, "extra_specs": TEXTS_BY_NAME})
_IMAGE = record({"id": TEXT, "name": TEXT_OR_NULL})
_SERVER = record({"id": TEXT, "name": TEXT, "status": TEXT})
_CONDITION = record({"forbidden": TRUTH, "reason": TEXT})
_FINDING = record({"kind": TEXT, "subject": TEXT, "text": TEXT})
# By what is looked at; or else why that cannot be done.
_FINDINGS = record({"findings": by_name(listed(_FINDING)), "errors": by_name(TEXT)})

# No compute service to ask.
_UNKNOWN = (HTTPStatus.NOT_FOUND,)
# The same; a cloud whose capacity cannot be told.
_UNTOLD = (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT)

_OPERATIONS: Operations = {
    ("GET", "/"): Described(
        summary="What is served beside the console, and how one signs in", answers={HTTPStatus.OK: _WELCOME}
    ),
    ("GET", "/session"): Described(
        summary="Who the caller is, and what they may do", answers={HTTPStatus.OK: _SESSION}
    ),
    ("GET", "/capacity"): Described(
        summary="How much there is of everything", answers={HTTPStatus.OK: _CAPACITY}, refusals=_UNTOLD
    ),
    ("GET", "/capacity/fit"): Described(
        summary="How many more of some flavors fit",
        query={"flavor": {**TEXTS, "minItems": 1, "maxItems": MOST_FLAVORS}},
        required=("flavor",),
        answers={HTTPStatus.OK: record({"fit": listed(reference("Fit"))})},
        refusals=_UNTOLD,
    ),
    ("POST", "/capacity/what-if"): Described(
        summary="How much there would be with hosts more or less",
        answers={
            HTTPStatus.OK: record(
                {
                    "before": reference("State"),
                    "after": reference("State"),
                    "displaced": listed(reference("Displaced")),
                }
            )
        },
        refusals=_UNTOLD,
    ),
    ("GET", "/compute/aggregates"): Described(
        summary="The host aggregates of the compute service",
        answers={HTTPStatus.OK: record({"aggregates": listed(_AGGREGATE)})},
        refusals=_UNKNOWN,
    ),
    ("GET", "/compute/flavors"): Described(
        summary="The flavors of the compute service",
        answers={HTTPStatus.OK: record({"flavors": listed(_FLAVOR)})},
        refusals=_UNKNOWN,
    ),
    ("GET", "/compute/hosts/{host}/servers"): Described(
        summary="The servers on a host of the compute service",
        answers={HTTPStatus.OK: record({"servers": listed(_SERVER)})},
        refusals=_UNKNOWN,
    ),
    ("GET", "/compute/images"): Described(
        summary="The images that servers are made from; none where there is no image service",
        answers={HTTPStatus.OK: record({"images": listed(_IMAGE)})},
        refusals=_UNKNOWN,
    ),
    ("GET", "/compute/placement-query"): Described(
        summary="What a server would ask Placement for",
        query={
            "flavor": {"type": "string", "minLength": 1, "description": "The id of a flavor."},
            "image": {"type": "string", "description": "The id of an image."},
            "availability_zone": TEXT,
        },
        required=("flavor",),
        answers={HTTPStatus.OK: record({"query": TEXT, "conditions": listed(_CONDITION)})},
        refusals=_UNKNOWN,
    ),
    ("GET", "/findings"): Described(
        summary="What does not agree in the cloud",
        answers={HTTPStatus.OK: _FINDINGS},
    ),
}

DESCRIPTION = Description(
    title="Console API",
    about="What the pages of the console need beyond the APIs of the services: who one is and what one may do, how much"
    " more fits and what would be if, what does not agree, and what a compute service tells that is served elsewhere.",
    routes=newest_routes(ROUTES, None),
    operations=_OPERATIONS,
    path_parameters={"host": {"type": "string", "minLength": 1}},
    error=record({"message": TEXT, "request_id": TEXT_OR_NULL}),
    schemas={"Share": _SHARE, "Unplaced": _UNPLACED, "Fit": _FIT, "State": _STATE, "Displaced": _DISPLACED},
)

"""Which versions there are."""

from __future__ import annotations

from http import HTTPStatus

from moorage.compute.api.descriptions.common import LINKS, TIME
from moorage.web.description import Described, Operations, reference
from moorage.web.schema import Definition
from moorage.web.shapes import TEXT, listed, record

_NUMBER: Definition = {"type": "string", "pattern": r"^\d+\.\d+$"}

SCHEMAS: dict[str, Definition] = {
    "Version": record(
        {
            "id": TEXT,
            "status": {"const": "CURRENT"},
            "version": _NUMBER,
            "min_version": _NUMBER,
            "updated": TIME,
            "links": LINKS,
            "media-types": listed(record({"base": TEXT, "type": TEXT})),
        }
    )
}

OPERATIONS: Operations = {
    ("GET", "/"): Described(
        summary="List the versions of the API",
        answers={HTTPStatus.OK: record({"versions": listed(reference("Version"))})},
    ),
    ("GET", "/v2.1"): Described(
        summary="Show the version of the API", answers={HTTPStatus.OK: record({"version": reference("Version")})}
    ),
}

"""Pieces that several descriptions have in common."""

from __future__ import annotations

from collections.abc import Mapping

from moorage.compute.api.schemas.common import BOOLEAN, LARGEST
from moorage.web.schema import Definition
from moorage.web.shapes import TEXT, listed, record

TIME: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
# Such times are in UTC though they do not say so, as Nova's.
BARE_TIME: Definition = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$"}

LINKS = listed(record({"rel": TEXT, "href": {"type": "string", "format": "uri"}}))

# In a query.
NUMBER: Definition = {"type": "integer", "minimum": 0, "maximum": LARGEST}
YES_OR_NO: Definition = {"type": "string", "enum": [word for word in BOOLEAN["enum"] if isinstance(word, str)]}
PAGE: Mapping[str, Definition] = {
    "limit": {**NUMBER, "description": "So many at most; never more than 1000."},
    "marker": {"type": "string", "description": "The id of the last one of the page before."},
}

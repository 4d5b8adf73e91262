"""The root of the API: which versions there are. The one thing that everybody may ask."""

from __future__ import annotations

from moorage.placement.api import microversion
from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.request import Request
from moorage.placement.ledger import Ledger
from moorage.web.versions import as_text


def home(request: Request, _ledger: Ledger) -> Answer:
    """GET /"""
    oldest = as_text(microversion.OLDEST)
    version = {
        "id": f"v{oldest}",
        "max_version": as_text(microversion.NEWEST),
        "min_version": oldest,
        "status": "CURRENT",
        # "Here", wherever the client found us: proxies need not be known.
        "links": [{"rel": "self", "href": ""}],
    }
    return json_answer({"versions": [version]}, request.version)

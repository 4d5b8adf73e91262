"""How much there is, how much more fits, and what would be if."""

from __future__ import annotations

from typing import Any

from moorage.capacity.fit import Fit
from moorage.capacity.model.cloud import Snapshot
from moorage.console.context import Console
from moorage.console.outlook import Copies, Outlook, Picture, changed, fits, picture
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import bad_request, not_found
from moorage.web.request import Request
from moorage.web.schema import Schema

_HOST = {"type": "string", "minLength": 1, "maxLength": 255}
_MOST_FLAVORS = 20

WHAT_IF = Schema(
    {
        "type": "object",
        "properties": {
            "add": {
                "type": "array",
                "maxItems": 20,
                "items": {
                    "type": "object",
                    "properties": {"host": _HOST, "count": {"type": "integer", "minimum": 1, "maximum": 1000}},
                    "required": ["host", "count"],
                    "additionalProperties": False,
                },
            },
            "drain": {"type": "array", "maxItems": 1000, "items": _HOST},
            "flavors": {"type": "array", "maxItems": _MOST_FLAVORS, "items": _HOST},
        },
        "additionalProperties": False,
    }
)


def show(_request: Request, console: Console) -> Answer:
    """GET /capacity"""
    snapshot = _outlook(console).snapshot()
    return json_answer(
        {
            "taken_at": snapshot.taken_at,
            "zones": snapshot.request.zones,
            "flavors": sorted(flavor.name for flavor in snapshot.cloud.flavors),
            **_rendered(picture(snapshot)),
        }
    )


def fit(request: Request, console: Console) -> Answer:
    """GET /capacity/fit"""
    names = request.parameters.all("flavor")
    if not names or len(names) > _MOST_FLAVORS:
        raise bad_request(f"Name the flavors, one to {_MOST_FLAVORS} of them, as in ?flavor=small&flavor=large.")
    return json_answer({"fit": _fits(_outlook(console).snapshot(), names)})


def what_if(request: Request, console: Console) -> Answer:
    """POST /capacity/what-if"""
    wanted = request.content
    now = _outlook(console).snapshot()
    add = [Copies(item["host"], item["count"]) for item in wanted.get("add", ())]
    then = changed(now, add, wanted.get("drain", ()))
    flavors = wanted.get("flavors", ())
    return json_answer(
        {
            "before": _rendered(picture(now)) | {"fit": _fits(now, flavors)},
            "after": _rendered(picture(then)) | {"fit": _fits(then, flavors)},
        }
    )


def _outlook(console: Console) -> Outlook:
    if console.outlook is None:
        raise not_found("There is nothing to tell about capacity: compute and placement are not both served here.")
    return console.outlook


def _fits(snapshot: Snapshot, names: list[str]) -> list[dict[str, Any]]:
    return [_fit(found) for found in fits(snapshot, names)]


def _fit(found: Fit) -> dict[str, Any]:
    return {
        "flavor": found.flavor.name,
        "total": found.total,
        "by_zone": found.by_zone,
        "hosts": len(found.on),
        "limits": found.limits,
    }


def _rendered(made: Picture) -> dict[str, Any]:
    return {
        "hypervisors": made.hypervisors,
        "pooled": made.pooled,
        "split": made.split,
        "unplaced": made.unplaced,
        "left_out": made.left_out,
    }

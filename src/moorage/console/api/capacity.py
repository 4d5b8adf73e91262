"""How much there is, how much more fits, and what would be if."""

from __future__ import annotations

from typing import Any

from moorage.capacity.displaced import resettled
from moorage.capacity.fit import Fit, how_many_more, offered
from moorage.capacity.model.cloud import Snapshot
from moorage.console.context import Console
from moorage.console.outlook import Copies, Outlook, Picture, changed, picture
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import bad_request, not_found
from moorage.web.request import Request
from moorage.web.schema import Definition, Schema
from moorage.web.shapes import listed, record

_HOST: Definition = {"type": "string", "minLength": 1, "maxLength": 255}
MOST_FLAVORS = 20

WHAT_IF = Schema(
    record(
        {},
        {
            "add": {
                **listed(record({"host": _HOST, "count": {"type": "integer", "minimum": 1, "maximum": 1000}})),
                "maxItems": 20,
            },
            "drain": {**listed(_HOST), "maxItems": 1000},
            "flavors": {**listed(_HOST), "maxItems": MOST_FLAVORS},
        },
    )
)


def show(_request: Request, console: Console) -> Answer:
    """GET /capacity"""
    now = _outlook(console).whole()
    return json_answer(
        {
            "taken_at": now.snapshot.taken_at,
            "zones": now.snapshot.request.zones,
            "flavors": offered(now.snapshot),
            **_rendered(now.picture),
        }
    )


def fit(request: Request, console: Console) -> Answer:
    """GET /capacity/fit"""
    names = request.parameters.all("flavor")
    if not names or len(names) > MOST_FLAVORS:
        raise bad_request(f"Name the flavors, one to {MOST_FLAVORS} of them, as in ?flavor=small&flavor=large.")
    return json_answer({"fit": _fits(_outlook(console).room(), names)})


def what_if(request: Request, console: Console) -> Answer:
    """POST /capacity/what-if"""
    wanted = request.content
    now = _outlook(console).whole()
    # In JSON, 2.0 is a whole number, too.
    add = [Copies(item["host"], int(item["count"])) for item in wanted.get("add", ())]
    then = changed(now.snapshot, add, wanted.get("drain", ()))
    settled, displaced = resettled(now.snapshot, then, now.servers)
    flavors = wanted.get("flavors", ())
    return json_answer(
        {
            "before": _rendered(now.picture) | {"fit": _fits(now.snapshot, flavors)},
            "after": _rendered(picture(then)) | {"fit": _fits(settled, flavors)},
            "displaced": displaced,
        }
    )


def _outlook(console: Console) -> Outlook:
    if console.outlook is None:
        raise not_found(
            "There is nothing to tell about capacity: no compute service is served here or named in the settings."
        )
    return console.outlook


def _fits(snapshot: Snapshot, names: list[str]) -> list[dict[str, Any]]:
    return [_fit(found) for found in how_many_more(snapshot, names)]


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

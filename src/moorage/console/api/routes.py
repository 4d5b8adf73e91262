"""The console's own API on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moorage.console.api import capacity, compute, findings, session
from moorage.console.context import Console
from moorage.web.application import Operation, Routes

_OURS = "moorage:console:"

if TYPE_CHECKING:
    Op = Operation[Console]
else:
    Op = Operation  # a parametrised class would note itself down on what it makes, which is frozen

ROUTES: Routes[Console] = {
    "/": {"GET": (Op(handler=session.welcome, rule=None),)},
    "/capacity": {"GET": (Op(handler=capacity.show, rule=f"{_OURS}capacity"),)},
    "/capacity/fit": {"GET": (Op(handler=capacity.fit, rule=f"{_OURS}capacity"),)},
    "/capacity/what-if": {"POST": (Op(handler=capacity.what_if, rule=f"{_OURS}capacity", schema=capacity.WHAT_IF),)},
    "/compute/aggregates": {"GET": (Op(handler=compute.aggregates, rule=f"{_OURS}compute"),)},
    "/compute/flavors": {"GET": (Op(handler=compute.flavors, rule=f"{_OURS}compute"),)},
    "/compute/hosts/{host}/servers": {"GET": (Op(handler=compute.servers, rule=f"{_OURS}compute"),)},
    "/compute/images": {"GET": (Op(handler=compute.images, rule=f"{_OURS}compute"),)},
    "/compute/placement-query": {"GET": (Op(handler=compute.placement_query, rule=f"{_OURS}compute"),)},
    "/findings": {"GET": (Op(handler=findings.index, rule=f"{_OURS}findings"),)},
    "/session": {"GET": (Op(handler=session.show, rule=f"{_OURS}session"),)},
}

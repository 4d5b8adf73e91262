"""What a server would ask Placement for, without making it: for whoever wants to see where one would go, and why.

Moorage's own.
"""

from __future__ import annotations

from urllib.parse import urlencode

from moorage.compute.api.server_orders import usable_flavor, usable_image
from moorage.compute.context import Compute
from moorage.compute.model.image import NO_IMAGE
from moorage.compute.placing.request import placement_request
from moorage.compute.placing.settings import placing_settings
from moorage.compute.servers.errors import InvalidOrder
from moorage.compute.servers.sizes import check_sizes
from moorage.web.answer import Answer, json_answer
from moorage.web.errors import bad_request
from moorage.web.request import Request

_PARAMETERS = frozenset({"flavor", "image", "availability_zone"})


def show(request: Request, compute: Compute) -> Answer:
    """GET /moorage/placement-query"""
    given = request.parameters.as_dict()
    if unknown := sorted(given.keys() - _PARAMETERS):
        raise bad_request(f"There is no parameter {unknown[0]}; there are {', '.join(sorted(_PARAMETERS))}.")
    if not given.get("flavor"):
        raise bad_request("Missing parameter flavor: the id of the flavor.")
    caller, catalogue = request.known_caller, compute.catalogue()
    try:
        flavor = usable_flavor(compute, catalogue, caller, given["flavor"])
        image = usable_image(compute, caller, given["image"]) if given.get("image") else None
        if image is not None:
            check_sizes(flavor, image.minimum)
    except InvalidOrder as error:
        raise bad_request(str(error)) from error
    wanted = placement_request(
        flavor,
        NO_IMAGE if image is None else image.boot_image,
        catalogue.aggregates,
        placing_settings(compute.settings),
        caller.project_id or "",
        given.get("availability_zone") or None,
    )
    return json_answer(
        {
            "query": urlencode(wanted.pairs(), safe=":,!"),
            # Why members of which aggregates come into question, or do not.
            "conditions": [
                {"aggregates": sorted(condition.uuids), "forbidden": condition.forbidden, "reason": condition.reason}
                for condition in wanted.conditions
            ],
        }
    )

"""Extra specs of flavors: what else a flavor asks of its hosts. What cannot be read is refused here, not at boot."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from moorage.compute.api.flavors import visible
from moorage.compute.context import Compute
from moorage.compute.placing.extra_specs import read_extra_specs
from moorage.compute.store import flavors
from moorage.web.answer import Answer, empty_answer, json_answer
from moorage.web.errors import bad_request
from moorage.web.request import Request

_LONGEST = 255


def index(request: Request, compute: Compute) -> Answer:
    """GET /flavors/{flavor_id}/os-extra_specs"""
    return json_answer({"extra_specs": dict(visible(request, compute, request.path["flavor_id"]).extra_specs)})


def create(request: Request, compute: Compute) -> Answer:
    """POST /flavors/{flavor_id}/os-extra_specs"""
    specs = _as_texts(request.content["extra_specs"])
    compute.write(flavors.set_extra_specs, request.path["flavor_id"], specs)
    return json_answer({"extra_specs": specs})


def show(request: Request, compute: Compute) -> Answer:
    """GET /flavors/{flavor_id}/os-extra_specs/{key}"""
    flavor_id, key = request.path["flavor_id"], request.path["key"]
    specs = visible(request, compute, flavor_id).extra_specs
    if key not in specs:
        raise flavors.extra_spec_not_found(flavor_id, key)
    return json_answer({key: specs[key]})


def update(request: Request, compute: Compute) -> Answer:
    """PUT /flavors/{flavor_id}/os-extra_specs/{key}"""
    if request.path["key"] not in request.content:
        raise bad_request("Request body and URI mismatch")
    specs = _as_texts(request.content)
    compute.write(flavors.set_extra_specs, request.path["flavor_id"], specs)
    return json_answer(specs)


def delete(request: Request, compute: Compute) -> Answer:
    """DELETE /flavors/{flavor_id}/os-extra_specs/{key}"""
    compute.write(flavors.remove_extra_spec, request.path["flavor_id"], request.path["key"])
    return empty_answer(HTTPStatus.OK)


def _as_texts(given: Mapping[str, Any]) -> dict[str, str]:
    specs = {key: str(value) for key, value in given.items()}
    for key, value in specs.items():
        if len(value) > _LONGEST:
            raise bad_request(f"The value of the extra spec {key} has more than {_LONGEST} characters.")
    # Each is readable or not by itself, so those that are there already need not be looked at.
    read_extra_specs(specs)
    return specs

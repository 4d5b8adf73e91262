"""How much of everything there is in the cloud."""

from __future__ import annotations

from moorage.capacity.cloud_capacity import report_cloud
from moorage.capacity.lease_demand import request_from_leases
from moorage.capacity.liquid import Liquid
from moorage.capacity.model.demand import CapacityRequest
from moorage.capacity.protocol.errors import InvalidRequest
from moorage.capacity.protocol.requests import capacity_request
from moorage.capacity.reading.promises import read_promises
from moorage.web.answer import Answer, json_answer
from moorage.web.request import Request


def report(request: Request, liquid: Liquid) -> Answer:
    """POST /v1/report-capacity"""
    with_leases = _demands_leases(request)
    if with_leases != (request.content is None):
        raise InvalidRequest("The demand is either in the body, or follows from the leases (?demand=leases): not both.")
    wanted = None if with_leases else capacity_request(request.content)
    with liquid.turns:
        return json_answer(report_cloud(liquid, wanted or _from_leases(liquid)))


def _demands_leases(request: Request) -> bool:
    for name, value in request.parameters.pairs:
        if (name, value) != ("demand", "leases"):
            raise InvalidRequest(f"Invalid input for query parameter {name}. Value: {value}. Known is demand=leases.")
    return "demand" in request.parameters


def _from_leases(liquid: Liquid) -> CapacityRequest:
    if liquid.services.reservation is None:
        raise InvalidRequest("There are no leases to follow: no reservation service is served beside this one.")
    return request_from_leases(read_promises(liquid.services.compute, liquid.services.reservation))

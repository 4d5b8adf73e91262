"""Commitments, which are somebody else's business: they are refused, as the protocol wants it."""

from __future__ import annotations

from moorage.capacity.liquid import Liquid
from moorage.capacity.protocol.errors import InvalidRequest
from moorage.capacity.protocol.requests import commitment_change_request
from moorage.web.answer import Answer
from moorage.web.request import Request


def change(request: Request, liquid: Liquid) -> Answer:
    """POST /v1/change-commitments"""
    wanted = commitment_change_request(request.content)
    info = liquid.declarations.current().info
    if wanted.info_version != info.version:
        raise InvalidRequest(
            f"Invalid input for field/attribute infoVersion. Value: {wanted.info_version}. The info has version"
            f" {info.version} now; read it again."
        )
    for name in sorted(wanted.resources - info.resources.keys()):
        raise InvalidRequest(f"There is no resource {name}; there is {', '.join(info.resources)}.")
    raise InvalidRequest(
        "This service manages no commitments: none of its resources is declared with handlesCommitments, so there is"
        " nothing to be confirmed here."
    )

"""Quotas of a project: what a request names is written, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from moorage.capacity.declaration import Declaration
from moorage.capacity.liquid import Liquid
from moorage.capacity.protocol.errors import InvalidRequest
from moorage.capacity.protocol.requests import QuotaRequest
from moorage.capacity.reading.project import read_limits
from moorage.client.errors import BadRequest

_OF_FLAVOR = "instances_"


def set_quota(liquid: Liquid, project_id: str, request: QuotaRequest) -> None:
    """Write the quotas that a request names, all of them or none."""
    _check_names(liquid.declarations.current(), request)
    own = [name for name in request.quotas if name.startswith(_OF_FLAVOR)]
    if own:
        _check_that_nova_can(liquid, project_id, own)
    if not request.quotas:
        return
    try:
        liquid.services.compute.update_quota_set(project_id, request.quotas)
    except BadRequest as error:
        raise InvalidRequest(f"The compute service refuses these quotas: {error.detail or error}") from error


def _check_names(declaration: Declaration, request: QuotaRequest) -> None:
    known = [name for name, resource in declaration.info.resources.items() if resource.has_quota]
    for name, quota in request.quotas.items():
        if name not in known:
            raise InvalidRequest(
                f"Invalid input for field/attribute resources.{name}. Value: {quota}. There is no such resource with a"
                f" quota; there is {', '.join(known)}."
            )


def _check_that_nova_can(liquid: Liquid, project_id: str, own: Iterable[str]) -> None:
    """A Nova without the patch for split flavors would refuse the request, in words that help nobody."""
    kept = read_limits(liquid.services.compute, project_id).per_flavor
    for name in own:
        if name.removeprefix(_OF_FLAVOR) not in kept:
            raise InvalidRequest(
                f"Invalid input for field/attribute resources.{name}. The compute service keeps no quotas for single"
                " flavors: its limits say nothing of this one (absolutePerFlavor). A stock Nova cannot; it needs a"
                " patch, or let Moorage serve compute."
            )

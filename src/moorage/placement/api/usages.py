"""Usages of providers and of projects."""

from __future__ import annotations

from moorage.placement.api.answer import Answer, json_answer
from moorage.placement.api.errors import no_provider, reworded
from moorage.placement.api.microversion import for_version
from moorage.placement.api.request import Request
from moorage.placement.api.schemas import usages as schemas
from moorage.placement.api.validation import check_query
from moorage.placement.ledger import Ledger
from moorage.placement.store import allocations
from moorage.web.versions import Version

CONSUMER_TYPES: Version = (1, 38)


def of_provider(request: Request, ledger: Ledger) -> Answer:
    """GET /resource_providers/{uuid}/usages"""
    uuid = request.path["uuid"]
    with reworded(no_provider(f"No resource provider with uuid {uuid} found")):
        record = ledger.cloud().find(uuid)
    content = {
        "resource_provider_generation": record.provider.generation,
        "usages": {name: stock.used for name, stock in record.stocks.items()},
    }
    return json_answer(content, request.version)


def of_project(request: Request, ledger: Ledger) -> Answer:
    """GET /usages"""
    by_type = request.version >= CONSUMER_TYPES
    check_query(request.parameters, for_version(schemas.LIST, request.version))
    project_id = request.parameters.last("project_id") or ""
    user_id = request.parameters.last("user_id")
    if not by_type:
        usages = ledger.look(allocations.usage_of_project, project_id, user_id)
        return json_answer({"usages": usages}, request.version)
    consumer_type = request.parameters.last("consumer_type")
    found = ledger.read(allocations.usage_by_consumer_type, project_id, user_id, consumer_type)
    content = {
        "usages": {name: usage.amounts | {"consumer_count": usage.consumer_count} for name, usage in found.items()}
    }
    return json_answer(content, request.version)

"""The Placement API answers as its description says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from schemathesis import Case

from moorage.placement.api.description import DESCRIPTION
from tests.clients.running_service import RunningService
from tests.openapi.conforming import ask, described
from tests.openapi.placement_cloud import AGENTS, CLASSES, TRAITS, Cloud, build, lead
from tests.properties import effort

schema = described(
    "placement",
    refusable=(
        # Traits and resource classes must be there; groups must belong together, and some must ask for resources.
        "get-resource_providers",
        "get-allocation_candidates",
        "get-moorage-allocation_candidates-explain",
        "get-moorage-providers",
        "post-moorage-claims",
        # Names without a letter, parents that are not there or would be their own; texts with a NUL character.
        "post-resource_providers",
        "put-resource_providers-uuid",
        # Nothing of it can be allocated, or the resource class is not there.
        "post-resource_providers-uuid-inventories",
        "put-resource_providers-uuid-inventories",
        "put-resource_providers-uuid-inventories-resource_class",
        "put-resource_providers-uuid-traits",
        # Keys that look like a UUID and are none; providers and resource classes that are not there.
        "post-allocations",
        "put-allocations-consumer_uuid",
        "post-reshaper",
        "post-moorage-providers",
        "put-moorage-providers-uuid-origin",
        # Texts with a NUL character.
        "get-traits",
        "get-usages",
        "put-moorage-agents-agent",
        # Standard names are neither made nor deleted.
        *(f"{method}-{kind}-name" for method in ("put", "delete") for kind in ("traits", "resource_classes")),
    ),
)


@schema.parametrize()
@effort(15)
def test_the_placement_api_answers_as_described(case: Case[Any], sample_service: RunningService, cloud: Cloud) -> None:
    lead(case, cloud)
    known = {
        "uuid": cloud.providers,
        "consumer_uuid": cloud.consumers,
        "resource_class": CLASSES,
        "agent": AGENTS,
    }
    if "{name}" in case.path:
        known["name"] = TRAITS if case.path.startswith("/traits") else CLASSES
        if case.method == "DELETE":
            known["name"] = (cloud.spare,)
    ask(case, sample_service, "placement", known)


@pytest.fixture
def cloud(sample_service: RunningService) -> Iterator[Cloud]:
    """Providers of this test alone: each operation may take some of them away."""
    version, value = DESCRIPTION.version_header or ("", "")
    headers = {"X-Auth-Token": sample_service.token, version: value}
    with httpx.Client(base_url=sample_service.placement, headers=headers) as api:
        yield build(api)

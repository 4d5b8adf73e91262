"""The image API answers as its description says."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest
from schemathesis import Case, serializer

from tests.clients.running_service import RunningService
from tests.openapi.conforming import Known, ask, described
from tests.properties import effort

schema = described(
    "image",
    refusable=(
        # A marker that is no image, two ways to sort at once, a time that is none.
        "get-v2-images",
        # Which values a field may have depends on the field.
        "patch-v2-images-image_id",
    ),
)

serializer.alias("application/openstack-images-v2.1-json-patch", "application/json")


@schema.parametrize()
@effort(10)
def test_the_image_api_answers_as_described(case: Case[Any], sample_service: RunningService, known: Known) -> None:
    ask(case, sample_service, "image", known)


@pytest.fixture
def known(sample_service: RunningService) -> Known:
    """Images of this test alone, shared and tagged: each operation may take some of them away."""
    made = [str(uuid4()) for _ in range(6)]
    projects, tags = ("one", "another"), ("blue", "green")
    with httpx.Client(base_url=f"{sample_service.url}/image", headers={"X-Auth-Token": sample_service.token}) as api:
        for image_id in made:
            content = {"id": image_id, "name": "tried", "tags": tags, "os_distro": "debian"}
            api.post("/v2/images", json=content).raise_for_status()
            for project in projects:
                api.post(f"/v2/images/{image_id}/members", json={"member": project}).raise_for_status()
    return {
        "image_id": made,
        "marker": made,
        "member_id": projects,
        "tag": tags,
        "created_at": ("gte:2020-01-31T12:00:00Z", "lt:2100-01-31T12:00:00Z"),
        "updated_at": ("2020-01-31T12:00:00Z", "neq:2020-01-31T12:00:00Z"),
        # Changes of an image.
        "path": ("/name", "/os_distro", "/os_version"),
        "value": ("one", "another"),
    }

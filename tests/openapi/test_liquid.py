"""LIQUID answers as its OpenAPI document says."""

from __future__ import annotations

from typing import Any

import pytest
from schemathesis import Case

from tests.clients.running_service import RunningService
from tests.openapi.conforming import KEYS_OF, Known, ask, described
from tests.properties import effort

schema = described(
    "liquid-nova",
    refusable=(
        # Names of zones that the protocol keeps for itself; zones that were not named before they are spoken of.
        "post-v1-report-capacity",
        "post-v1-projects-project_id-report-usage",
        # Resources that there are not, or whose quota is not for this service to set.
        "put-v1-projects-project_id-quota",
        # No commitment is ever changed here.
        "post-v1-change-commitments",
    ),
)


@pytest.fixture(scope="module")
def known() -> Known:
    zones, resources = ["az1", "az2", "az3", "az4"], ["cores", "ram", "instances", "server_groups"]
    return {
        "project_id": ["admin", "astronomy"],
        "allAZs": zones,
        f"{KEYS_OF}perAZ": zones,
        **{f"{KEYS_OF}{name}": resources for name in ("demandByResource", "resources")},
    }


@schema.parametrize()
@effort(15)
def test_liquid_answers_as_described(case: Case[Any], sample_service: RunningService, known: Known) -> None:
    if isinstance(case.body, dict) and case.body.get("demandByResource"):
        # Demand is in the body, or follows from the leases.
        case.query.pop("demand", None)
    ask(case, sample_service, "liquid-nova", known)

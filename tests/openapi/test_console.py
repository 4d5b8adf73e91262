"""The console's own API answers as its OpenAPI document says."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from schemathesis import Case

from tests.clients.running_service import RunningService
from tests.openapi.conforming import Known, ask, described
from tests.properties import effort

# Flavors, images and hosts must be there, which a schema cannot say.
schema = described("console", refusable=["get-capacity-fit", "post-capacity-what-if", "get-compute-placement-query"])


@pytest.fixture(scope="module")
def known(sample_service: RunningService) -> Known:
    """The flavors and hosts of the sample cloud."""
    with httpx.Client(base_url=sample_service.url, headers={"X-Auth-Token": sample_service.token}) as api:
        flavors = api.get("/console/api/capacity").raise_for_status().json()["flavors"]
        hypervisors = api.get("/compute/v2.1/os-hypervisors").raise_for_status().json()["hypervisors"]
    hosts = [host["hypervisor_hostname"] for host in hypervisors]
    return {"flavor": flavors, "flavors": flavors, "host": hosts, "drain": hosts}


@schema.parametrize()
@effort(15)
def test_the_console_answers_as_described(case: Case[Any], sample_service: RunningService, known: Known) -> None:
    ask(case, sample_service, "console", known)

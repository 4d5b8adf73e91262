"""The cloud moves from Moorage to upstream's Placement and back, in use: nothing is lost, nothing is counted twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import httpx
import pytest

from tests.openstack.cloud import mariadb, moorage, nova, placement, whole
from tests.openstack.cloud.programs import Programs
from tests.openstack.operator import MEDIUM, SMALL, Operator, Server, host_of

NEW_LEDGER = "moorage_after_the_move"
CACHE = {**SMALL, "CUSTOM_LLC": 10}

CANDIDATES = [
    "resources=VCPU:1,MEMORY_MB:512,DISK_GB:1",
    "resources=VCPU:1&required=CUSTOM_P_STATE_ENABLED",
    "resources=VCPU:1&required=!CUSTOM_P_STATE_ENABLED",
    "resources=CUSTOM_LLC:10",
    "resources=CUSTOM_LLC:11",
    "resources=VCPU:1001",
]
"""Questions about where something fits; each aggregate is asked about besides."""


@pytest.fixture(scope="module")
def upstream(programs: Programs) -> Iterator[str]:
    """Upstream's Placement, which knows nothing yet but its standard names: its address."""
    placement.prepare(programs)
    placement.start(programs)
    yield programs.site.url(placement.NAME)
    programs.stop(placement.NAME)


def test_there_and_back(operator: Operator, programs: Programs, upstream: str) -> None:
    site = operator.site
    ours = f"{site.url(moorage.NAME)}/placement"
    theirs = site.database(placement.NAME)
    before = operator.usages()
    with operator.flavor({"resources:CUSTOM_LLC": "10"}) as cache:
        held = {operator.boots().id: SMALL, operator.boots(cache).id: CACHE, operator.boots("medium").id: MEDIUM}
        resized = operator.boots()
        operator.cloud.compute.resize_server(resized, "medium")
        assert operator.settled(resized, "VERIFY_RESIZE", "ERROR").status == "VERIFY_RESIZE"

        # There: what Moorage holds goes into upstream's database.
        nova.stop(programs)
        programs.stop(placement.NAME)
        assert "nothing differs" in succeeds(operator, f"moorage export placement '{theirs}'")
        placement.start(programs)
        assert_same_answers(operator, ours, upstream)
        lead_to(operator, upstream)
        whole.start_nova(programs)
        programs.stop(moorage.NAME)
        held[goes_on(operator, held).id] = SMALL
        operator.cloud.compute.confirm_server_resize(resized)
        assert operator.settled(resized).status == "ACTIVE"
        held[resized.id] = MEDIUM

        # And back, into a new database of Moorage's.
        nova.stop(programs)
        mariadb.create_database(site, NEW_LEDGER, charset="utf8mb4", server=mariadb.OURS)
        moorage.use_database(site, NEW_LEDGER)
        assert "Every answer of the API was compared" in succeeds(operator, f"moorage import placement '{theirs}'")
        moorage.start(programs)
        assert_same_answers(operator, upstream, ours)
        register = f"moorage openstack register --url {site.url(moorage.NAME)} --password-file {site.home}/password"
        assert f"moved the public endpoint of placement from {upstream} to {ours}" in succeeds(
            operator, f"{register} --replace"
        )
        programs.stop(placement.NAME)
        whole.start_nova(programs)
        operator.log_in_again()
        held[goes_on(operator, held).id] = SMALL

        assert operator.consumers() == set(held)
        everybody = [operator.cloud.compute.get_server(server_id) for server_id in held]
        for found, resources in zip(everybody, held.values(), strict=True):
            assert (found.status, operator.holds(found.id)) == ("ACTIVE", {host_of(found): resources})
        assert operator.runs("nova-manage placement audit --verbose").returncode == 0
        operator.deletes(*everybody)
    assert operator.uses_again(before)
    assert operator.consumers() == set()


def goes_on(operator: Operator, known: Iterable[str]) -> Server:
    """Servers live and die as they did before; a new one."""
    operator.log_in_again()
    compute = operator.cloud.compute
    assert {compute.get_server(server_id).status for server_id in known} == {"ACTIVE"}
    with operator.server(availability_zone="south") as passing:
        assert passing.status == "ACTIVE"
    new = operator.boots()
    assert new.status == "ACTIVE"
    return new


def lead_to(operator: Operator, address: str) -> None:
    """Have the catalog name another Placement."""
    identity: Any = operator.cloud.identity
    (service,) = identity.services(type="placement")
    for endpoint in identity.endpoints(service_id=service.id):
        identity.update_endpoint(endpoint, url=address)


def succeeds(operator: Operator, command: str) -> str:
    """What a command says that works."""
    done = operator.runs(command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- answer by answer


def assert_same_answers(operator: Operator, one: str, other: str) -> None:
    """Two Placements, of which one was filled with what the other holds, answer every question alike."""
    asked = 0
    for path in questions(operator, one):
        assert answer(operator, one, path) == answer(operator, other, path), path
        asked += 1
    assert asked > 30


def questions(operator: Operator, address: str) -> Iterator[str]:
    """All that can be asked about what a Placement holds."""
    yield from ("/resource_providers", "/resource_classes", "/traits")
    consumers, aggregates, projects = set[str](), set[str](), set[tuple[str, str]]()
    for provider in answer(operator, address, "/resource_providers")["resource_providers"]:
        path = f"/resource_providers/{provider['uuid']}"
        yield path
        yield from (f"{path}/{part}" for part in ("inventories", "usages", "traits", "aggregates", "allocations"))
        consumers |= set(answer(operator, address, f"{path}/allocations")["allocations"])
        aggregates |= set(answer(operator, address, f"{path}/aggregates")["aggregates"])
    for consumer in sorted(consumers):
        yield f"/allocations/{consumer}"
        held = answer(operator, address, f"/allocations/{consumer}")
        projects.add((held["project_id"], held["user_id"]))
    for project_id, user_id in sorted(projects):
        yield f"/usages?project_id={project_id}"
        yield f"/usages?project_id={project_id}&user_id={user_id}"
    yield from (f"/allocation_candidates?{query}" for query in CANDIDATES)
    for aggregate in sorted(aggregates):
        yield f"/resource_providers?member_of={aggregate}"
        for sign in ("", "!"):
            yield f"/allocation_candidates?resources=VCPU:1&member_of={sign}{aggregate}"


def answer(operator: Operator, address: str, path: str) -> Any:
    """What one of them answers, with lists in one order and links without the address."""
    headers = {"X-Auth-Token": operator.token, "OpenStack-API-Version": "placement 1.39"}
    found = httpx.get(f"{address}{path}", headers=headers, timeout=60)
    assert found.status_code == 200, found.text
    return in_order(found.json())


def in_order(value: Any) -> Any:
    """A value in which the order of lists, which means nothing here, is always the same."""
    if isinstance(value, dict):
        return {key: value["rel"] if key == "href" else in_order(part) for key, part in value.items()}
    if isinstance(value, list):
        return sorted((in_order(part) for part in value), key=repr)
    return value

"""The cloud moves from Moorage to upstream's Placement and back, in use: nothing is lost, nothing is counted twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import httpx
import pytest

from tests.openstack.cloud import mariadb, moorage, nova, placement, whole
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import COMPUTES
from tests.openstack.leases import POOL_TRAIT, reservable_host, reservation_provider, runs
from tests.openstack.operator import MEDIUM, SMALL, Operator, Server, host_of
from tests.openstack.waiting import eventually

THIRD = COMPUTES[2]
NEW_LEDGER = "moorage_after_the_move"
CACHE = {**SMALL, "CUSTOM_LLC": 10}

CANDIDATES = [
    "resources=VCPU:1,MEMORY_MB:512,DISK_GB:1",
    "resources=VCPU:1&required=CUSTOM_P_STATE_ENABLED",
    "resources=VCPU:1&required=!CUSTOM_P_STATE_ENABLED",
    "resources=CUSTOM_LLC:10",
    "resources=CUSTOM_LLC:11",
    "resources=VCPU:1001",
    f"resources=VCPU:1&root_required=!{POOL_TRAIT}",
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
    before = operator.usages()
    with reservable_host(operator, THIRD), operator.flavor({"resources:CUSTOM_LLC": "10"}) as cache:
        held = {operator.boots().id: SMALL, operator.boots(cache).id: CACHE, operator.boots("medium").id: MEDIUM}
        resized = operator.boots()
        operator.cloud.compute.resize_server(resized, "medium")
        assert operator.settled(resized, "VERIFY_RESIZE", "ERROR").status == "VERIFY_RESIZE"
        reserved = reservation_provider(operator, THIRD)

        move_there(operator, programs, upstream)
        held[goes_on(operator, held).id] = SMALL
        assert reservation_provider(operator, THIRD) == reserved
        operator.cloud.compute.confirm_server_resize(resized)
        assert operator.settled(resized).status == "ACTIVE"
        held[resized.id] = MEDIUM
        operator.await_consumers(*held)

        move_back(operator, programs, upstream)
        held[goes_on(operator, held).id] = SMALL
        assert reservation_provider(operator, THIRD) == reserved

        operator.await_consumers(*held)
        everybody = [operator.cloud.compute.get_server(server_id) for server_id in held]
        for found, resources in zip(everybody, held.values(), strict=True):
            assert (found.status, operator.holds(found.id)) == ("ACTIVE", {host_of(found): resources})
        assert operator.runs("nova-manage placement audit --verbose").returncode == 0
        operator.deletes(*everybody)
        # The new database knows of no hosts for leases; what Nova and Placement have of this one, it goes on with.
        runs(operator, f"openstack reservation host create {THIRD}")
        eventually(lambda: operator.runs("moorage reservation audit").returncode == 0, f"{THIRD} is known again")
    operator.await_usages(before)
    operator.await_consumers()


def move_there(operator: Operator, programs: Programs, upstream: str) -> None:
    """What Moorage holds goes into upstream's database."""
    nova.stop(programs)
    known = answers(operator, ours(operator))
    for name in (placement.NAME, moorage.NAME):
        programs.stop(name)
    assert "nothing differs" in runs(operator, f"moorage export placement {theirs(operator)}")
    placement.start(programs)
    assert answers(operator, upstream) == known
    lead_to(operator, upstream)
    whole.start_nova(programs)


def move_back(operator: Operator, programs: Programs, upstream: str) -> None:
    """What upstream's Placement holds goes into a new database of Moorage's, step by step as docs/migration.md says."""
    site = operator.site
    mariadb.create_database(site, NEW_LEDGER, charset="utf8mb4", server=mariadb.OURS)
    moorage.use_database(site, NEW_LEDGER)
    assert "Nothing was written." in runs(operator, f"moorage import placement {theirs(operator)} --dry-run")
    nova.stop(programs)
    known = answers(operator, upstream)
    programs.stop(placement.NAME)
    told = runs(operator, f"moorage import placement {theirs(operator)}")
    assert "Every answer of the API was compared with the source; nothing differs." in told
    moorage.start(programs)
    assert answers(operator, ours(operator)) == known
    register = f"moorage openstack register --url {site.url(moorage.NAME)} --password-file {site.home}/password"
    moved = f"moved the public endpoint of placement from {upstream} to {ours(operator)}"
    assert moved in runs(operator, f"{register} --replace")
    whole.start_nova(programs)


def ours(operator: Operator) -> str:
    """The address of Moorage's Placement."""
    return f"{operator.site.url(moorage.NAME)}/placement"


def theirs(operator: Operator) -> str:
    """How a command is told where upstream's database is."""
    return f"--placement-config {operator.site.settings / placement.NAME / 'placement.conf'}"


def goes_on(operator: Operator, known: Iterable[str]) -> Server:
    """Servers live and die as they did before, and none slips in where leases are; a new one."""
    operator.log_in_again()
    compute = operator.cloud.compute
    assert {compute.get_server(server_id).status for server_id in known} == {"ACTIVE"}
    with operator.server(availability_zone="north") as passing, operator.server(availability_zone="south") as kept_off:
        assert (passing.status, kept_off.status) == ("ACTIVE", "ERROR")
    new = operator.boots()
    assert new.status == "ACTIVE"
    return new


def lead_to(operator: Operator, address: str) -> None:
    """Have the catalog name another Placement."""
    identity: Any = operator.cloud.identity
    (service,) = identity.services(type="placement")
    for endpoint in identity.endpoints(service_id=service.id):
        identity.update_endpoint(endpoint, url=address)


# --- answer by answer


def answers(operator: Operator, address: str) -> dict[str, Any]:
    """All that a Placement has to say about what it holds."""
    found = {path: answer(operator, address, path) for path in questions(operator, address)}
    assert len(found) > 30
    return found


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

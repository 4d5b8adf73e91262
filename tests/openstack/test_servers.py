"""Servers of a stock Nova live and die, and Placement knows of each step."""

from __future__ import annotations

from typing import Any

import pytest
from openstack.exceptions import BadRequestException

from tests.openstack.cloud import nova
from tests.openstack.cloud.programs import Programs
from tests.openstack.cloud.site import COMPUTES
from tests.openstack.operator import MEDIUM, SMALL, Operator, host_of
from tests.openstack.waiting import eventually


@pytest.fixture(autouse=True)
def _usage_returns(operator: Operator) -> object:
    """Whatever a test does, nothing is used afterwards that was not before."""
    before = operator.usages()
    yield
    operator.await_usages(before)


def test_a_server_holds_what_its_flavor_says_and_gives_it_back(operator: Operator) -> None:
    with operator.server() as server:
        assert server.status == "ACTIVE"
        assert operator.holds(server.id) == {host_of(server): SMALL}


def test_a_server_of_another_project_is_counted_there(operator: Operator) -> None:
    tycho = Operator(operator.site, "tycho", "astronomy")
    project = tycho.cloud.current_project_id
    with tycho.server() as server:
        assert server.status == "ACTIVE"
        usages = tycho.asks_placement(f"/usages?project_id={project}")["usages"]
        assert sum(usages.get(kind, {}).get("VCPU", 0) for kind in usages) == 1


def test_resizing_moves_the_claim_with_the_server(operator: Operator) -> None:
    compute = operator.cloud.compute
    with operator.server() as server:
        source = host_of(server)
        compute.resize_server(server, "medium")
        resized = operator.settled(server, "VERIFY_RESIZE", "ERROR")
        assert resized.status == "VERIFY_RESIZE"
        target = host_of(resized)
        assert target != source
        assert operator.holds(server.id) == {target: MEDIUM}
        compute.confirm_server_resize(server)
        assert operator.settled(server).status == "ACTIVE"
        assert operator.holds(server.id) == {target: MEDIUM}
        operator.await_consumers(server.id)


def test_a_resize_that_is_reverted_gives_back_what_it_claimed(operator: Operator) -> None:
    compute = operator.cloud.compute
    with operator.server() as server:
        compute.resize_server(server, "medium")
        assert operator.settled(server, "VERIFY_RESIZE", "ERROR").status == "VERIFY_RESIZE"
        compute.revert_server_resize(server)
        assert operator.settled(server).status == "ACTIVE"
        assert operator.holds(server.id) == {host_of(server): SMALL}
        operator.await_consumers(server.id)


def test_cold_and_live_migration(operator: Operator) -> None:
    compute = operator.cloud.compute
    with operator.server() as server:
        source = host_of(server)
        compute.migrate_server(server)
        migrated = operator.settled(server, "VERIFY_RESIZE", "ERROR")
        assert migrated.status == "VERIFY_RESIZE"
        assert host_of(migrated) != source
        compute.confirm_server_resize(server)
        operator.settled(server)
        target = next(host for host in COMPUTES if host != host_of(migrated))
        compute.live_migrate_server(server, host=target, block_migration="auto")
        moved = operator.arrived(server, target)
        assert (moved.status, host_of(moved)) == ("ACTIVE", target)
        assert operator.holds(server.id) == {target: SMALL}


def test_evacuation_claims_elsewhere_and_the_host_gives_back_what_it_held_when_it_returns(
    operator: Operator, programs: Programs
) -> None:
    compute = operator.cloud.compute
    with operator.server(availability_zone="north") as server:
        source = host_of(server)
        service = compute_service(operator, source)
        programs.stop(source)
        try:
            compute.update_service_forced_down(service, forced=True)
            compute.evacuate_server(server)
            eventually(lambda: host_of(compute.get_server(server.id)) != source, "the server is evacuated")
            # Since 2.95 it waits there to be started.
            evacuated = operator.settled(server, "SHUTOFF", "ERROR")
            target = host_of(evacuated)
            assert evacuated.status == "SHUTOFF"
            assert operator.holds(server.id) == {source: SMALL, target: SMALL}
        finally:
            nova.start_compute(programs, source)
            eventually(lambda: may_be_used_again(operator, service), f"{source} has cleared away what was evacuated")
        assert operator.holds(server.id) == {target: SMALL}
        eventually(lambda: compute_service(operator, source).state == "up", "the host works again")


def may_be_used_again(operator: Operator, service: Any) -> bool:
    """Have Nova use a host again, which it refuses until the host has cleared away what was evacuated."""
    try:
        operator.cloud.compute.update_service_forced_down(service, forced=False)
    except BadRequestException:
        return False
    return True


def compute_service(operator: Operator, host: str) -> Any:
    """The compute service of a host, as Nova sees it."""
    (service,) = operator.cloud.compute.services(binary="nova-compute", host=host)
    return service


def test_a_rebuild_keeps_the_claim(operator: Operator) -> None:
    compute = operator.cloud.compute
    with operator.image() as image, operator.server() as server:
        compute.rebuild_server(server, image=operator.image_id(image))
        rebuilt = operator.settled(server)
        assert rebuilt.status == "ACTIVE"
        assert operator.holds(server.id) == {host_of(server): SMALL}


def test_a_rebuild_with_an_image_whose_traits_the_host_lacks_is_refused(operator: Operator) -> None:
    compute = operator.cloud.compute
    wanting = {"trait:CUSTOM_P_STATE_ENABLED": "required"}
    with operator.image(**wanting) as image, operator.server(availability_zone="south") as server:
        assert server.status == "ACTIVE"
        compute.rebuild_server(server, image=operator.image_id(image))
        refused = operator.settled(server)
        assert refused.status == "ERROR"
        assert "Image traits cannot be satisfied" in refused.fault["message"]
        assert operator.holds(server.id) == {host_of(server): SMALL}


def test_a_rebuild_with_traits_that_the_host_has_is_accepted(operator: Operator) -> None:
    compute = operator.cloud.compute
    wanting = {"trait:CUSTOM_P_STATE_ENABLED": "required"}
    with operator.image(**wanting) as image, operator.server(availability_zone=f"north:{COMPUTES[0]}") as server:
        compute.rebuild_server(server, image=operator.image_id(image))
        assert operator.settled(server).status == "ACTIVE"


def test_nobody_gets_what_there_is_not(operator: Operator) -> None:
    with operator.flavor({}, vcpus=1001) as flavor, operator.server(flavor) as server:
        assert server.status == "ERROR"
        assert "No valid host was found" in server.fault["message"]
        assert operator.holds(server.id) == {}


def test_shelving_gives_back_and_unshelving_claims_anew(operator: Operator) -> None:
    compute = operator.cloud.compute
    with operator.server() as server:
        compute.shelve_server(server)
        operator.settled(server, "SHELVED", "SHELVED_OFFLOADED")
        if operator.cloud.compute.get_server(server).status == "SHELVED":
            compute.shelve_offload_server(server)
        operator.settled(server, "SHELVED_OFFLOADED")
        assert operator.holds(server.id) == {}
        compute.unshelve_server(server)
        back = operator.settled(server)
        assert back.status == "ACTIVE"
        assert operator.holds(server.id) == {host_of(back): SMALL}

"""What `nova-manage placement` looks after, it finds with Moorage, too."""

from __future__ import annotations

from uuid import uuid4

from tests.openstack.cloud.site import COMPUTES
from tests.openstack.operator import Operator, host_of

NOTHING_FOUND, FOUND, DELETED = 0, 3, 4
NOTHING_TO_HEAL = 4


def test_an_audit_finds_what_no_server_holds_and_deletes_it(operator: Operator) -> None:
    orphan = str(uuid4())
    claim = {
        "allocations": {operator.provider(COMPUTES[0]): {"resources": {"VCPU": 1}}},
        "project_id": "gone", "user_id": "gone", "consumer_generation": None, "consumer_type": "INSTANCE",
    }  # fmt: skip
    with operator.server() as server:
        assert operator.runs("nova-manage placement audit --verbose").returncode == NOTHING_FOUND
        operator.asks_placement(f"/allocations/{orphan}", "PUT", json=claim)
        found = operator.runs("nova-manage placement audit --verbose")
        assert found.returncode == FOUND
        assert orphan in found.stdout
        assert operator.runs("nova-manage placement audit --verbose --delete").returncode == DELETED
        assert operator.holds(orphan) == {}
        assert operator.holds(server.id)


def test_allocations_that_were_lost_are_healed(operator: Operator) -> None:
    with operator.server() as server:
        held = operator.holds(server.id)
        operator.asks_placement(f"/allocations/{server.id}", "DELETE")
        assert operator.holds(server.id) == {}
        healed = operator.runs("nova-manage placement heal_allocations --verbose")
        assert healed.returncode == 0, healed.stdout
        assert operator.holds(server.id) == held
        assert host_of(server) in held
        again = operator.runs("nova-manage placement heal_allocations --verbose")
        assert again.returncode == NOTHING_TO_HEAL, again.stdout


def test_aggregates_that_were_lost_are_told_anew(operator: Operator) -> None:
    path = f"/resource_providers/{operator.provider(COMPUTES[2])}/aggregates"
    now = operator.asks_placement(path)
    assert now["aggregates"]
    operator.asks_placement(path, "PUT", json={**now, "aggregates": []})
    done = operator.runs("nova-manage placement sync_aggregates --verbose")
    assert done.returncode == 0, done.stdout
    assert operator.asks_placement(path)["aggregates"] == now["aggregates"]

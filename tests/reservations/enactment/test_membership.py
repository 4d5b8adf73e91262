"""Hosts are in the aggregates that close them also where compute could not tell Placement."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from moorage.client.compute import Aggregate
from moorage.client.placement import PlacementClient
from moorage.client.transport import Response, Transport
from moorage.db.database import Database
from moorage.reservations.enactment.errors import NotYet
from moorage.reservations.enactment.membership import join
from moorage.reservations.model.host import Host
from moorage.reservations.reconciling.audit import audit
from moorage.reservations.reconciling.repairs import repair
from tests.reservations.harbour import HOUR, TRAITS, Harbour, open_harbour


class Unheard:
    """Compute's way to a Placement, on which news of aggregates get lost: a Nova writes a warning then, and goes on."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, method: str, path: str, *, content: Any = None, **more: Any) -> Response:
        if method == "PUT" and path.endswith("/aggregates"):
            return Response(200, {}, json.dumps(content).encode())
        return self._transport.send(method, path, content=content, **more)


@pytest.fixture
def harbour(database: Database) -> Harbour:
    """A cloud that keeps servers off by traits, whose compute is not heard by Placement."""
    heard = open_harbour(database, TRAITS).yard.placement._transport
    return open_harbour(database, TRAITS, PlacementClient(Unheard(heard)), heard)


def closing(harbour: Harbour, host: Host) -> set[str]:
    """The names of the aggregates that a host is in as Placement knows it."""
    names: Mapping[str, str] = {each.uuid: each.name for each in harbour.compute.aggregates()}
    return {names.get(uuid, "gone") for uuid in harbour.placement.aggregates(host.provider_uuid).aggregates}


def forget(harbour: Harbour, host: Host) -> None:
    """Have Placement forget which aggregates a host is in."""
    known = harbour.placement.aggregates(host.provider_uuid)
    told = harbour.cloud.placement
    told.put_aggregates(host.provider_uuid, [], known.generation)


def test_the_free_pool_is_closed(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    harbour.yard.host("open")
    harbour.settle()
    assert closing(harbour, quay) == {"freepool"}
    ordinary = harbour.yard.flavor("ordinary")
    assert {harbour.launch(ordinary) for _ in range(3)} == {"open"}
    harbour.delete_host(quay)
    harbour.settle()
    assert closing(harbour, quay) == set()


def test_reserved_hosts_are_never_open(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle()

    def look(_method: str, _path: str) -> None:
        assert closing(harbour, quay)

    harbour.to_placement.before = harbour.to_compute.before = look
    harbour.settle(at=HOUR)
    [reservation] = lease.reservations
    assert closing(harbour, quay) == {f"reservation:{reservation.id}"}
    assert harbour.launch(harbour.yard.flavor("ordinary")) is None
    assert harbour.launch(reservation.id) == "quay"
    harbour.settle(at=2 * HOUR)
    assert harbour.shown(lease).status == "TERMINATED"
    assert closing(harbour, quay) == {"freepool"}


def test_who_is_in_the_aggregate_already_is_told_of_again(harbour: Harbour) -> None:
    """As when Nova has written it down, could not reach Placement, and failed."""
    quay = harbour.host("quay")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle()
    name = f"reservation:{lease.reservations[0].id}"
    [own] = [each for each in harbour.compute.aggregates() if each.name == name]
    harbour.compute.add_host(own.id, "quay")
    harbour.settle(at=HOUR)
    assert closing(harbour, quay) == {name}


def test_an_audit_finds_hosts_that_are_open(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    lease = harbour.lease((quay, 1), whole_hosts=True)
    harbour.settle(at=HOUR)
    assert audit(harbour.context) == []
    for host in (quay, pier):
        forget(harbour, host)
    findings = audit(harbour.context)
    assert [(finding.kind, finding.repair) for finding in findings] == [
        ("missing", "settle lease"),
        ("host", "settle host"),
    ]
    assert "quay" in findings[0].text
    assert "pier" in findings[1].text
    assert all(repair(harbour.context, finding) for finding in findings)
    harbour.settle()
    assert audit(harbour.context) == []
    assert closing(harbour, quay) == {f"reservation:{lease.reservations[0].id}"}
    assert closing(harbour, pier) == {"freepool"}


def test_a_host_that_placement_does_not_know_cannot_be_closed_yet(harbour: Harbour) -> None:
    quay = harbour.host("quay")
    harbour.settle()
    pool: Aggregate = harbour.cloud.pool
    with pytest.raises(NotYet, match="Placement knows no provider sunk"):
        join(harbour.cloud, pool, replace(quay, name="sunk"))

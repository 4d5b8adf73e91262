"""The whole life of leases with upstream's Placement, as it is installed from PyPI."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from tests.client.conftest import http_client
from tests.client.upstream import ADMIN, running_upstream
from tests.reservations.harbour import HOUR, Harbour, open_harbour


@pytest.fixture
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlacementClient]:
    with running_upstream(tmp_path_factory.mktemp("upstream")) as endpoint:
        yield http_client(endpoint, ADMIN)


@pytest.fixture
def harbour(database: Database, upstream: PlacementClient) -> Harbour:
    return open_harbour(database, placement=upstream)


def test_leases_begin_and_end_with_upstreams_placement(harbour: Harbour) -> None:
    quay, pier = harbour.host("quay"), harbour.host("pier")
    of_instances, of_hosts = harbour.lease((quay, 2)), harbour.lease((pier, 1), whole_hosts=True)
    harbour.settle()
    [reservation] = of_instances.reservations
    assert harbour.classes() == {reservation.resource_class}
    harbour.settle(at=HOUR)
    assert harbour.slots(quay) == {reservation.resource_class: 2}
    assert [harbour.launch(reservation.id) for _ in range(3)] == ["quay", "quay", None]
    assert {harbour.shown(lease).status for lease in (of_instances, of_hosts)} == {"ACTIVE"}
    harbour.settle(at=2 * HOUR)
    assert {harbour.shown(lease).status for lease in (of_instances, of_hosts)} == {"TERMINATED"}
    assert (harbour.flavors(), harbour.slots(quay), harbour.classes()) == ({}, {}, set())
    assert harbour.aggregates() == {"freepool": ("pier", "quay")}
    harbour.delete_host(quay)
    harbour.settle()
    assert harbour.provider(quay) is None

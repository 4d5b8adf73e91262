"""What a cloud must have for leases, and how servers are kept apart there."""

from __future__ import annotations

import pytest

from moorage.client.in_process import WsgiTransport
from moorage.client.placement import PlacementClient
from moorage.db.database import Database
from moorage.reservations.enactment.cloud import open_cloud
from moorage.reservations.enactment.errors import UnfitCloud
from moorage.reservations.enactment.isolation import PrefixIsolation, TraitIsolation
from tests.reservations.harbour import TRAITS, Harbour, open_harbour


def test_a_placement_that_is_too_old_is_refused(harbour: Harbour) -> None:
    def old(_environ: object, start_response: object) -> list[bytes]:
        start_response("200 OK", [])  # type: ignore[operator]
        return [b'{"versions": [{"id": "v1.0", "min_version": "1.0", "max_version": "1.28", "links": []}]}']

    placement = PlacementClient(WsgiTransport(old))
    with pytest.raises(UnfitCloud, match=r"1\.29 or newer; this one speaks 1\.28 at most"):
        open_cloud(harbour.database, placement, harbour.compute)


def test_the_cloud_decides_how_hosts_are_kept_apart(database: Database) -> None:
    assert isinstance(open_harbour(database).cloud.isolation, PrefixIsolation)
    assert isinstance(open_harbour(database, TRAITS).cloud.isolation, TraitIsolation)
